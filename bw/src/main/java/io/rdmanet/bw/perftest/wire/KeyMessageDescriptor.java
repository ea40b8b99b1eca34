package io.rdmanet.bw.perftest.wire;

import io.rdmanet.ProtocolViolationException;
import io.rdmanet.verbs.GlobalIdentifier;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Layout of a key message: lower-case hexadecimal fields of fixed widths, separated by colons.
///
/// ```
/// LID  reads QPN    PSN    rkey     address          GID, 16 bytes           SRQN
/// 0000:0001:000011:8eb143:0000026e:000055d0e678e000:00:00: ... :09:00:01:00000000:\0
/// 0    5    10     17     24       33               50                   98       107
/// ```
///
/// 108 bytes with the last colon and the NUL, on which the C tools insist. Without a GID, as they
/// send it on InfiniBand unless told `-x`, it has 59 bytes and no last colon; the two forms do not
/// understand each other, and this end has the first one only.
public final class KeyMessageDescriptor {
    /// Bytes of the form with a GID.
    public static final int LENGTH = 108;

    /// Bytes of the form without.
    public static final int LENGTH_WITHOUT_GID = 59;

    private static final int NUMBER_MASK = 0xffffff;

    private static final Pattern FORM =
            Pattern.compile(
                    "([0-9a-f]{4}):([0-9a-f]{4}):([0-9a-f]{6}):([0-9a-f]{6}):([0-9a-f]{8}):"
                            + "([0-9a-f]{16}):((?:[0-9a-f]{2}:){16})([0-9a-f]{8}):\0");

    private KeyMessageDescriptor() {}

    /// A message as it travels.
    public static byte[] encode(KeyMessage message) {
        String gid = HexFormat.ofDelimiter(":").formatHex(message.gid().toBytes());
        return String.format(
                        Locale.ROOT,
                        "%04x:%04x:%06x:%06x:%08x:%016x:%s:%08x:\0",
                        message.localIdentifier() & 0xffff,
                        message.outstandingReads() & 0xffff,
                        message.queuePairNumber() & NUMBER_MASK,
                        message.packetSequence() & NUMBER_MASK,
                        message.remoteKey(),
                        message.address(),
                        gid,
                        message.sharedReceiveQueue())
                .getBytes(StandardCharsets.US_ASCII);
    }

    /// The peer's message.
    ///
    /// @throws ProtocolViolationException if it is none
    public static KeyMessage decode(byte[] message) throws ProtocolViolationException {
        String text = new String(message, StandardCharsets.ISO_8859_1);
        Matcher fields = FORM.matcher(text);
        if (!fields.matches()) {
            throw new ProtocolViolationException(
                    "expected a key message of "
                            + LENGTH
                            + " bytes, got '"
                            + text.replaceAll("[^ -~]", ".")
                            + "': is the peer the same tool (ib_send_bw, ib_write_bw, ib_read_bw,"
                            + " ib_send_lat), with the same options?");
        }
        return new KeyMessage(
                Integer.parseInt(fields.group(1), 16),
                Integer.parseInt(fields.group(2), 16),
                Integer.parseInt(fields.group(3), 16),
                Integer.parseInt(fields.group(4), 16),
                Integer.parseUnsignedInt(fields.group(5), 16),
                Long.parseUnsignedLong(fields.group(6), 16),
                GlobalIdentifier.of(HexFormat.of().parseHex(fields.group(7).replace(":", ""))),
                Integer.parseUnsignedInt(fields.group(8), 16));
    }

    /// Whether the first [#LENGTH_WITHOUT_GID] bytes are a whole message already: then the peer
    /// sends no GID, and no more bytes.
    public static boolean isWithoutGid(byte[] beginning) {
        byte[] last = Arrays.copyOfRange(beginning, 49, LENGTH_WITHOUT_GID);
        return new String(last, StandardCharsets.ISO_8859_1).matches(":[0-9a-f]{8}\0");
    }
}
