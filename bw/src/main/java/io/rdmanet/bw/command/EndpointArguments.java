package io.rdmanet.bw.command;

import io.rdmanet.ConnectionSetup;
import io.rdmanet.EndpointOptions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The options about provider, device and connecting.
final class EndpointArguments {
    @Option(
            names = "--provider",
            paramLabel = "NAME",
            defaultValue = "auto",
            description =
                    "loopback, ffm, disni, or auto: the best usable one, and why (default: auto)")
    private String provider = "auto";

    @Option(
            names = {"-d", "--device"},
            paramLabel = "DEVICE",
            defaultValue = "",
            description = "RDMA device by name (default: the one that owns the address)")
    private String device = "";

    @Option(
            names = {"-i", "--ib-port"},
            paramLabel = "PORT",
            defaultValue = "1",
            description = "port of the device (default: 1)")
    private int ibPort = 1;

    @Option(
            names = {"-x", "--gid-index"},
            paramLabel = "INDEX",
            description = "index of the GID (default: chosen; RoCE v2 first)")
    private @Nullable Integer gidIndex;

    @Option(
            names = "--handshake",
            description = "connect by an exchange over TCP instead of rdma_cm; on both ends")
    private boolean usesTcpHandshake;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "30",
            converter = Seconds.class,
            description = "how long connecting, or any wait for the peer, may take (default: 30)")
    private Duration timeout = EndpointOptions.DEFAULT_TIMEOUT;

    /// @throws IllegalArgumentException if a value is out of range
    EndpointOptions options() {
        if (gidIndex != null && gidIndex < 0) {
            throw new IllegalArgumentException("gidIndex must be 0 to 65535, is " + gidIndex);
        }
        return new EndpointOptions(
                provider,
                device,
                ibPort,
                gidIndex == null ? EndpointOptions.AUTOMATIC : gidIndex,
                usesTcpHandshake ? ConnectionSetup.TCP : ConnectionSetup.RDMA_CM,
                timeout);
    }
}
