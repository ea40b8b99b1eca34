package io.rdmanet.verbs;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What [QueuePair#modify] changes (`struct ibv_qp_attr` with its mask): those attributes that were
/// set, and no others. Immutable; each `with` method returns a changed copy.
///
/// ```
/// queuePair.modify(QueuePairAttributes.toInit(1, access));
/// queuePair.modify(QueuePairAttributes.toReadyToReceive(path, mtu, peerNumber, peerPsn));
/// queuePair.modify(QueuePairAttributes.toReadyToSend(ownPsn));
/// ```
public final class QueuePairAttributes {
    /// 4.096 us * 2^14 = 67 ms until a lost packet is sent again.
    public static final int DEFAULT_TIMEOUT_EXPONENT = 14;

    /// Retries after a lost packet. Not 7: on Soft-RoCE that means for ever, and a sender to a dead
    /// peer would hang.
    public static final int DEFAULT_RETRY_COUNT = 6;

    /// Retries when the peer has no receive posted: 7 means for ever.
    public static final int DEFAULT_RNR_RETRY_COUNT = 7;

    /// The code of 0.64 ms (InfiniBand specification, table 45).
    public static final int DEFAULT_MIN_RNR_TIMER = 12;

    /// An attribute of a queue pair (`enum ibv_qp_attr_mask`).
    public enum Attribute {
        STATE,
        ACCESS_FLAGS,
        PARTITION_KEY_INDEX,
        PORT_NUMBER,
        QUEUE_KEY,
        ADDRESS_VECTOR,
        PATH_MTU,
        DESTINATION_QUEUE_PAIR_NUMBER,
        RECEIVE_PACKET_SEQUENCE_NUMBER,
        MAX_DESTINATION_READ_ATOMIC,
        MIN_RNR_TIMER,
        TIMEOUT,
        RETRY_COUNT,
        RNR_RETRY_COUNT,
        SEND_PACKET_SEQUENCE_NUMBER,
        MAX_READ_ATOMIC
    }

    private final Set<Attribute> present;
    private final @Nullable QueuePairState state;
    private final @Nullable AddressVector addressVector;
    private final @Nullable PathMtu pathMtu;
    private final Map<Attribute, Integer> numbers;

    private QueuePairAttributes(
            Set<Attribute> present,
            @Nullable QueuePairState state,
            @Nullable AddressVector addressVector,
            @Nullable PathMtu pathMtu,
            Map<Attribute, Integer> numbers) {
        this.present = present;
        this.state = state;
        this.addressVector = addressVector;
        this.pathMtu = pathMtu;
        this.numbers = numbers;
    }

    /// No attribute at all.
    public static QueuePairAttributes none() {
        return new QueuePairAttributes(
                EnumSet.noneOf(Attribute.class), null, null, null, new EnumMap<>(Attribute.class));
    }

    /// Just a state, for RESET, ERROR and the like.
    public static QueuePairAttributes to(QueuePairState state) {
        return none().withState(state);
    }

    /// RESET to INIT for a connected queue pair.
    public static QueuePairAttributes toInit(int portNumber, Set<AccessFlag> access) {
        return to(QueuePairState.INIT)
                .with(Attribute.PARTITION_KEY_INDEX, 0)
                .with(Attribute.PORT_NUMBER, portNumber)
                .with(Attribute.ACCESS_FLAGS, AccessFlag.mask(access));
    }

    /// INIT to READY_TO_RECEIVE for a reliable connection, with this class's defaults and 1 RDMA
    /// READ or atomic in flight from the peer.
    public static QueuePairAttributes toReadyToReceive(
            AddressVector path, PathMtu mtu, int destinationNumber, int receivePacketSequence) {
        return to(QueuePairState.READY_TO_RECEIVE)
                .withAddressVector(path)
                .withPathMtu(mtu)
                .with(Attribute.DESTINATION_QUEUE_PAIR_NUMBER, destinationNumber)
                .with(Attribute.RECEIVE_PACKET_SEQUENCE_NUMBER, receivePacketSequence)
                .with(Attribute.MAX_DESTINATION_READ_ATOMIC, 1)
                .with(Attribute.MIN_RNR_TIMER, DEFAULT_MIN_RNR_TIMER);
    }

    /// READY_TO_RECEIVE to READY_TO_SEND for a reliable connection, with this class's defaults and
    /// 1 RDMA READ or atomic in flight.
    public static QueuePairAttributes toReadyToSend(int sendPacketSequence) {
        return to(QueuePairState.READY_TO_SEND)
                .with(Attribute.TIMEOUT, DEFAULT_TIMEOUT_EXPONENT)
                .with(Attribute.RETRY_COUNT, DEFAULT_RETRY_COUNT)
                .with(Attribute.RNR_RETRY_COUNT, DEFAULT_RNR_RETRY_COUNT)
                .with(Attribute.SEND_PACKET_SEQUENCE_NUMBER, sendPacketSequence)
                .with(Attribute.MAX_READ_ATOMIC, 1);
    }

    /// RESET to INIT for a queue pair of datagrams.
    ///
    /// @param queueKey what datagrams to it must carry; without the highest bit, which is for
    ///   privileged programs
    public static QueuePairAttributes toDatagramInit(int portNumber, int queueKey) {
        return to(QueuePairState.INIT)
                .with(Attribute.PARTITION_KEY_INDEX, 0)
                .with(Attribute.PORT_NUMBER, portNumber)
                .with(Attribute.QUEUE_KEY, queueKey);
    }

    /// INIT to READY_TO_RECEIVE for a queue pair of datagrams: there is no peer to name.
    public static QueuePairAttributes toDatagramReadyToReceive() {
        return to(QueuePairState.READY_TO_RECEIVE);
    }

    /// READY_TO_RECEIVE to READY_TO_SEND for a queue pair of datagrams.
    public static QueuePairAttributes toDatagramReadyToSend(int sendPacketSequence) {
        return to(QueuePairState.READY_TO_SEND)
                .with(Attribute.SEND_PACKET_SEQUENCE_NUMBER, sendPacketSequence);
    }

    /// A copy with a state.
    public QueuePairAttributes withState(QueuePairState newState) {
        return new QueuePairAttributes(
                presentAnd(Attribute.STATE), newState, addressVector, pathMtu, numbers);
    }

    /// A copy with the way to the peer.
    public QueuePairAttributes withAddressVector(AddressVector vector) {
        return new QueuePairAttributes(
                presentAnd(Attribute.ADDRESS_VECTOR), state, vector, pathMtu, numbers);
    }

    /// A copy with a path MTU.
    public QueuePairAttributes withPathMtu(PathMtu mtu) {
        return new QueuePairAttributes(
                presentAnd(Attribute.PATH_MTU), state, addressVector, mtu, numbers);
    }

    /// A copy with one of the attributes that are numbers.
    ///
    /// @throws IllegalArgumentException for state, address vector and path MTU
    public QueuePairAttributes with(Attribute attribute, int value) {
        requireNumber(attribute);
        Map<Attribute, Integer> changed = new EnumMap<>(numbers);
        changed.put(attribute, value);
        return new QueuePairAttributes(
                presentAnd(attribute), state, addressVector, pathMtu, changed);
    }

    /// A copy with everything that `other` has set in place of what this has.
    public QueuePairAttributes mergedWith(QueuePairAttributes other) {
        Set<Attribute> union = presentAnd(Attribute.STATE);
        union.addAll(other.present);
        if (!has(Attribute.STATE) && !other.has(Attribute.STATE)) {
            union.remove(Attribute.STATE);
        }
        Map<Attribute, Integer> merged = new EnumMap<>(numbers);
        merged.putAll(other.numbers);
        return new QueuePairAttributes(
                union,
                other.state == null ? state : other.state,
                other.addressVector == null ? addressVector : other.addressVector,
                other.pathMtu == null ? pathMtu : other.pathMtu,
                merged);
    }

    /// Whether an attribute is set.
    public boolean has(Attribute attribute) {
        return present.contains(attribute);
    }

    /// The attributes that are set; a fresh set.
    public Set<Attribute> present() {
        Set<Attribute> copy = EnumSet.noneOf(Attribute.class);
        copy.addAll(present);
        return copy;
    }

    /// The state.
    ///
    /// @throws IllegalStateException if it is not set
    public QueuePairState state() {
        return requireSet(state, Attribute.STATE);
    }

    /// The way to the peer.
    ///
    /// @throws IllegalStateException if it is not set
    public AddressVector addressVector() {
        return requireSet(addressVector, Attribute.ADDRESS_VECTOR);
    }

    /// The path MTU.
    ///
    /// @throws IllegalStateException if it is not set
    public PathMtu pathMtu() {
        return requireSet(pathMtu, Attribute.PATH_MTU);
    }

    /// One of the attributes that are numbers.
    ///
    /// @throws IllegalStateException if it is not set
    public int number(Attribute attribute) {
        requireNumber(attribute);
        return requireSet(numbers.get(attribute), attribute);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof QueuePairAttributes that
                && present.equals(that.present)
                && state == that.state
                && Objects.equals(addressVector, that.addressVector)
                && pathMtu == that.pathMtu
                && numbers.equals(that.numbers);
    }

    @Override
    public int hashCode() {
        return Objects.hash(present, state, addressVector, pathMtu, numbers);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("QueuePairAttributes[");
        String separator = "";
        for (Attribute attribute : present) {
            text.append(separator).append(attribute).append('=');
            switch (attribute) {
                case STATE -> text.append(state);
                case ADDRESS_VECTOR -> text.append(addressVector);
                case PATH_MTU -> text.append(pathMtu);
                default -> text.append(numbers.get(attribute));
            }
            separator = ", ";
        }
        return text.append(']').toString();
    }

    private Set<Attribute> presentAnd(Attribute attribute) {
        Set<Attribute> more = present();
        more.add(attribute);
        return more;
    }

    private static <T> T requireSet(@Nullable T value, Attribute attribute) {
        if (value == null) {
            throw new IllegalStateException(attribute + " is not set");
        }
        return value;
    }

    private static void requireNumber(Attribute attribute) {
        switch (attribute) {
            case STATE, ADDRESS_VECTOR, PATH_MTU ->
                    throw new IllegalArgumentException(attribute + " is not a number");
            default -> {}
        }
    }
}
