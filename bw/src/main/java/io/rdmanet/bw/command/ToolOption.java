package io.rdmanet.bw.command;

/// The options of the main command that may or may not make sense, by their long names.
enum ToolOption {
    PROVIDER("--provider"),
    DEVICE("--device"),
    IB_PORT("--ib-port"),
    GID_INDEX("--gid-index"),
    SIZE("--size"),
    COUNT("--count"),
    DURATION("--duration"),
    BATCH("--batch"),
    RAW("--raw"),
    RAW_ONEBUF("--raw-onebuf"),
    RAW_SINGLE("--raw-single"),
    ZERO_COPY("--zero-copy"),
    VERB("--verb"),
    PERFTEST("--perftest"),
    QPS("--qps"),
    BIDIRECTIONAL("--bidirectional"),
    DEPTH("--depth"),
    POLL("--poll"),
    HANDSHAKE("--handshake"),
    TCP_PORT("--tcp-port"),
    LOOP("--loop"),
    ALL("--all"),
    WARMUP("--warmup"),
    REPEAT("--repeat"),
    VERIFY("--verify"),
    PROBE("--probe"),
    TIMEOUT("--timeout"),
    JSON("--json"),
    CSV("--csv"),
    VERBOSE("--verbose");

    private final String longName;

    ToolOption(String longName) {
        this.longName = longName;
    }

    /// The name with two dashes.
    String longName() {
        return longName;
    }
}
