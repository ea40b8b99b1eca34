package io.rdmanet.bw.command;

import io.rdmanet.bw.run.Buffers;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// A size on the command line: bytes, or with a suffix KiB (`k`) or MiB (`m`).
final class ByteSize implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
        return parse(text);
    }

    static int parse(String text) {
        String digits = text.toLowerCase(Locale.ROOT);
        int shift = 0;
        if (digits.endsWith("k")) {
            shift = 10;
        } else if (digits.endsWith("m")) {
            shift = 20;
        }
        if (shift > 0) {
            digits = digits.substring(0, digits.length() - 1);
        }
        // Nothing but digits, so that neither a sign nor another alphabet's digits slip through.
        if (!digits.matches("[0-9]{1,12}")) {
            throw new TypeConversionException(
                    "'" + text + "' is not a size: give bytes, or a number with k or m, like 64k");
        }
        long bytes = Long.parseLong(digits) << shift;
        if (bytes < 1 || bytes > Buffers.MAX_MESSAGE_BYTES) {
            throw new TypeConversionException(
                    "'" + text + "' is out of range: 1 to " + Buffers.MAX_MESSAGE_BYTES + " bytes");
        }
        return (int) bytes;
    }
}
