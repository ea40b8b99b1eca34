import org.jspecify.annotations.NullMarked;

/// A soft RDMA device over shared memory, for processes of one user on one machine.
@NullMarked
module io.rdmanet.loopback {
    requires io.rdmanet;
    requires static org.jspecify;

    provides io.rdmanet.verbs.VerbsProvider with
            io.rdmanet.loopback.LoopbackProvider;
}
