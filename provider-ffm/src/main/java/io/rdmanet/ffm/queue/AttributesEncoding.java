package io.rdmanet.ffm.queue;

import io.rdmanet.ffm.c.AddressVectorDescriptor;
import io.rdmanet.ffm.c.NativeMemory;
import io.rdmanet.ffm.c.QueuePairAttributesDescriptor;
import io.rdmanet.verbs.AddressVector;
import io.rdmanet.verbs.PathMtu;
import io.rdmanet.verbs.QueuePairAttributes;
import io.rdmanet.verbs.QueuePairAttributes.Attribute;
import io.rdmanet.verbs.QueuePairState;
import io.rdmanet.verbs.QueuePairType;
import java.util.List;

/// Attributes of a queue pair, between Java and `struct ibv_qp_attr`.
final class AttributesEncoding {
    /// An attribute that is a number: its bit in the mask, its offset, its width in bytes.
    private record Field(Attribute attribute, int mask, int offset, int bytes) {}

    private static final List<Field> NUMBERS =
            List.of(
                    new Field(
                            Attribute.ACCESS_FLAGS,
                            QueuePairAttributesDescriptor.MASK_ACCESS_FLAGS,
                            QueuePairAttributesDescriptor.ACCESS_FLAGS,
                            Integer.BYTES),
                    new Field(
                            Attribute.PARTITION_KEY_INDEX,
                            QueuePairAttributesDescriptor.MASK_PARTITION_KEY_INDEX,
                            QueuePairAttributesDescriptor.PARTITION_KEY_INDEX,
                            Short.BYTES),
                    new Field(
                            Attribute.PORT_NUMBER,
                            QueuePairAttributesDescriptor.MASK_PORT,
                            QueuePairAttributesDescriptor.PORT_NUMBER,
                            Byte.BYTES),
                    new Field(
                            Attribute.QUEUE_KEY,
                            QueuePairAttributesDescriptor.MASK_QUEUE_KEY,
                            QueuePairAttributesDescriptor.QUEUE_KEY,
                            Integer.BYTES),
                    new Field(
                            Attribute.DESTINATION_QUEUE_PAIR_NUMBER,
                            QueuePairAttributesDescriptor.MASK_DESTINATION_QUEUE_PAIR_NUMBER,
                            QueuePairAttributesDescriptor.DESTINATION_QUEUE_PAIR_NUMBER,
                            Integer.BYTES),
                    new Field(
                            Attribute.RECEIVE_PACKET_SEQUENCE_NUMBER,
                            QueuePairAttributesDescriptor.MASK_RECEIVE_PACKET_SEQUENCE_NUMBER,
                            QueuePairAttributesDescriptor.RECEIVE_PACKET_SEQUENCE_NUMBER,
                            Integer.BYTES),
                    new Field(
                            Attribute.MAX_DESTINATION_READ_ATOMIC,
                            QueuePairAttributesDescriptor.MASK_MAX_DESTINATION_READ_ATOMIC,
                            QueuePairAttributesDescriptor.MAX_DESTINATION_READ_ATOMIC,
                            Byte.BYTES),
                    new Field(
                            Attribute.MIN_RNR_TIMER,
                            QueuePairAttributesDescriptor.MASK_MIN_RNR_TIMER,
                            QueuePairAttributesDescriptor.MIN_RNR_TIMER,
                            Byte.BYTES),
                    new Field(
                            Attribute.TIMEOUT,
                            QueuePairAttributesDescriptor.MASK_TIMEOUT,
                            QueuePairAttributesDescriptor.TIMEOUT,
                            Byte.BYTES),
                    new Field(
                            Attribute.RETRY_COUNT,
                            QueuePairAttributesDescriptor.MASK_RETRY_COUNT,
                            QueuePairAttributesDescriptor.RETRY_COUNT,
                            Byte.BYTES),
                    new Field(
                            Attribute.RNR_RETRY_COUNT,
                            QueuePairAttributesDescriptor.MASK_RNR_RETRY,
                            QueuePairAttributesDescriptor.RNR_RETRY_COUNT,
                            Byte.BYTES),
                    new Field(
                            Attribute.SEND_PACKET_SEQUENCE_NUMBER,
                            QueuePairAttributesDescriptor.MASK_SEND_PACKET_SEQUENCE_NUMBER,
                            QueuePairAttributesDescriptor.SEND_PACKET_SEQUENCE_NUMBER,
                            Integer.BYTES),
                    new Field(
                            Attribute.MAX_READ_ATOMIC,
                            QueuePairAttributesDescriptor.MASK_MAX_READ_ATOMIC,
                            QueuePairAttributesDescriptor.MAX_READ_ATOMIC,
                            Byte.BYTES));

