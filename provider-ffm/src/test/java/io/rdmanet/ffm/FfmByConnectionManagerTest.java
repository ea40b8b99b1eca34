package io.rdmanet.ffm;

import io.rdmanet.tck.Pairing;
import org.junit.jupiter.api.Nested;

/// The contracts of the data path once more, over connections made by the connection manager.
class FfmByConnectionManagerTest {
    @Nested
    class MemoryRegion extends FfmMemoryRegionTest {
        @Override
        protected Pairing pairing() {
            return Pairing.CONNECTION_MANAGER;
        }
    }

    @Nested
    class CompletionQueue extends FfmCompletionQueueTest {
        @Override
        protected Pairing pairing() {
            return Pairing.CONNECTION_MANAGER;
        }
    }

    @Nested
    class CompletionChannel extends FfmCompletionChannelTest {
        @Override
        protected Pairing pairing() {
            return Pairing.CONNECTION_MANAGER;
        }
    }

    @Nested
    class SendReceive extends FfmSendReceiveTest {
        @Override
        protected Pairing pairing() {
            return Pairing.CONNECTION_MANAGER;
        }
    }

    @Nested
    class Posting extends FfmPostingTest {
        @Override
        protected Pairing pairing() {
            return Pairing.CONNECTION_MANAGER;
        }
    }

    @Nested
    class SendError extends FfmSendErrorTest {
        @Override
        protected Pairing pairing() {
            return Pairing.CONNECTION_MANAGER;
        }
    }

    @Nested
    class OneSided extends FfmOneSidedTest {
        @Override
        protected Pairing pairing() {
            return Pairing.CONNECTION_MANAGER;
        }
    }

    @Nested
    class OneSidedError extends FfmOneSidedErrorTest {
        @Override
        protected Pairing pairing() {
            return Pairing.CONNECTION_MANAGER;
        }
    }

    @Nested
    class Atomic extends FfmAtomicTest {
        @Override
        protected Pairing pairing() {
            return Pairing.CONNECTION_MANAGER;
        }
    }

    @Nested
    class ReceiverNotReady extends FfmReceiverNotReadyTest {
        @Override
        protected Pairing pairing() {
            return Pairing.CONNECTION_MANAGER;
        }
    }

    @Nested
    class LongRun extends FfmLongRunTest {
        @Override
        protected Pairing pairing() {
            return Pairing.CONNECTION_MANAGER;
        }
    }

    @Nested
    class NoAllocation extends FfmNoAllocationTest {
        @Override
        protected Pairing pairing() {
            return Pairing.CONNECTION_MANAGER;
        }
    }
}
