package io.rdmanet.bench.end;

import java.util.List;

/// The fields of an errand, after its name, in order: each call takes the next one.
final class Words {
    private final List<String> fields;
    private int next = 1;

    /// @param fields the errand's name, then its arguments
    Words(List<String> fields) {
        this.fields = fields;
    }

    String text() {
        if (next == fields.size()) {
            throw new IllegalArgumentException("too few arguments: " + fields);
        }
        return fields.get(next++);
    }

    int number() {
        return Integer.parseInt(text());
    }

    long big() {
        return Long.parseLong(text());
    }

    boolean yes() {
        return Boolean.parseBoolean(text());
    }
}
