package io.rdmanet.bw.report;

/// What the figures were measured on.
public final class Machine {
    private Machine() {}

    /// The Java runtime: version and vendor.
    public static String jdk() {
        return Runtime.version() + " " + System.getProperty("java.vendor", "");
    }

    /// The operating system and the processors it gives us.
    public static String os() {
        return System.getProperty("os.name")
                + " "
                + System.getProperty("os.version")
                + " "
                + System.getProperty("os.arch")
                + ", "
                + Runtime.getRuntime().availableProcessors()
                + " processors";
    }
}
