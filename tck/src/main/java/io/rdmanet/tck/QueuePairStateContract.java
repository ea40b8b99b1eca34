package io.rdmanet.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.rdmanet.verbs.AccessFlag;
import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.Context;
import io.rdmanet.verbs.MemoryRegion;
import io.rdmanet.verbs.ProtectionDomain;
import io.rdmanet.verbs.QueuePair;
import io.rdmanet.verbs.QueuePairAttributes;
import io.rdmanet.verbs.QueuePairAttributes.Attribute;
import io.rdmanet.verbs.QueuePairState;
import io.rdmanet.verbs.VerbsException;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// The state machine of reliably connected queue pairs (InfiniBand specification, 10.3.1), from a
/// table of its own.
public abstract class QueuePairStateContract extends VerbsContract {
    private static final int SEQUENCE = 1000;

    @BeforeEach
    final void requireCapabilities() {
        assume(
                Capability.QUEUE_PAIR_MODIFY,
                Capability.GID_CHOICE,
                Capability.DEVICE_LIST,
                Capability.DEVICE_CHOICE);
    }

    static Stream<Arguments> transitions() {
        return EnumSet.complementOf(EnumSet.of(QueuePairState.SEND_QUEUE_ERROR)).stream()
                .flatMap(from ->
                        Stream.of(QueuePairState.values()).map(to -> Arguments.of(from, to)));
    }

    @ParameterizedTest
    @MethodSource("transitions")
    void goesWhereTheSpecificationAllowsOnly(QueuePairState from, QueuePairState to)
            throws Exception {
        Fixture fixture = new Fixture();
        QueuePair queuePair = fixture.queuePair;
        fixture.bringTo(from);

        Throwable outcome = catchThrowable(() -> queuePair.modify(fixture.stepTo(from, to)));

        if (!isLegal(from, to)) {
            assertThat(outcome)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining(from.name())
                    .hasMessageContaining(to.name());
            assertThat(queuePair.state()).isEqualTo(from);
        } else if (outcome != null) {
            // Legal, but drivers differ: Linux refuses RESET to ERROR, and few drain the send
            // queue.
            assertThat(outcome).isInstanceOf(VerbsException.class);
            assertThat(isOptional(from, to)).as("may refuse %s to %s", from, to).isTrue();
            assertThat(queuePair.state()).isEqualTo(from);
        } else {
            assertThat(queuePair.state()).isEqualTo(to);
            assertThat(queuePair.query().state()).isEqualTo(to);
        }
    }

    private static boolean isLegal(QueuePairState from, QueuePairState to) {
        return switch (to) {
            case RESET, ERROR -> true;
            case INIT -> from == QueuePairState.RESET || from == QueuePairState.INIT;
            case READY_TO_RECEIVE -> from == QueuePairState.INIT;
            case READY_TO_SEND ->
                    from == QueuePairState.READY_TO_RECEIVE
                            || from == QueuePairState.READY_TO_SEND
                            || from == QueuePairState.SEND_QUEUE_DRAINED;
            case SEND_QUEUE_DRAINED ->
                    from == QueuePairState.READY_TO_SEND
                            || from == QueuePairState.SEND_QUEUE_DRAINED;
            case SEND_QUEUE_ERROR -> false;
        };
    }

    private static boolean isOptional(QueuePairState from, QueuePairState to) {
        return (from == QueuePairState.RESET && to == QueuePairState.ERROR)
                || to == QueuePairState.SEND_QUEUE_DRAINED
                || from == QueuePairState.SEND_QUEUE_DRAINED;
    }

    @ParameterizedTest
    @EnumSource(
            value = QueuePairState.class,
            names = {"INIT", "READY_TO_RECEIVE", "READY_TO_SEND"})
    void namesEachAttributeThatIsMissing(QueuePairState to) throws Exception {
        Fixture fixture = new Fixture();
        QueuePairState from = QueuePairState.ofCode(to.code() - 1);
        fixture.bringTo(from);
        QueuePairAttributes complete = fixture.stepTo(from, to);

        for (Attribute attribute : complete.present()) {
            if (attribute == Attribute.STATE) {
                continue;
            }
            assertThatThrownBy(() -> fixture.queuePair.modify(without(complete, attribute)))
                    .as("without %s", attribute)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining(attribute.name());
            assertThat(fixture.queuePair.state()).isEqualTo(from);
        }

        fixture.queuePair.modify(complete);
        assertThat(fixture.queuePair.state()).isEqualTo(to);
    }

