package io.rdmanet.bw.run;

import com.sun.management.ThreadMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;

/// What a run costs besides time: memory allocated by its thread, and garbage collection.
final class RunMeter {
    private static final ThreadMXBean THREADS =
            ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
    private static final List<GarbageCollectorMXBean> COLLECTORS =
            ManagementFactory.getGarbageCollectorMXBeans();

    private long allocatedBytes;
    private long collectionMillis;

    /// A run begins on this thread.
    void start() {
        collectionMillis = collectionMillisSoFar();
        // Last, so that reading the collectors is not counted.
        allocatedBytes = THREADS.getCurrentThreadAllocatedBytes();
    }

    /// The run is over. To be called first, since the getters read nothing themselves.
    void stop() {
        allocatedBytes = THREADS.getCurrentThreadAllocatedBytes() - allocatedBytes;
        collectionMillis = collectionMillisSoFar() - collectionMillis;
    }

    /// Bytes that this thread allocated between start and stop.
    long allocatedBytes() {
        return allocatedBytes;
    }

    /// Time of all collectors between start and stop.
    long collectionMillis() {
        return collectionMillis;
    }

    private static long collectionMillisSoFar() {
        long millis = 0;
        for (GarbageCollectorMXBean collector : COLLECTORS) {
            // -1 if a collector does not tell.
            millis += Math.max(0, collector.getCollectionTime());
        }
        return millis;
    }
}
