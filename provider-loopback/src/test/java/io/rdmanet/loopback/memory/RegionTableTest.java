package io.rdmanet.loopback.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmanet.loopback.ring.RegionTableDescriptor;
import io.rdmanet.verbs.ErrorNumber;
import io.rdmanet.verbs.VerbsException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RegionTableTest {
    @TempDir private Path directory;
    private RegionTable table;

    @BeforeEach
    void open() throws Exception {
        table = new RegionTable(directory);
    }

    @AfterEach
    void close() {
        table.close();
        assertThat(directory).isEmptyDirectory();
    }

    private int add() throws VerbsException {
        return table.add(table.newRegionId(), 4096, 64, 1, 1, true);
    }

    @Test
    void numbersRegionsFromOneAndNeverAgain() {
        assertThat(table.newRegionId()).isEqualTo(1);
        assertThat(table.newRegionId()).isEqualTo(2);
    }

    @Test
    void givesAnotherKeyWhenAnEntryIsUsedAgain() throws Exception {
        Set<Integer> keys = new HashSet<>();
        for (int i = 0; i < 255; i++) {
            int key = add();
            assertThat(key).isNotZero();
            assertThat(keys.add(key)).as("key %x is new", key).isTrue();
            table.remove(key);
        }
    }

    @Test
    void neverGivesKeyZero() throws Exception {
        for (int i = 0; i < 600; i++) {
            int key = add();
            assertThat(key & 0xff).isNotZero();
            table.remove(key);
        }
    }

    @Test
    void refusesOneRegionTooManyAndTakesOneAgainAfterARemoval() throws Exception {
        int key = 0;
        for (int i = 0; i < RegionTableDescriptor.CAPACITY; i++) {
            key = add();
        }

        assertThatThrownBy(this::add)
                .isInstanceOfSatisfying(
                        VerbsException.class,
                        e -> assertThat(e.errno()).isEqualTo(ErrorNumber.ENOMEM));

        table.remove(key);
        assertThat(RegionTableDescriptor.index(add())).isEqualTo(RegionTableDescriptor.index(key));
    }
}
