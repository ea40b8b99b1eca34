package io.rdmanet.internal.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmanet.EndpointOptions;
import io.rdmanet.verbs.GidEntry;
import io.rdmanet.verbs.GidType;
import io.rdmanet.verbs.GlobalIdentifier;
import io.rdmanet.verbs.VerbsException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class GidChoiceTest {
    private static final GlobalIdentifier GLOBAL_IPV4 = new GlobalIdentifier(0, 0xffff_0a00_0001L);
    private static final GlobalIdentifier LINK_IPV4 = new GlobalIdentifier(0, 0xffff_a9fe_0101L);
    private static final GlobalIdentifier LOOP_IPV4 = new GlobalIdentifier(0, 0xffff_7f00_0001L);
    private static final GlobalIdentifier GLOBAL_IPV6 =
            new GlobalIdentifier(0x2001_0db8_0000_0000L, 1);
    private static final GlobalIdentifier LINK_IPV6 =
            new GlobalIdentifier(0xfe80_0000_0000_0000L, 1);
    private static final GlobalIdentifier LOOP_IPV6 = new GlobalIdentifier(0, 1);

    private static GidEntry entry(int index, GlobalIdentifier gid, GidType type, String device) {
        return new GidEntry(index, gid, type, device);
    }

    private static int chosen(GidEntry... table) throws VerbsException {
        return GidChoice.choose(List.of(table), EndpointOptions.AUTOMATIC, "port 1 of x").index();
    }

    @Test
    void prefersRoceV2ToV1EvenIfEverythingElseSpeaksForV1() throws VerbsException {
        assertThat(
                        chosen(
                                entry(0, GLOBAL_IPV4, GidType.ROCE_V1, "eth0"),
                                entry(1, LOOP_IPV6, GidType.ROCE_V2, "")))
                .isEqualTo(1);
    }

    @Test
    void prefersOneWithANetworkInterface() throws VerbsException {
        assertThat(
                        chosen(
                                entry(0, GLOBAL_IPV4, GidType.ROCE_V2, ""),
                                entry(1, LINK_IPV6, GidType.ROCE_V2, "eth0")))
                .isEqualTo(1);
    }

    @Test
    void prefersGlobalToLinkLocalToLoopback() throws VerbsException {
        assertThat(
                        chosen(
                                entry(0, LOOP_IPV4, GidType.ROCE_V2, "lo"),
                                entry(1, LINK_IPV4, GidType.ROCE_V2, "eth0"),
                                entry(2, GLOBAL_IPV6, GidType.ROCE_V2, "eth0")))
                .isEqualTo(2);
        assertThat(
                        chosen(
                                entry(0, LOOP_IPV4, GidType.ROCE_V2, "lo"),
                                entry(1, LINK_IPV6, GidType.ROCE_V2, "eth0")))
                .isEqualTo(1);
    }

    @Test
    void prefersIpv4MappedAndFallsBackToIpv6() throws VerbsException {
        assertThat(
                        chosen(
                                entry(0, GLOBAL_IPV6, GidType.ROCE_V2, "eth0"),
                                entry(1, GLOBAL_IPV4, GidType.ROCE_V2, "eth0")))
                .isEqualTo(1);
        assertThat(chosen(entry(3, GLOBAL_IPV6, GidType.ROCE_V2, "eth0"))).isEqualTo(3);
    }

    @Test
    void takesTheLowestIndexOfEquals() throws VerbsException {
        assertThat(
                        chosen(
                                entry(5, GLOBAL_IPV4, GidType.ROCE_V2, "eth0"),
                                entry(4, GLOBAL_IPV4, GidType.ROCE_V2, "eth1")))
                .isEqualTo(4);
    }

    @Test
    void takesInfinibandWhereThereIsNothingElse() throws VerbsException {
        assertThat(chosen(entry(0, LINK_IPV6, GidType.INFINIBAND, ""))).isEqualTo(0);
    }

    /// Every combination of type, interface and address, in every order a seed makes: the choice
    /// must follow the rule's order and not the table's.
    @Test
    void choosesTheSameFromAnyOrderOfTheWholeTable() throws VerbsException {
        List<GlobalIdentifier> best =
                List.of(GLOBAL_IPV4, GLOBAL_IPV6, LINK_IPV4, LINK_IPV6, LOOP_IPV4, LOOP_IPV6);
        List<GidType> types = List.of(GidType.ROCE_V2, GidType.INFINIBAND, GidType.ROCE_V1);
        List<GidEntry> bestFirst = new ArrayList<>();
        for (GidType type : types) {
            for (String device : List.of("eth0", "")) {
                for (GlobalIdentifier gid : best) {
                    bestFirst.add(entry(bestFirst.size(), gid, type, device));
                }
            }
        }
        for (int first = 0; first < bestFirst.size(); first++) {
            List<GidEntry> table = new ArrayList<>(bestFirst.subList(first, bestFirst.size()));
            Collections.shuffle(table, new Random(first));
            assertThat(GidChoice.choose(table, EndpointOptions.AUTOMATIC, "p").index())
                    .as("the best from %d on, seed %d", first, first)
                    .isEqualTo(first);
        }
    }

    @Test
    void takesTheIndexAskedForHoweverBad() throws VerbsException {
        List<GidEntry> table =
                List.of(
                        entry(0, LOOP_IPV6, GidType.ROCE_V1, ""),
                        entry(1, GLOBAL_IPV4, GidType.ROCE_V2, "eth0"));
        assertThat(GidChoice.choose(table, 0, "p").index()).isEqualTo(0);
    }

    @Test
    void listsTheTableIfTheIndexIsNotThere() {
        List<GidEntry> table =
                List.of(
                        entry(0, LINK_IPV6, GidType.ROCE_V1, ""),
                        entry(3, GLOBAL_IPV4, GidType.ROCE_V2, "eth0"));
        assertThatThrownBy(() -> GidChoice.choose(table, 2, "port 1 of rxe0"))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("port 1 of rxe0 has no GID of index 2")
                .hasMessageContaining("0: fe80:")
                .hasMessageContaining("(ROCE_V1, no netdev)")
                .hasMessageContaining("(ROCE_V2, eth0)");
    }

    @Test
    void saysWhatToDoIfTheTableIsEmpty() {
        assertThatThrownBy(() ->
                        GidChoice.choose(List.of(), EndpointOptions.AUTOMATIC, "port 1 of rxe0"))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("port 1 of rxe0 has none");
    }
}
