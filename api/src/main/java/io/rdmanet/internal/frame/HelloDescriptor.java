package io.rdmanet.internal.frame;

import io.rdmanet.ConnOptions;
import io.rdmanet.RawOptions;
import io.rdmanet.internal.setup.HandshakeRecordDescriptor;
import io.rdmanet.internal.setup.Role;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// The record with which both ends introduce themselves, in band: the payload of the first frame
/// each way, whose header is [#HEADER]. 64 bytes in network order.
///
/// ```
///        0        2        4                 8        10       12                15
///       +-----------------------------------+--------+--------+-----------------+
///     0 | magic "RDMANET\0"                 | version| role   | features        |
///       +-----------------+-----------------+--------+--------+-----------------+
///       | MESSAGE                                                               |
///    16 | slot bytes      | depth           | max message     | control| 0      |
///    32 | 0                                                                     |
///    48 | 0                                                                     |
///       +-----------------------------------+-----------------+-----------------+
///       | RAW                                                                   |
///    16 | region address                    | region key      | transmit depth  |
///    32 | region length                     | max message     | buffer count    |
///    48 | verbs           | keeps           | 0                                 |
///       +-----------------+-----------------+-----------------------------------+
/// ```
///
/// - features: bits of what the sender can do beyond its version; unknown ones are ignored
/// - control: control frames the sender reserved receives for
/// - verbs: bits, 1 << ordinal of [io.rdmanet.RawVerb], that the dialling end may use
/// - keeps: 1 if messages are kept until they were looked at, 0 if not ([io.rdmanet.RawOptions])
///
/// Every later version keeps the first 12 bytes, so that ends of different versions can tell.
/// Versions before 3 had no immediate data: their record lay behind a header of 8 bytes, which is
/// how they are known.
public final class HelloDescriptor {
    /// Bytes of a record.
    public static final int LENGTH = 64;

    /// The header of the frame that carries it: it returns and acknowledges nothing.
    public static final int HEADER = FrameDescriptor.encode(FrameFlags.HELLO, 0, 0);

    /// `RDMANET\0` as a number.
    public static final long MAGIC = 0x52_44_4d_41_4e_45_54_00L;

    /// The version this implementation speaks, here and before connections are made.
    public static final int VERSION = HandshakeRecordDescriptor.VERSION;

    /// The fewest control receives an end may announce: two for credits, one each for
    /// acknowledgements and for the end.
    public static final int MIN_CONTROL_WINDOW = 4;

    private static final int FORMER_HEADER_LENGTH = 8;

    private static final int MAGIC_OFFSET = 0;
    private static final int VERSION_OFFSET = 8;
    private static final int ROLE_OFFSET = 10;
    private static final int FEATURES_OFFSET = 12;

    private static final int SLOT_BYTES_OFFSET = 16;
    private static final int DEPTH_OFFSET = 20;
    private static final int MAX_MESSAGE_OFFSET = 24;
    private static final int CONTROL_WINDOW_OFFSET = 28;

    private static final int REGION_ADDRESS_OFFSET = 16;
    private static final int REGION_KEY_OFFSET = 24;
    private static final int TRANSMIT_DEPTH_OFFSET = 28;
    private static final int REGION_LENGTH_OFFSET = 32;
    private static final int RAW_MAX_MESSAGE_OFFSET = 40;
    private static final int BUFFER_COUNT_OFFSET = 44;
    private static final int VERBS_OFFSET = 48;
    private static final int KEEPS_OFFSET = 52;

    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfLong LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private HelloDescriptor() {}

    /// What an end of a message connection tells the other.
    ///
    /// @param features bits of what it can do
    /// @param slotBytes payload its receive slots take
    /// @param depth data frames it has receives for
    /// @param maxMessageBytes the longest message it takes
    /// @param controlWindow control frames it has receives for
    public record MessageHello(
            int features, int slotBytes, int depth, int maxMessageBytes, int controlWindow) {}

