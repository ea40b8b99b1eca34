/// The tool `rdmanet-bw`: measures every tier of rdmanet on every provider.
///
/// It knows the API only; providers are found at run time. Nothing is exported: it is a program.
@org.jspecify.annotations.NullMarked
@SuppressWarnings("requires-automatic") // of the charts and of HdrHistogram: no descriptors
module io.rdmanet.bw {
    requires static org.jspecify;
    requires VectorGraphics2D;
    requires io.rdmanet;
    requires HdrHistogram;
    requires info.picocli;
    requires tools.jackson.databind;
    requires java.desktop;
    requires java.management;
    requires jdk.jfr;
    requires jdk.management;
    requires jdk.net;
    requires org.knowm.xchart;

    opens io.rdmanet.bw.command to
            info.picocli;
}
