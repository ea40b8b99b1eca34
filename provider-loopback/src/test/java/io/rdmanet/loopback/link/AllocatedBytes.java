package io.rdmanet.loopback.link;

import java.lang.reflect.Method;
import org.junit.jupiter.api.Assumptions;

/// What this thread has allocated. By reflection: the module does not read jdk.management.
final class AllocatedBytes {
    private AllocatedBytes() {}

    static long ofThisThread() {
        try {
            Object bean =
                    Class.forName("java.lang.management.ManagementFactory")
                            .getMethod("getThreadMXBean")
                            .invoke(null);
            Method method =
                    Class.forName("com.sun.management.ThreadMXBean")
                            .getMethod("getCurrentThreadAllocatedBytes");
            return (long) method.invoke(bean);
        } catch (ReflectiveOperationException e) {
            return Assumptions.<Long>abort("this JVM does not count allocated bytes: " + e);
        }
    }
}