    private AttributesEncoding() {}

    /// Writes what is set.
    ///
    /// @param descriptor a [QueuePairAttributesDescriptor], zeroed
    /// @return the mask of what was written
    static int write(QueuePairAttributes attributes, long descriptor) {
        int mask = 0;
        if (attributes.has(Attribute.STATE)) {
            mask |= QueuePairAttributesDescriptor.MASK_STATE;
            NativeMemory.setInt(
                    descriptor + QueuePairAttributesDescriptor.STATE, attributes.state().code());
        }
        if (attributes.has(Attribute.PATH_MTU)) {
            mask |= QueuePairAttributesDescriptor.MASK_PATH_MTU;
            NativeMemory.setInt(
                    descriptor + QueuePairAttributesDescriptor.PATH_MTU,
                    attributes.pathMtu().code());
        }
        if (attributes.has(Attribute.ADDRESS_VECTOR)) {
            mask |= QueuePairAttributesDescriptor.MASK_ADDRESS_VECTOR;
            AddressVectorDescriptor.set(
                    descriptor + QueuePairAttributesDescriptor.ADDRESS_VECTOR,
                    attributes.addressVector());
        }
        for (Field field : NUMBERS) {
            if (attributes.has(field.attribute)) {
                mask |= field.mask;
                set(descriptor + field.offset, field.bytes, attributes.number(field.attribute));
            }
        }
        return mask;
    }

    /// What a queue pair of a type can be asked for.
    static int queryMask(QueuePairType type) {
        int mask = QueuePairAttributesDescriptor.MASK_STATE;
        if (type != QueuePairType.UNRELIABLE_DATAGRAM) {
            mask |= QueuePairAttributesDescriptor.MASK_PATH_MTU;
            mask |= QueuePairAttributesDescriptor.MASK_ADDRESS_VECTOR;
        }
        for (Field field : NUMBERS) {
            mask |= isOf(type, field.attribute) ? field.mask : 0;
        }
        return mask;
    }

    private static boolean isOf(QueuePairType type, Attribute attribute) {
        return switch (attribute) {
            case PARTITION_KEY_INDEX, PORT_NUMBER, SEND_PACKET_SEQUENCE_NUMBER -> true;
            case QUEUE_KEY -> type == QueuePairType.UNRELIABLE_DATAGRAM;
            case ACCESS_FLAGS, DESTINATION_QUEUE_PAIR_NUMBER, RECEIVE_PACKET_SEQUENCE_NUMBER ->
                    type != QueuePairType.UNRELIABLE_DATAGRAM;
            default -> type == QueuePairType.RELIABLE_CONNECTION;
        };
    }

    /// Reads what a query found. A path that was not set yet is left out.
    static QueuePairAttributes read(long descriptor, QueuePairType type) {
        QueuePairAttributes attributes =
                QueuePairAttributes.to(
                        QueuePairState.ofCode(
                                NativeMemory.intAt(
                                        descriptor + QueuePairAttributesDescriptor.STATE)));
        for (Field field : NUMBERS) {
            if (isOf(type, field.attribute)) {
                attributes =
                        attributes.with(
                                field.attribute, get(descriptor + field.offset, field.bytes));
            }
        }
        return type == QueuePairType.UNRELIABLE_DATAGRAM
                ? attributes
                : withPath(attributes, descriptor);
    }

    private static QueuePairAttributes withPath(QueuePairAttributes attributes, long descriptor) {
        QueuePairAttributes changed = attributes;
        int mtu = NativeMemory.intAt(descriptor + QueuePairAttributesDescriptor.PATH_MTU);
        if (mtu >= PathMtu.MTU_256.code() && mtu <= PathMtu.MTU_4096.code()) {
            changed = changed.withPathMtu(PathMtu.ofCode(mtu));
        }
        AddressVector way =
                AddressVectorDescriptor.get(
                        descriptor + QueuePairAttributesDescriptor.ADDRESS_VECTOR);
        boolean isSet = !way.destinationGid().isZero() || way.destinationLocalIdentifier() != 0;
        return isSet ? changed.withAddressVector(way) : changed;
    }

    private static void set(long address, int bytes, int value) {
        switch (bytes) {
            case Byte.BYTES -> NativeMemory.setByte(address, value);
            case Short.BYTES -> NativeMemory.setShort(address, value);
            default -> NativeMemory.setInt(address, value);
        }
    }

    private static int get(long address, int bytes) {
        return switch (bytes) {
            case Byte.BYTES -> NativeMemory.unsignedByteAt(address);
            case Short.BYTES -> NativeMemory.unsignedShortAt(address);
            default -> NativeMemory.intAt(address);
        };
    }
}
