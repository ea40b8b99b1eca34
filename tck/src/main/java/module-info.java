import org.jspecify.annotations.NullMarked;

/// Contract tests that each provider runs unchanged, and decorators that inject faults.
///
/// Open, because JUnit calls the inherited test methods by reflection. The faulty provider is named
/// in META-INF/services only: `provides` here would pull this module onto the module path of a
/// provider's tests, where that provider's module does not read it.
@NullMarked
open module io.rdmanet.tck {
    requires transitive io.rdmanet;
    requires transitive org.junit.jupiter.api;
    requires transitive org.junit.jupiter.params;
    requires transitive org.assertj.core;
    requires jdk.management;
    requires static org.jspecify;

    exports io.rdmanet.tck;
    exports io.rdmanet.tck.fault;

    uses io.rdmanet.verbs.VerbsProvider;
}
