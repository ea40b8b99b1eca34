package io.rdmanet.loopback;

import io.rdmanet.loopback.link.LinkRequest;
import io.rdmanet.loopback.link.RemoteOperation;
import io.rdmanet.loopback.memory.PeerFiles;
import io.rdmanet.verbs.AccessFlag;
import io.rdmanet.verbs.CompletionStatus;
import io.rdmanet.verbs.GlobalIdentifier;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Copies, for peers that cannot reach it, between this device's registered memory and their
/// staging buffers, and does atomics on it. Runs in turns of the hub's reactor.
final class UnsharedMemoryServer {
    private static final int OK = CompletionStatus.SUCCESS.code();
    private static final int REMOTE_ACCESS = CompletionStatus.REMOTE_ACCESS_ERROR.code();
    private static final int REMOTE_OPERATION = CompletionStatus.REMOTE_OPERATION_ERROR.code();

    private static final int MAX_STAGINGS = 64;

    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

    private record StagingKey(GlobalIdentifier peer, long stagingId) {}

    private final LoopbackContext context;

    /// The buffers mapped last; used in turns alone.
    private final Map<StagingKey, MemorySegment> stagings =
            new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<StagingKey, MemorySegment> eldest) {
                    return size() > MAX_STAGINGS;
                }
            };

    UnsharedMemoryServer(LoopbackContext context) {
        this.context = context;
    }

    /// Does what a peer asks for, and answers.
    void serve(LinkRequest request) {
        RemoteOperation operation = request.operation();
        try {
            switch (operation.code()) {
                case UnsharedMemoryClient.WRITE -> request.reply(write(request, operation), 0);
                case UnsharedMemoryClient.READ -> request.reply(read(request, operation), 0);
                case UnsharedMemoryClient.SEND -> request.reply(receive(request, operation), 0);
                case UnsharedMemoryClient.COMPARE_AND_SWAP, UnsharedMemoryClient.FETCH_AND_ADD ->
                        atomic(request, operation);
                default -> request.reply(REMOTE_OPERATION, 0);
            }
        } catch (IOException | RuntimeException goneOrWrong) {
            // Whatever a peer asks for, the reactor must live on.
            System.getLogger(UnsharedMemoryServer.class.getName())
                    .log(System.Logger.Level.DEBUG, "request failed: " + operation, goneOrWrong);
            request.reply(REMOTE_OPERATION, 0);
        }
    }

    private int write(LinkRequest request, RemoteOperation operation) throws IOException {
        LoopbackMemoryRegion region = region(operation, AccessFlag.REMOTE_WRITE);
        if (region == null) {
            return REMOTE_ACCESS;
        }
        MemorySegment source = staging(request, operation);
        long to = offset(region, operation);
        long length = operation.length();
        return region.whileOpen(() -> MemorySegment.copy(source, 0, region.segment(), to, length))
                ? OK
                : REMOTE_ACCESS;
    }

    private int read(LinkRequest request, RemoteOperation operation) throws IOException {
        LoopbackMemoryRegion region = region(operation, AccessFlag.REMOTE_READ);
        if (region == null) {
            return REMOTE_ACCESS;
        }
        MemorySegment target = staging(request, operation);
        long from = offset(region, operation);
        long length = operation.length();
        return region.whileOpen(() -> MemorySegment.copy(region.segment(), from, target, 0, length))
                ? OK
                : REMOTE_ACCESS;
    }

    private int receive(LinkRequest request, RemoteOperation operation) throws IOException {
        QueuePairWork queuePair = context.queuePair(operation.queuePairNumber());
        if (queuePair == null || !queuePair.isPeer(request.peer())) {
            return REMOTE_OPERATION;
        }
        boolean isDone =
                queuePair.receivePart(
                        operation.address(),
                        operation.secondOperand(),
                        staging(request, operation),
                        operation.length());
        return isDone ? OK : REMOTE_OPERATION;
    }

    private void atomic(LinkRequest request, RemoteOperation operation) {
        LoopbackMemoryRegion region = region(operation, AccessFlag.REMOTE_ATOMIC);
        if (region == null
                || !region.whileOpen(() -> request.reply(OK, applyAtomic(region, operation)))) {
            request.reply(REMOTE_ACCESS, 0);
        }
    }

    /// Through the segment, which checks bounds and that its arena is open.
    private static long applyAtomic(LoopbackMemoryRegion region, RemoteOperation operation) {
        long offset = operation.address() - region.address();
        return operation.code() == UnsharedMemoryClient.COMPARE_AND_SWAP
                ? (long)
                        LONG.compareAndExchange(
                                region.segment(),
                                offset,
                                operation.firstOperand(),
                                operation.secondOperand())
                : (long) LONG.getAndAdd(region.segment(), offset, operation.firstOperand());
    }

    /// A peer has gone.
    void forget(GlobalIdentifier peer) {
        stagings.keySet().removeIf(key -> key.peer().equals(peer));
    }

    private @Nullable LoopbackMemoryRegion region(RemoteOperation operation, AccessFlag access) {
        LoopbackMemoryRegion region = context.memoryRegion(operation.remoteKey());
        return region != null && region.allows(access.mask()) ? region : null;
    }

    /// Where in the region this part of the message belongs.
    private static long offset(LoopbackMemoryRegion region, RemoteOperation operation) {
        return operation.address() - region.address() + operation.secondOperand();
    }

    private MemorySegment staging(LinkRequest request, RemoteOperation operation)
            throws IOException {
        StagingKey key = new StagingKey(request.peer(), operation.firstOperand());
        MemorySegment staging = stagings.get(key);
        if (staging == null) {
            staging =
                    new PeerFiles(request.peer())
                            .map(
                                    UnsharedMemoryClient.fileName(operation.firstOperand()),
                                    Arena.ofAuto());
            stagings.put(key, staging);
        }
        return staging;
    }
}
