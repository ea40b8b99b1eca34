import org.jspecify.annotations.NullMarked;

/// Real RDMA devices, through libibverbs and librdmacm.
@NullMarked
module io.rdmanet.ffm {
    requires io.rdmanet;
    requires static org.jspecify;

    provides io.rdmanet.verbs.VerbsProvider with
            io.rdmanet.ffm.FfmProvider;
}
