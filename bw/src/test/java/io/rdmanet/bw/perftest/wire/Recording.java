package io.rdmanet.bw.perftest.wire;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// What two C tools said to each other over TCP, from a pcap file: Ethernet, IPv4, TCP.
///
/// @param messages in the order they travelled
public record Recording(List<Message> messages) {
    private static final int FILE_HEADER_BYTES = 24;
    private static final int RECORD_HEADER_BYTES = 16;
    private static final int ETHERNET_BYTES = 14;
    private static final int FAREWELL_BYTES = 5;

    /// One message.
    ///
    /// @param isFromClient who sent it
    @SuppressWarnings("ArrayRecordComponent") // Nobody compares two.
    public record Message(boolean isFromClient, byte[] bytes) {}

    /// Reads one of the files in the test resources.
    public static Recording of(String name) {
        try (InputStream file =
                Recording.class.getResourceAsStream("/perftest/" + name + ".pcap")) {
            return parse(requireNonNull(file, name).readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Recording parse(byte[] bytes) {
        ByteBuffer file = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        List<Message> messages = new ArrayList<>();
        int offset = FILE_HEADER_BYTES;
        int clientPort = 0;
        while (offset < file.limit()) {
            int length = file.getInt(offset + 8);
            int ip = offset + RECORD_HEADER_BYTES + ETHERNET_BYTES;
            offset += RECORD_HEADER_BYTES + length;
            int tcp = ip + (file.get(ip) & 0xf) * 4;
            int end = ip + networkShort(file, ip + 2);
            int payload = tcp + ((file.get(tcp + 12) >> 4) & 0xf) * 4;
            if (payload < end) {
                // The client speaks first.
                int port = networkShort(file, tcp);
                clientPort = clientPort == 0 ? port : clientPort;
                boolean isFromClient = port == clientPort;
                messages.add(new Message(isFromClient, Arrays.copyOfRange(bytes, payload, end)));
            }
        }
        return new Recording(messages);
    }

    private static int networkShort(ByteBuffer file, int offset) {
        return Short.toUnsignedInt(Short.reverseBytes(file.getShort(offset)));
    }

    /// Whether this is the word that both tools send last and that nobody reads.
    public static boolean isFarewell(byte[] message) {
        return message.length == FAREWELL_BYTES;
    }

    /// What one end sent, but the farewell.
    public List<byte[]> sentBy(boolean client) {
        return messages.stream()
                .filter(message -> message.isFromClient == client && !isFarewell(message.bytes))
                .map(Message::bytes)
                .toList();
    }

    /// The different key messages of one end.
    public KeyMessage[] keys(boolean client) throws IOException {
        List<KeyMessage> keys = new ArrayList<>();
        for (byte[] message : sentBy(client)) {
            if (message.length == KeyMessageDescriptor.LENGTH) {
                KeyMessage key = KeyMessageDescriptor.decode(message);
                if (!keys.contains(key)) {
                    keys.add(key);
                }
            }
        }
        return keys.toArray(KeyMessage[]::new);
    }
}
