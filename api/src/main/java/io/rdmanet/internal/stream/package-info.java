/// A connection's messages as a stream of bytes.
package io.rdmanet.internal.stream;
