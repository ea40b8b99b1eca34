/// RDMA messaging in tiers: [io.rdmanet] is for programs, [io.rdmanet.verbs] for providers.
@org.jspecify.annotations.NullMarked
module io.rdmanet {
    requires jdk.jfr;
    requires static transitive org.jspecify;

    exports io.rdmanet;
    exports io.rdmanet.verbs;

    uses io.rdmanet.verbs.VerbsProvider;
}
