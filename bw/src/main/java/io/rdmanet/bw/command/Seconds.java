package io.rdmanet.bw.command;

import java.math.BigDecimal;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// A time on the command line: seconds, with decimals if need be.
final class Seconds implements ITypeConverter<Duration> {
    private static final BigDecimal MOST = BigDecimal.valueOf(1_000_000);

    @Override
    public Duration convert(String text) {
        if (!text.matches("[0-9]{1,7}(\\.[0-9]{1,9})?|\\.[0-9]{1,9}")) {
            throw new TypeConversionException(
                    "'" + text + "' is not a time: give seconds, like 5 or 0.5");
        }
        BigDecimal seconds = new BigDecimal(text);
        if (seconds.compareTo(MOST) > 0) {
            throw new TypeConversionException(
                    "'" + text + "' is out of range: up to " + MOST + " seconds");
        }
        return Duration.ofNanos(seconds.movePointRight(9).longValueExact());
    }
}
