package io.rdmanet.bw.probe;

import org.jspecify.annotations.Nullable;

/// What Linux tells of a thread in `/proc/PID/task/TID/stat`, see proc_pid_stat(5).
///
/// @param name at most 15 characters
/// @param isRunning whether it runs, or would if it had a processor
/// @param ticks processor time used, of [#MILLIS_PER_TICK]
/// @param processor where it ran last
record TaskStatus(String name, boolean isRunning, long ticks, int processor) {
    /// Linux counts 100 ticks a second for programs, whatever its own clock does.
    static final int MILLIS_PER_TICK = 10;

    // Numbered from the first field behind the name, which is the third of the line.
    private static final int STATE = 0;
    private static final int USER_TICKS = 11;
    private static final int SYSTEM_TICKS = 12;
    private static final int PROCESSOR = 36;

    /// Reads such a line.
    ///
    /// @param line `12 (a name) R 1 ...`; the name may contain anything
    /// @return null if it is not such a line
    static @Nullable TaskStatus parse(String line) {
        int nameStart = line.indexOf('(');
        int nameEnd = line.lastIndexOf(')');
        if (nameStart < 0 || nameEnd < nameStart || nameEnd + 2 > line.length()) {
            return null;
        }
        String[] fields = line.substring(nameEnd + 2).trim().split(" ", -1);
        if (fields.length <= PROCESSOR) {
            return null;
        }
        try {
            return new TaskStatus(
                    line.substring(nameStart + 1, nameEnd),
                    fields[STATE].equals("R"),
                    Long.parseLong(fields[USER_TICKS]) + Long.parseLong(fields[SYSTEM_TICKS]),
                    Integer.parseInt(fields[PROCESSOR]));
        } catch (NumberFormatException notANumber) {
            return null;
        }
    }
}
