/// Waiting for file descriptors of the verbs libraries, with deadlines.
package io.rdmanet.ffm.event;
