package io.rdmanet.loopback;

import io.rdmanet.tck.AtomicContract;
import io.rdmanet.tck.CompletionChannelContract;
import io.rdmanet.tck.CompletionQueueContract;
import io.rdmanet.tck.LongRunContract;
import io.rdmanet.tck.MemoryRegionContract;
import io.rdmanet.tck.NoAllocationContract;
import io.rdmanet.tck.OneSidedContract;
import io.rdmanet.tck.OneSidedErrorContract;
import io.rdmanet.tck.Pairing;
import io.rdmanet.tck.PostingContract;
import io.rdmanet.tck.ReceiverNotReadyContract;
import io.rdmanet.tck.SendErrorContract;
import io.rdmanet.tck.SendReceiveContract;
import io.rdmanet.verbs.VerbsProvider;
import org.junit.jupiter.api.Nested;

/// The contracts of the data path once more, over connections made by the connection manager.
class LoopbackByConnectionManagerTest {
    @Nested
    class MemoryRegion extends MemoryRegionContract {
        @Override
        protected VerbsProvider provider() {
            return new LoopbackProvider();
        }

        @Override
        protected Pairing pairing() {
            return Pairing.CONNECTION_MANAGER;
        }
    }

    @Nested
    class CompletionQueue extends CompletionQueueContract {
        @Override
        protected VerbsProvider provider() {
            return new LoopbackProvider();
        }

        @Override
        protected Pairing pairing() {
            return Pairing.CONNECTION_MANAGER;
        }
    }

    @Nested
    class CompletionChannel extends CompletionChannelContract {
        @Override
        protected VerbsProvider provider() {
            return new LoopbackProvider();
        }

        @Override
        protected Pairing pairing() {
            return Pairing.CONNECTION_MANAGER;
        }
    }

    @Nested
    class SendReceive extends SendReceiveContract {
        @Override
        protected VerbsProvider provider() {
            return new LoopbackProvider();
        }

        @Override
        protected Pairing pairing() {
            return Pairing.CONNECTION_MANAGER;
        }
    }

    @Nested
    class Posting extends PostingContract {
        @Override
        protected VerbsProvider provider() {
            return new LoopbackProvider();
        }

        @Override
        protected Pairing pairing() {
            return Pairing.CONNECTION_MANAGER;
        }
    }

    @Nested
    class SendError extends SendErrorContract {
        @Override
        protected VerbsProvider provider() {
            return new LoopbackProvider();
        }

        @Override
        protected Pairing pairing() {
            return Pairing.CONNECTION_MANAGER;
        }
    }

    @Nested
    class OneSided extends OneSidedContract {
        @Override
        protected VerbsProvider provider() {
            return new LoopbackProvider();
        }

        @Override
        protected Pairing pairing() {
            return Pairing.CONNECTION_MANAGER;
        }
    }

    @Nested
    class OneSidedError extends OneSidedErrorContract {
        @Override
        protected VerbsProvider provider() {
            return new LoopbackProvider();
        }

        @Override
        protected Pairing pairing() {
            return Pairing.CONNECTION_MANAGER;
        }
    }

    @Nested
    class Atomic extends AtomicContract {
        @Override
        protected VerbsProvider provider() {
            return new LoopbackProvider();
        }

        @Override
        protected Pairing pairing() {
            return Pairing.CONNECTION_MANAGER;
        }
    }

    @Nested
    class ReceiverNotReady extends ReceiverNotReadyContract {
        @Override
        protected VerbsProvider provider() {
            return new LoopbackProvider();
        }

        @Override
        protected Pairing pairing() {
            return Pairing.CONNECTION_MANAGER;
        }
    }

    @Nested
    class LongRun extends LongRunContract {
        @Override
        protected VerbsProvider provider() {
            return new LoopbackProvider();
        }

        @Override
        protected Pairing pairing() {
            return Pairing.CONNECTION_MANAGER;
        }
    }

    @Nested
    class NoAllocation extends NoAllocationContract {
        @Override
        protected VerbsProvider provider() {
            return new LoopbackProvider();
        }

        @Override
        protected Pairing pairing() {
            return Pairing.CONNECTION_MANAGER;
        }
    }
}
