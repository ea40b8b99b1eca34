/// What travels: the header of every frame, which is immediate data, and the record with which both
/// ends introduce themselves. Pure functions; no state, no input or output.
///
/// Reading order: [io.rdmanet.internal.frame.FrameFlags],
/// [io.rdmanet.internal.frame.FrameDescriptor], [io.rdmanet.internal.frame.HelloDescriptor].
package io.rdmanet.internal.frame;