    private static QueuePairAttributes without(QueuePairAttributes all, Attribute missing) {
        QueuePairAttributes rest = QueuePairAttributes.none();
        for (Attribute attribute : all.present()) {
            if (attribute != missing) {
                rest =
                        switch (attribute) {
                            case STATE -> rest.withState(all.state());
                            case ADDRESS_VECTOR -> rest.withAddressVector(all.addressVector());
                            case PATH_MTU -> rest.withPathMtu(all.pathMtu());
                            default -> rest.with(attribute, all.number(attribute));
                        };
            }
        }
        return rest;
    }

    @Test
    void queryReflectsWhatWasSet() throws Exception {
        Fixture fixture = new Fixture();
        fixture.bringTo(QueuePairState.READY_TO_SEND);

        QueuePairAttributes now = fixture.queuePair.query();

        assertThat(now.state()).isEqualTo(QueuePairState.READY_TO_SEND);
        assertThat(now.pathMtu()).isEqualTo(fixture.path.mtu());
        assertThat(now.addressVector().destinationGid())
                .isEqualTo(fixture.path.vector().destinationGid());
        assertThat(now.number(Attribute.DESTINATION_QUEUE_PAIR_NUMBER))
                .isEqualTo(fixture.queuePair.number());
        assertThat(now.number(Attribute.RECEIVE_PACKET_SEQUENCE_NUMBER)).isEqualTo(SEQUENCE);
        assertThat(now.number(Attribute.SEND_PACKET_SEQUENCE_NUMBER)).isEqualTo(SEQUENCE);
        assertThat(now.number(Attribute.PORT_NUMBER)).isEqualTo(1);
        assertThat(now.number(Attribute.RETRY_COUNT))
                .isEqualTo(QueuePairAttributes.DEFAULT_RETRY_COUNT);
        assertThat(now.number(Attribute.RNR_RETRY_COUNT))
                .isEqualTo(QueuePairAttributes.DEFAULT_RNR_RETRY_COUNT);
        assertThat(now.number(Attribute.TIMEOUT))
                .isEqualTo(QueuePairAttributes.DEFAULT_TIMEOUT_EXPONENT);
        assertThat(now.number(Attribute.MIN_RNR_TIMER))
                .isEqualTo(QueuePairAttributes.DEFAULT_MIN_RNR_TIMER);
        assertThat(now.number(Attribute.ACCESS_FLAGS) & AccessFlag.REMOTE_WRITE.mask())
                .isEqualTo(
                        PairEnd.fullAccess(fixture.context).contains(AccessFlag.REMOTE_WRITE)
                                ? AccessFlag.REMOTE_WRITE.mask()
                                : 0);
    }

    @Test
    void changesAttributesWithinAState() throws Exception {
        Fixture fixture = new Fixture();
        fixture.bringTo(QueuePairState.INIT);

        fixture.queuePair.modify(fixture.path.toInit(Set.of(AccessFlag.LOCAL_WRITE)));

        assertThat(
                        fixture.queuePair.query().number(Attribute.ACCESS_FLAGS)
                                & AccessFlag.REMOTE_WRITE.mask())
                .isZero();
    }

    @Test
    void carriesMessagesToItself() throws Exception {
        // A queue pair may be its own peer: the smallest connection there is.
        Fixture fixture = new Fixture();
        fixture.bringTo(QueuePairState.READY_TO_SEND);
        MemoryRegion memory = fixture.end.memory(128);
        Payload.fill(memory.segment(), 0, 64, 5);

        fixture.end.postReceive(1, memory, 64, 64);
        fixture.end.postSend(2, memory, 0, 64);

        fixture.end.receives().takeSuccesses(1);
        fixture.end.sends().takeSuccesses(1);
        Payload.assertHolds(memory.segment(), 64, 64, 5);
    }

