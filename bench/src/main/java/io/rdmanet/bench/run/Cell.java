package io.rdmanet.bench.run;

/// One place in the table.
///
/// @param subject its label
/// @param size bytes of each message
public record Cell(String subject, int size) {
    @Override
    public String toString() {
        return subject + ", " + size + " bytes";
    }
}
