package io.rdmanet.loopback.link;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Removes the files of open instances when the process ends without closing them (Ctrl-C,
/// `System.exit`): one hook for all of them, installed with the first.
final class ShutdownCleaning {
    private static final Set<Instance> OPEN = ConcurrentHashMap.newKeySet();

    private ShutdownCleaning() {}

    /// @throws IllegalStateException if the process is ending already
    static void add(Instance instance) {
        Hook.install();
        OPEN.add(instance);
    }

    static void remove(Instance instance) {
        OPEN.remove(instance);
    }

    /// Initialised on first use; then it is in place for good.
    private static final class Hook {
        private static boolean isInstalled;

        static synchronized void install() {
            if (!isInstalled) {
                Runtime.getRuntime()
                        .addShutdownHook(
                                new Thread(
                                        () -> OPEN.forEach(Instance::removeFiles),
                                        "rdmanet-loopback-cleaning"));
                isInstalled = true;
            }
        }
    }
}
