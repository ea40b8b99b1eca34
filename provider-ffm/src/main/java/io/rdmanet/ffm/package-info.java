/// Real RDMA devices through `java.lang.foreign`.
///
/// [io.rdmanet.ffm.FfmProvider] is all that others see. Below it: `.queue` and `.connection` are
/// the verbs objects and rdma_cm's, `.event` waits for file descriptors, `.c` is C as Java.
package io.rdmanet.ffm;