    @Test
    void isUsedAgainAfterReset() throws Exception {
        skipUnless(pairing() == Pairing.MODIFY, "the pair is not connected by modifying it");
        ConnectedPair pair = connect(PairOptions.ofDepth(8, 8));
        MemoryRegion source = pair.left().memory(64);
        MemoryRegion target = pair.right().memory(64 * 64);
        int receives = pair.right().queuePair().capacity().maxReceives();
        for (int round = 0; round < 3; round++) {
            // Fill the receive queue, use half, and forget the rest: reset gives all slots back.
            for (int i = 0; i < receives; i++) {
                pair.right().postReceive(i, target, 64L * (i % 64), 64);
            }
            Payload.fill(source.segment(), 0, 64, round);
            pair.left().postSend(100 + round, source, 0, 64);
            assertThat(pair.right().receives().takeSuccesses(1).getFirst().id()).isZero();
            assertThat(pair.left().sends().takeSuccesses(1).getFirst().id()).isEqualTo(100 + round);
            Payload.assertHolds(target.segment(), 0, 64, round);

            pair.left().queuePair().modify(QueuePairAttributes.to(QueuePairState.RESET));
            pair.right().queuePair().modify(QueuePairAttributes.to(QueuePairState.RESET));
            pair.right().receives().drain();
            pair.left().sends().drain();
            pair.modifyToReadyToSend(7 + round, 0xffffff - round);
        }
    }

    @Test
    void losesItsStateWithItsLife() throws Exception {
        Fixture fixture = new Fixture();
        fixture.bringTo(QueuePairState.INIT);

        fixture.queuePair.close();
        fixture.queuePair.close();

        assertThatThrownBy(() ->
                        fixture.queuePair.modify(QueuePairAttributes.to(QueuePairState.RESET)))
                .isInstanceOfAny(IllegalStateException.class, VerbsException.class);
    }

    /// A queue pair that is its own peer.
    private final class Fixture {
        private final Context context = openContext();
        private final Path path = Path.toItself(context);
        private final PairEnd end =
                closing(
                        new PairEnd(
                                context,
                                PairOptions.defaults(),
                                patience(),
                                ProtectionDomain::createQueuePair));
        private final QueuePair queuePair = end.queuePair();

        Fixture() throws Exception {}

        /// Takes it from RESET to a state by legal steps.
        void bringTo(QueuePairState state) throws Exception {
            switch (state) {
                case RESET -> {}
                case INIT, ERROR -> {
                    queuePair.modify(stepTo(QueuePairState.RESET, QueuePairState.INIT));
                    if (state == QueuePairState.ERROR) {
                        queuePair.modify(QueuePairAttributes.to(QueuePairState.ERROR));
                    }
                }
                case READY_TO_RECEIVE -> {
                    bringTo(QueuePairState.INIT);
                    queuePair.modify(stepTo(QueuePairState.INIT, state));
                }
                case READY_TO_SEND -> {
                    bringTo(QueuePairState.READY_TO_RECEIVE);
                    queuePair.modify(stepTo(QueuePairState.READY_TO_RECEIVE, state));
                }
                case SEND_QUEUE_DRAINED -> {
                    bringTo(QueuePairState.READY_TO_SEND);
                    try {
                        queuePair.modify(QueuePairAttributes.to(state));
                    } catch (VerbsException e) {
                        skipUnless(false, "the device does not drain send queues: " + e);
                    }
                }
                case SEND_QUEUE_ERROR -> throw new IllegalArgumentException("nobody goes there");
            }
            assertThat(queuePair.state()).isEqualTo(state);
        }

        /// What a step needs, or just the state where there is no such step.
        QueuePairAttributes stepTo(QueuePairState from, QueuePairState to) {
            return switch (to) {
                case INIT -> path.toInit(PairEnd.fullAccess(context));
                case READY_TO_RECEIVE -> path.toReadyToReceive(queuePair.number(), SEQUENCE);
                case READY_TO_SEND ->
                        from == QueuePairState.READY_TO_RECEIVE
                                ? QueuePairAttributes.toReadyToSend(SEQUENCE)
                                : QueuePairAttributes.to(to);
                default -> QueuePairAttributes.to(to);
            };
        }
    }
}
