/// The loopback device: what a network card does, done in shared memory.
package io.rdmanet.loopback;
