package io.rdmanet.loopback.link;

/// Something that only the target's own process can do: a copy from or to memory that is not
/// shared, or an atomic on it. The hub carries it and gives no meaning to its fields.
///
/// @param code which operation, 0 to 65535
/// @param queuePairNumber the target's queue pair, whose rights decide
/// @param remoteKey the target's memory region
/// @param address where in it
/// @param length how many bytes
/// @param firstOperand for instance what to compare or add, or where the data is staged
/// @param secondOperand for instance what to swap in
public record RemoteOperation(
        int code,
        int queuePairNumber,
        int remoteKey,
        long address,
        long length,
        long firstOperand,
        long secondOperand) {
    private static final int MAX_CODE = 0xffff;

    public RemoteOperation {
        if (code < 0 || code > MAX_CODE) {
            throw new IllegalArgumentException("code must be 0 to 65535, is " + code);
        }
    }
}
