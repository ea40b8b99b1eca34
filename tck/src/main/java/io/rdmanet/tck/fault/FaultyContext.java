package io.rdmanet.tck.fault;

import io.rdmanet.verbs.AsyncEvent;
import io.rdmanet.verbs.CompletionChannel;
import io.rdmanet.verbs.CompletionQueue;
import io.rdmanet.verbs.Context;
import io.rdmanet.verbs.DeviceAttributes;
import io.rdmanet.verbs.GidEntry;
import io.rdmanet.verbs.PortAttributes;
import io.rdmanet.verbs.ProtectionDomain;
import io.rdmanet.verbs.QueuePair;
import io.rdmanet.verbs.QueuePairAttributes;
import io.rdmanet.verbs.QueuePairState;
import io.rdmanet.verbs.VerbsException;
import io.rdmanet.verbs.VerbsProvider;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// A device of a [FaultyProvider].
final class FaultyContext implements Context {
    private final VerbsProvider provider;
    private final FaultPlan plan;
    private final Context target;
    private final @Nullable Tracked tracked;
    private final Map<Integer, QueuePair> queuePairs = new ConcurrentHashMap<>();

    /// @param tracked null if somebody else closes it
    FaultyContext(
            VerbsProvider provider, FaultPlan plan, Context target, @Nullable Tracked tracked) {
        this.provider = provider;
        this.plan = plan;
        this.target = target;
        this.tracked = tracked;
    }

    FaultPlan plan() {
        return plan;
    }

    @Override
    public VerbsProvider provider() {
        return provider;
    }

    @Override
    public String deviceName() {
        return target.deviceName();
    }

    @Override
    public DeviceAttributes queryDevice() throws VerbsException {
        return target.queryDevice();
    }

    @Override
    public PortAttributes queryPort(int portNumber) throws VerbsException {
        return target.queryPort(portNumber);
    }

    @Override
    public List<GidEntry> gidTable(int portNumber) throws VerbsException {
        return target.gidTable(portNumber);
    }

    @Override
    public Map<String, Long> hardwareCounters() throws VerbsException {
        return target.hardwareCounters();
    }

    @Override
    public ProtectionDomain allocateProtectionDomain() throws VerbsException {
        return Tracked.create(
                plan,
                Resource.PROTECTION_DOMAIN,
                target::allocateProtectionDomain,
                (domain, made) -> new FaultyProtectionDomain(this, domain, made));
    }

    @Override
    public CompletionChannel createCompletionChannel() throws VerbsException {
        return Tracked.create(
                plan,
                Resource.COMPLETION_CHANNEL,
                target::createCompletionChannel,
                (channel, made) -> new FaultyCompletionChannel(this, channel, made));
    }

    @Override
    public CompletionQueue createCompletionQueue(int capacity, @Nullable CompletionChannel channel)
            throws VerbsException {
        FaultyCompletionChannel faulty =
                channel instanceof FaultyCompletionChannel wrapped ? wrapped : null;
        CompletionChannel inner = faulty == null ? channel : faulty.target();
        return Tracked.create(
                plan,
                Resource.COMPLETION_QUEUE,
                () -> target.createCompletionQueue(capacity, inner),
                (queue, made) -> new FaultyCompletionQueue(this, queue, faulty, made));
    }

    @Override
    public @Nullable AsyncEvent pollAsyncEvent() throws VerbsException {
        return target.pollAsyncEvent();
    }

    @Override
    public void close() {
        target.close();
        if (tracked != null) {
            tracked.closed();
        }
    }

    void add(QueuePair queuePair) {
        queuePairs.put(queuePair.number(), queuePair);
    }

    void remove(QueuePair queuePair) {
        queuePairs.remove(queuePair.number(), queuePair);
    }

    /// Makes an invented failure true: the queue pair goes to ERROR.
    void fail(int queuePairNumber) throws VerbsException {
        QueuePair queuePair = queuePairs.get(queuePairNumber);
        if (queuePair != null && queuePair.state() != QueuePairState.ERROR) {
            queuePair.modify(QueuePairAttributes.to(QueuePairState.ERROR));
        }
    }
}
