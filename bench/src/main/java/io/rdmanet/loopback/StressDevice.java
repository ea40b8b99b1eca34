package io.rdmanet.loopback;

import io.rdmanet.verbs.AccessFlag;
import io.rdmanet.verbs.VerbsException;
import java.util.EnumSet;

/// A real device, for tests of classes that cannot be had without. It ends with the process.
final class StressDevice {
    static final LoopbackContext CONTEXT;
    static final LoopbackMemoryRegion REGION;

    static {
        try {
            CONTEXT = LoopbackContext.open(new LoopbackProvider());
            REGION =
                    LoopbackMemoryRegion.allocate(
                            CONTEXT.allocateProtectionDomain(),
                            4096,
                            EnumSet.allOf(AccessFlag.class));
        } catch (VerbsException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private StressDevice() {}
}
