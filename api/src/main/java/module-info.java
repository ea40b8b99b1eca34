/// RDMA messaging in tiers: [io.rdmanet] is for programs, [io.rdmanet.verbs] for providers.
@org.jspecify.annotations.NullMarked
@SuppressWarnings("module") // the providers are built after this module, so javac cannot find them
module io.rdmanet {
    requires jdk.jfr;
    requires static transitive org.jspecify;

    exports io.rdmanet;
    exports io.rdmanet.verbs;
    exports io.rdmanet.internal.provider to
            io.rdmanet.loopback,
            io.rdmanet.ffm,
            io.rdmanet.disni;

    uses io.rdmanet.verbs.VerbsProvider;
}
