package io.rdmanet.bw.run;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/// Median, smallest and largest of some figures.
///
/// @param median the middle one; of an even number, the lower of the two in the middle, so that it
///   is a figure that was measured
/// @param min the smallest
/// @param max the largest
public record Statistics(double median, double min, double max) {
    /// Of at least one figure.
    public static Statistics of(double... figures) {
        if (figures.length == 0) {
            throw new IllegalArgumentException("no figures");
        }
        double[] sorted = figures.clone();
        Arrays.sort(sorted);
        return new Statistics(
                sorted[medianIndex(sorted.length)], sorted[0], sorted[sorted.length - 1]);
    }

    /// The item whose figure is the median.
    public static <T> T medianItem(List<T> items, ToDoubleFunction<T> figure) {
        List<T> sorted =
                items.stream()
                        .sorted((a, b) ->
                                Double.compare(figure.applyAsDouble(a), figure.applyAsDouble(b)))
                        .toList();
        return sorted.get(medianIndex(sorted.size()));
    }

    private static int medianIndex(int count) {
        return (count - 1) / 2;
    }
}
