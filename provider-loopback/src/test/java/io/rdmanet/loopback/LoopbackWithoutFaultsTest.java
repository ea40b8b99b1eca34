package io.rdmanet.loopback;

import io.rdmanet.tck.ChainContract;
import io.rdmanet.tck.CompletionChannelContract;
import io.rdmanet.tck.CompletionQueueContract;
import io.rdmanet.tck.ConnectionManagerContract;
import io.rdmanet.tck.ContextContract;
import io.rdmanet.tck.DatagramContract;
import io.rdmanet.tck.DatagramMistakeContract;
import io.rdmanet.tck.DisconnectContract;
import io.rdmanet.tck.FailedConnectionContract;
import io.rdmanet.tck.MemoryRegionContract;
import io.rdmanet.tck.OneSidedContract;
import io.rdmanet.tck.PostingContract;
import io.rdmanet.tck.ProtectionDomainContract;
import io.rdmanet.tck.QueuePairStateContract;
import io.rdmanet.tck.SendReceiveContract;
import io.rdmanet.tck.SharedReceiveQueueContract;
import io.rdmanet.tck.SharedReceiveQueueLifeContract;
import io.rdmanet.tck.fault.FaultPlan;
import io.rdmanet.tck.fault.FaultyProvider;
import io.rdmanet.verbs.VerbsProvider;
import org.junit.jupiter.api.Nested;

/// The decorators that inject faults behave like what they wrap as long as no fault was ordered:
/// they pass the same contracts.
class LoopbackWithoutFaultsTest {
    private final VerbsProvider provider =
            new FaultyProvider(new LoopbackProvider(), new FaultPlan());

    @Nested
    class CompletionChannel extends CompletionChannelContract {
        @Override
        protected VerbsProvider provider() {
            return provider;
        }
    }

    @Nested
    class CompletionQueue extends CompletionQueueContract {
        @Override
        protected VerbsProvider provider() {
            return provider;
        }
    }

    @Nested
    class ConnectionManager extends ConnectionManagerContract {
        @Override
        protected VerbsProvider provider() {
            return provider;
        }
    }

    @Nested
    class Context extends ContextContract {
        @Override
        protected VerbsProvider provider() {
            return provider;
        }
    }

    @Nested
    class Disconnect extends DisconnectContract {
        @Override
        protected VerbsProvider provider() {
            return provider;
        }
    }

    @Nested
    class FailedConnection extends FailedConnectionContract {
        @Override
        protected VerbsProvider provider() {
            return provider;
        }
    }

    @Nested
    class MemoryRegion extends MemoryRegionContract {
        @Override
        protected VerbsProvider provider() {
            return provider;
        }
    }

    @Nested
    class OneSided extends OneSidedContract {
        @Override
        protected VerbsProvider provider() {
            return provider;
        }
    }

    @Nested
    class Posting extends PostingContract {
        @Override
        protected VerbsProvider provider() {
            return provider;
        }
    }

    @Nested
    class Chain extends ChainContract {
        @Override
        protected VerbsProvider provider() {
            return provider;
        }
    }

    @Nested
    class ProtectionDomain extends ProtectionDomainContract {
        @Override
        protected VerbsProvider provider() {
            return provider;
        }
    }

    @Nested
    class QueuePairState extends QueuePairStateContract {
        @Override
        protected VerbsProvider provider() {
            return provider;
        }
    }

    @Nested
    class SendReceive extends SendReceiveContract {
        @Override
        protected VerbsProvider provider() {
            return provider;
        }
    }

    @Nested
    class Datagram extends DatagramContract {
        @Override
        protected VerbsProvider provider() {
            return provider;
        }
    }

    @Nested
    class DatagramMistake extends DatagramMistakeContract {
        @Override
        protected VerbsProvider provider() {
            return provider;
        }
    }

    @Nested
    class SharedReceiveQueue extends SharedReceiveQueueContract {
        @Override
        protected VerbsProvider provider() {
            return provider;
        }
    }

    @Nested
    class SharedReceiveQueueLife extends SharedReceiveQueueLifeContract {
        @Override
        protected VerbsProvider provider() {
            return provider;
        }
    }
}
