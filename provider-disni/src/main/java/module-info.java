import org.jspecify.annotations.NullMarked;

/// Real RDMA devices, through DiSNI and its native library libdisni.
@NullMarked
@SuppressWarnings("requires-automatic") // DiSNI 2.1 is older than modules
module io.rdmanet.disni {
    requires disni;
    requires io.rdmanet;
    requires org.slf4j; // which DiSNI, without a descriptor of its own, cannot ask for
    requires static org.jspecify;

    provides io.rdmanet.verbs.VerbsProvider with
            io.rdmanet.disni.DisniProvider;
}
