package io.rdmanet.ffm.queue;

import io.rdmanet.bench.micro.Card;
import io.rdmanet.ffm.c.VerbsOperations;
import io.rdmanet.internal.provider.AccountTable;
import io.rdmanet.verbs.AccessFlag;
import io.rdmanet.verbs.MemoryRegion;
import io.rdmanet.verbs.PollCompletions;
import io.rdmanet.verbs.PostSend;
import io.rdmanet.verbs.SendFlags;
import io.rdmanet.verbs.SendOpcode;
import io.rdmanet.verbs.SendShape;
import io.rdmanet.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Constructor;
import java.util.EnumSet;
import java.util.Set;

/// The data path of provider-ffm on a [Card]: its own classes, from the prepared call down to the
/// function pointer. What a real device has besides, and nobody calls while posting and polling, is
/// left out: protection domain and context.
final class CardQueue implements AutoCloseable {
    private static final int OUTSTANDING = 128;

    private final Card card = Card.open();
    private final AccountTable<WorkQueueAccount> accounts = new AccountTable<>();
    private final DeviceOperations operations = DeviceOperations.of(card.context());
    private final long completionQueue = card.completionQueue();
    private final PolledQueue polled =
            new PolledQueue(operations.poll(), completionQueue, "the card");
    private final MemoryRegion region;
    private final FfmPostSend post;
    private final FfmPollCompletions poll;

    /// @param chain requests that are posted at once
    CardQueue(int chain) throws VerbsException, ReflectiveOperationException {
        OrderedAccount account = new OrderedAccount(NoDevice.OWNER, OUTSTANDING);
        accounts.add(account);
        WorkQueue sends =
                WorkQueue.ofSends(operations.postSend(), card.queuePair(), NoDevice.OWNER, account);
        region = region();
        FfmProtectionDomain domain = (FfmProtectionDomain) region.protectionDomain();
        post = new FfmPostSend(domain, sends, SendShape.of(SendOpcode.SEND), chain, false, 0);
        for (int i = 0; i < chain; i++) {
            post.request(i)
                    .flags(SendFlags.SIGNALED)
                    .scatterGather(0, region, i * (long) Card.MESSAGE_BYTES, Card.MESSAGE_BYTES);
        }
        poll = new FfmPollCompletions(polled, accounts, chain);
    }

    /// Only libibverbs makes regions, so this one is made around it.
    private MemoryRegion region() throws ReflectiveOperationException {
        Constructor<FfmMemoryRegion> constructor =
                FfmMemoryRegion.class.getDeclaredConstructor(
                        FfmProtectionDomain.class,
                        MemorySegment.class,
                        Set.class,
                        AnonymousMemory.class,
                        long.class);
        constructor.setAccessible(true);
        return constructor.newInstance(
                domain(), card.memory(), EnumSet.noneOf(AccessFlag.class), null, card.region());
    }

    private static FfmProtectionDomain domain() throws ReflectiveOperationException {
        Constructor<FfmProtectionDomain> constructor =
                FfmProtectionDomain.class.getDeclaredConstructor(FfmContext.class, long.class);
        constructor.setAccessible(true);
        return constructor.newInstance(null, 0L);
    }

    /// A prepared chain.
    PostSend post() {
        return post;
    }

    /// What polls for it.
    PollCompletions poll() {
        return poll;
    }

    /// All of the card's memory.
    MemoryRegion memoryRegion() {
        return region;
    }

    Card card() {
        return card;
    }

    /// The call alone, with nothing of ours around it.
    ///
    /// @return how many completions there are: none
    int pollNothing() {
        return VerbsOperations.poll(operations.poll(), completionQueue, 0, 0);
    }

    @Override
    public void close() {
        if (!polled.guard().tryClose()) {
            throw new IllegalStateException("somebody polls the card");
        }
        post.close();
        card.close();
    }
}
