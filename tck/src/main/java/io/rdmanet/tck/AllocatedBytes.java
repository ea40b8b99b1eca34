package io.rdmanet.tck;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/// What threads have allocated, to show that the data path does not.
public final class AllocatedBytes {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private AllocatedBytes() {}

    /// Whether this JVM counts what threads allocate.
    static boolean areCounted() {
        return THREADS.isThreadAllocatedMemorySupported()
                && THREADS.isThreadAllocatedMemoryEnabled();
    }

    /// By the current thread since it began.
    public static long ofThisThread() {
        return THREADS.getCurrentThreadAllocatedBytes();
    }
}
