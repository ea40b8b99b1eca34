package io.rdmanet.disni;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmanet.verbs.ErrorNumber;
import io.rdmanet.verbs.VerbsException;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DisniFailureTest {
    @ParameterizedTest
    @CsvSource({
        "Address already in use, 98",
        "Cannot assign requested address, 99",
        "Cannot allocate memory, 12",
        "Invalid argument, 22",
        "No such device, 19",
        "Connection timed out, 110"
    })
    void findsTheErrorNumberBehindTheLastColon(String text, int errno) {
        IOException failure = new IOException("j2c::listen: rdma_listen failed: " + text + "\n");

        assertThat(DisniFailure.errno(failure)).isEqualTo(errno);
        assertThat(DisniFailure.of("rdma_listen", failure, "at all"))
                .hasMessageContaining(ErrorNumber.name(errno))
                .hasCause(failure);
    }

    @Test
    void keepsTextThatNamesNoError() {
        VerbsException own =
                DisniFailure.of("poll_cq", new IOException("Trying to poll closed CQ."), "a queue");

        assertThat(own.errno()).isEqualTo(VerbsException.NO_ERRNO);
        assertThat(own).hasMessage("poll_cq failed: a queue (Trying to poll closed CQ.)");
    }

    @Test
    void survivesAFailureWithoutText() {
        assertThat(DisniFailure.of("poll_cq", new IOException(), "a queue"))
                .hasMessageContaining("IOException");
    }
}