    /// What an end of a raw connection tells the other.
    ///
    /// @param features bits of what it can do
    /// @param regionAddress where its region begins
    /// @param regionKey the key to reach it by
    /// @param regionLength its length in bytes
    /// @param transmitDepth sends that the dialling end keeps in flight
    /// @param maxMessageBytes the longest message
    /// @param bufferCount buffers in its region
    /// @param keepsMessages whether messages are kept until they were looked at
    /// @param verbs bits of the verbs that may be used
    public record RawHello(
            int features,
            long regionAddress,
            int regionKey,
            long regionLength,
            int transmitDepth,
            int maxMessageBytes,
            int bufferCount,
            boolean keepsMessages,
            int verbs) {}

    /// Writes the record of a message connection.
    ///
    /// @param offset of the record
    public static void write(MemorySegment memory, long offset, MessageHello hello) {
        writePreamble(memory, offset, Role.MESSAGE, hello.features());
        memory.set(INT, offset + SLOT_BYTES_OFFSET, hello.slotBytes());
        memory.set(INT, offset + DEPTH_OFFSET, hello.depth());
        memory.set(INT, offset + MAX_MESSAGE_OFFSET, hello.maxMessageBytes());
        memory.set(SHORT, offset + CONTROL_WINDOW_OFFSET, (short) hello.controlWindow());
    }

    /// Writes the record of a raw connection.
    ///
    /// @param offset of the record
    public static void write(MemorySegment memory, long offset, RawHello hello) {
        writePreamble(memory, offset, Role.RAW, hello.features());
        memory.set(LONG, offset + REGION_ADDRESS_OFFSET, hello.regionAddress());
        memory.set(INT, offset + REGION_KEY_OFFSET, hello.regionKey());
        memory.set(INT, offset + TRANSMIT_DEPTH_OFFSET, hello.transmitDepth());
        memory.set(LONG, offset + REGION_LENGTH_OFFSET, hello.regionLength());
        memory.set(INT, offset + RAW_MAX_MESSAGE_OFFSET, hello.maxMessageBytes());
        memory.set(INT, offset + BUFFER_COUNT_OFFSET, hello.bufferCount());
        memory.set(INT, offset + VERBS_OFFSET, hello.verbs());
        memory.set(INT, offset + KEEPS_OFFSET, hello.keepsMessages() ? 1 : 0);
    }

    /// What makes a first frame unacceptable to an end of a role, or an empty string. Both ends
    /// find the same fault, so both refuse.
    ///
    /// @param hasHeader whether immediate data came with it
    /// @param header the immediate data; ignored if there is none
    /// @param memory where the frame lies
    /// @param offset where it begins
    /// @param byteLength how many bytes the device says arrived
    /// @param own the role of this end
    public static String fault(
            boolean hasHeader,
            int header,
            MemorySegment memory,
            long offset,
            int byteLength,
            Role own) {
        if (!hasHeader && isFormer(memory, offset, byteLength)) {
            return versionFault(
                    memory.get(SHORT, offset + FORMER_HEADER_LENGTH + VERSION_OFFSET) & 0xffff);
        }
        if (byteLength != LENGTH) {
            return "the first frame is no hello: "
                    + byteLength
                    + " bytes arrived, not "
                    + LENGTH
                    + "; the peer is no rdmanet";
        }
        long magic = memory.get(LONG, offset + MAGIC_OFFSET);
        if (!hasHeader || header != HEADER || magic != MAGIC) {
            return "the first frame is no hello: "
                    + (hasHeader ? "header 0x" + Integer.toHexString(header) : "no header")
                    + ", magic 0x"
                    + Long.toHexString(magic)
                    + "; the peer is no rdmanet";
        }
        int version = memory.get(SHORT, offset + VERSION_OFFSET) & 0xffff;
        if (version != VERSION) {
            return versionFault(version);
        }
        int role = memory.get(SHORT, offset + ROLE_OFFSET) & 0xffff;
        if (role != own.code()) {
            return "the peer opened a "
                    + Role.describe(role)
                    + " connection, this end a "
                    + Role.describe(own.code())
                    + " connection; use the same kind on both ends";
        }
        return own == Role.MESSAGE ? messageFault(memory, offset) : rawFault(memory, offset);
    }

    private static boolean isFormer(MemorySegment memory, long offset, int byteLength) {
        return byteLength == FORMER_HEADER_LENGTH + LENGTH
                && memory.get(LONG, offset + FORMER_HEADER_LENGTH + MAGIC_OFFSET) == MAGIC;
    }

