package io.rdmanet.bw.report;

import java.util.ArrayList;
import java.util.List;

/// A table in plain text: columns as wide as they must be, two spaces apart.
public final class TextTable {
    /// On which side a column is filled up.
    public enum Align {
        LEFT,
        RIGHT
    }

    private static final String GAP = "  ";

    private final List<Align> alignment;
    private final List<List<String>> rows = new ArrayList<>();

    /// @param alignment of each column
    public TextTable(Align... alignment) {
        this.alignment = List.of(alignment);
    }

    /// A row with a cell for each column.
    public void row(String... cells) {
        if (cells.length != alignment.size()) {
            throw new IllegalArgumentException(
                    cells.length + " cells for " + alignment.size() + " columns");
        }
        rows.add(List.of(cells));
    }

    /// The lines, without trailing spaces.
    public List<String> lines() {
        int[] widths = new int[alignment.size()];
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        List<String> lines = new ArrayList<>();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                String cell = row.get(i);
                String padding = " ".repeat(widths[i] - cell.length());
                line.append(i == 0 ? "" : GAP)
                        .append(alignment.get(i) == Align.LEFT ? cell + padding : padding + cell);
            }
            lines.add(line.toString().stripTrailing());
        }
        return lines;
    }
}
