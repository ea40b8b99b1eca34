package io.rdmanet.bw.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmanet.bw.run.RunFailedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServerAddressTest {
    @ParameterizedTest
    @CsvSource({
        "host, host, 0",
        "host:1, host, 1",
        "127.0.0.1:65535, 127.0.0.1, 65535",
        "::1, ::1, 0",
        "fe80::1, fe80::1, 0",
        "[::1], ::1, 0",
        "[::1]:18515, ::1, 18515",
        "[host]:7, host, 7"
    })
    void readsHostAndPort(String text, String host, int port) {
        assertThat(ServerAddress.parse(text)).isEqualTo(new ServerAddress(host, port));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ":",
                ":1",
                "host:",
                "host:0",
                "host:65536",
                "host:x",
                "host:-1",
                "[::1",
                "[]:1",
                "[::1]x",
                "[::1]x:1"
            })
    void refusesWhatIsNoAddress(String text) {
        assertThatThrownBy(() -> ServerAddress.parse(text))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void takesThePortOfTheOptionWhenTheAddressHasNone() throws Exception {
        assertThat(new ServerAddress("127.0.0.1", 0).resolve(18515).getPort()).isEqualTo(18515);
        assertThat(new ServerAddress("127.0.0.1", 7).resolve(18515).getPort()).isEqualTo(7);
    }

    @Test
    void namesTheHostThatHasNoAddress() {
        assertThatThrownBy(() -> new ServerAddress("no-such-host.invalid", 1).resolve(1))
                .isInstanceOf(RunFailedException.class)
                .hasMessageContaining("unknown host no-such-host.invalid");
    }
}
