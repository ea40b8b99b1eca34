package io.rdmanet.ffm.c;

/// What a C function gave: a number, an address or a file descriptor if it succeeded, the negative
/// error number (-1 to -4095) if it failed.
///
/// Addresses of user memory are positive on every 64-bit Linux, so both fit into one `long`.
public final class Result {
    /// What a failed call that set no `errno` counts for: no system uses it.
    public static final int UNKNOWN_ERROR_NUMBER = 4095;

    private static final long MAX_ERROR_NUMBER = UNKNOWN_ERROR_NUMBER;

    private Result() {}

    /// Whether the call failed.
    public static boolean isFailure(long result) {
        return result < 0 && result >= -MAX_ERROR_NUMBER;
    }

    /// The positive error number of a call that failed.
    public static int errorNumber(long result) {
        if (!isFailure(result)) {
            throw new IllegalArgumentException(result + " is not the result of a failed call");
        }
        return (int) -result;
    }
}
