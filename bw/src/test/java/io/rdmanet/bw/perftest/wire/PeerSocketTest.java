package io.rdmanet.bw.perftest.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import jdk.net.ExtendedSocketOptions;
import org.junit.jupiter.api.Test;

/// The connection to a C tool, where no message travels.
class PeerSocketTest {
    private static InetSocketAddress address(ServerSocket listener) {
        return new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort());
    }

    /// The target of a run of writes waits for the end of it, and for nothing else.
    @Test
    void asksAPeerThatIsSilentForAMinuteWhetherItIsThere() throws Exception {
        try (ServerSocket listener = ScriptedPeer.listener();
                SocketChannel channel = SocketChannel.open(address(listener));
                PeerSocket socket = new PeerSocket(channel)) {
            assertThat(socket.remoteAddress()).isEqualTo(address(listener));
            assertThat(channel.getOption(StandardSocketOptions.SO_KEEPALIVE)).isTrue();
            assumeTrue(
                    channel.supportedOptions().contains(ExtendedSocketOptions.TCP_KEEPIDLE),
                    "this system has one keep-alive time for all");
            assertThat(channel.getOption(ExtendedSocketOptions.TCP_KEEPIDLE)).isEqualTo(60);
            assertThat(channel.getOption(ExtendedSocketOptions.TCP_KEEPINTERVAL)).isEqualTo(15);
            assertThat(channel.getOption(ExtendedSocketOptions.TCP_KEEPCOUNT)).isEqualTo(4);
        }
    }

    /// A server with -R does not listen on the TCP port.
    @Test
    void saysThatAServerOfRdmaCmDoesNotListen() throws Exception {
        InetSocketAddress nobody;
        try (ServerSocket free = ScriptedPeer.listener()) {
            nobody = address(free);
        }
        assertThatThrownBy(() -> PeerSocket.connect(nobody, Duration.ofSeconds(5)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("nobody listens on")
                .hasMessageContaining("-R");
    }
}