    private static String versionFault(int version) {
        return "the peer speaks version "
                + version
                + ", this end version "
                + VERSION
                + "; use the same release on both ends";
    }

    /// Reads the record of a message connection in which [#fault] found nothing.
    ///
    /// @param offset of the record
    public static MessageHello readMessage(MemorySegment memory, long offset) {
        return new MessageHello(
                memory.get(INT, offset + FEATURES_OFFSET),
                memory.get(INT, offset + SLOT_BYTES_OFFSET),
                memory.get(INT, offset + DEPTH_OFFSET),
                memory.get(INT, offset + MAX_MESSAGE_OFFSET),
                memory.get(SHORT, offset + CONTROL_WINDOW_OFFSET) & 0xffff);
    }

    /// Reads the record of a raw connection in which [#fault] found nothing.
    ///
    /// @param offset of the record
    public static RawHello readRaw(MemorySegment memory, long offset) {
        return new RawHello(
                memory.get(INT, offset + FEATURES_OFFSET),
                memory.get(LONG, offset + REGION_ADDRESS_OFFSET),
                memory.get(INT, offset + REGION_KEY_OFFSET),
                memory.get(LONG, offset + REGION_LENGTH_OFFSET),
                memory.get(INT, offset + TRANSMIT_DEPTH_OFFSET),
                memory.get(INT, offset + RAW_MAX_MESSAGE_OFFSET),
                memory.get(INT, offset + BUFFER_COUNT_OFFSET),
                memory.get(INT, offset + KEEPS_OFFSET) != 0,
                memory.get(INT, offset + VERBS_OFFSET));
    }

    private static void writePreamble(MemorySegment memory, long offset, Role role, int features) {
        memory.asSlice(offset, LENGTH).fill((byte) 0);
        memory.set(LONG, offset + MAGIC_OFFSET, MAGIC);
        memory.set(SHORT, offset + VERSION_OFFSET, (short) VERSION);
        memory.set(SHORT, offset + ROLE_OFFSET, (short) role.code());
        memory.set(INT, offset + FEATURES_OFFSET, features);
    }

    private static String messageFault(MemorySegment memory, long record) {
        MessageHello hello = readMessage(memory, record);
        String fault =
                rangeFault(
                        "slot bytes",
                        hello.slotBytes(),
                        ConnOptions.MIN_SLOT_BYTES,
                        ConnOptions.MAX_SLOT_BYTES);
        if (fault.isEmpty()) {
            fault = rangeFault("depth", hello.depth(), 1, ConnOptions.MAX_DEPTH);
        }
        if (fault.isEmpty()) {
            fault = rangeFault("max message", hello.maxMessageBytes(), 1, Integer.MAX_VALUE);
        }
        return fault.isEmpty()
                ? rangeFault(
                        "control window",
                        hello.controlWindow(),
                        MIN_CONTROL_WINDOW,
                        FrameDescriptor.MAX_CONTROL_ACKS)
                : fault;
    }

    private static String rawFault(MemorySegment memory, long record) {
        RawHello hello = readRaw(memory, record);
        String fault =
                rangeFault(
                        "transmit depth", hello.transmitDepth(), 1, RawOptions.MAX_TRANSMIT_DEPTH);
        if (fault.isEmpty()) {
            fault =
                    rangeFault(
                            "max message",
                            hello.maxMessageBytes(),
                            1,
                            RawOptions.MAX_MESSAGE_BYTES);
        }
        if (fault.isEmpty()) {
            fault = rangeFault("buffer count", hello.bufferCount(), 1, hello.transmitDepth());
        }
        if (fault.isEmpty()) {
            fault = rangeFault("keeping", memory.get(INT, record + KEEPS_OFFSET), 0, 1);
        }
        return fault.isEmpty() && hello.regionLength() < 0
                ? "the peer announced a region of a negative length: " + hello.regionLength()
                : fault;
    }

    private static String rangeFault(String name, int value, int min, int max) {
        return value >= min && value <= max
                ? ""
                : "the peer announced " + name + " " + value + ", allowed is " + min + " to " + max;
    }
}
