package io.rdmanet.ffm.queue;

import io.rdmanet.ffm.c.AsyncEventDescriptor;
import io.rdmanet.ffm.c.ContextDescriptor;
import io.rdmanet.ffm.c.Libc;
import io.rdmanet.ffm.c.Libibverbs;
import io.rdmanet.ffm.c.NativeMemory;
import io.rdmanet.ffm.c.PollDescriptor;
import io.rdmanet.ffm.c.Result;
import io.rdmanet.verbs.AsyncEvent;
import io.rdmanet.verbs.ErrorNumber;
import io.rdmanet.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The asynchronous events of a context: those of its queues, and those of the device.
///
/// Each is acknowledged as soon as it is read: destroying what it names waits for that.
final class AsyncEvents {
    private static final int MAX_WAITING = 1024;
    private static final int MAX_PER_LOOK = 1024;
    private static final AsyncEvent.Type[] TYPES = AsyncEvent.Type.values();

    private final long context;
    private final ReentrantLock lock = new ReentrantLock();
    private final Queue<AsyncEvent> waiting = new ConcurrentLinkedQueue<>();

    /// By the addresses that events name them by.
    private final Map<Long, FfmCompletionQueue> completionQueues = new ConcurrentHashMap<>();

    private final Map<Long, Integer> numbers = new ConcurrentHashMap<>();

    // Kept, since connections look here a hundred times a second, and nearly always for nothing.
    // Guarded by `lock`.
    private final MemorySegment watched;
    private final MemorySegment memory;

    private AsyncEvents(long context, int descriptor) {
        this.context = context;
        Arena arena = Arena.ofAuto();
        watched = arena.allocate(PollDescriptor.SIZE, Long.BYTES);
        PollDescriptor.watch(watched, 0, descriptor);
        memory = arena.allocate(AsyncEventDescriptor.SIZE, Long.BYTES);
    }

    /// Begins to look for events.
    ///
    /// @param context a `struct ibv_context *`
    static AsyncEvents of(long context) throws VerbsException {
        int descriptor = NativeMemory.intAt(context + ContextDescriptor.ASYNC_DESCRIPTOR);
        long flags = Libc.fcntl(descriptor, Libc.F_GETFL, 0);
        long set =
                Result.isFailure(flags)
                        ? flags
                        : Libc.fcntl(descriptor, Libc.F_SETFL, (int) flags | Libc.O_NONBLOCK);
        if (Result.isFailure(set)) {
            throw new VerbsException(
                    "fcntl",
                    Result.errorNumber(set),
                    "making the descriptor of asynchronous events non-blocking");
        }
        return new AsyncEvents(context, descriptor);
    }

    void add(FfmCompletionQueue queue) {
        completionQueues.put(queue.address(), queue);
    }

    void remove(FfmCompletionQueue queue) {
        completionQueues.remove(queue.address(), queue);
    }

    /// A queue pair or shared receive queue.
    void add(long address, int number) {
        numbers.put(address, number);
    }

    void remove(long address) {
        numbers.remove(address);
    }

    /// The oldest that nobody has taken. Never blocks.
    @Nullable AsyncEvent poll() throws VerbsException {
        AsyncEvent event = waiting.poll();
        if (event == null) {
            takeAll();
            event = waiting.poll();
        }
        return event;
    }

    private void takeAll() throws VerbsException {
        lock.lock();
        try {
            long event = memory.address();
            for (int i = 0; i < MAX_PER_LOOK && Libc.pollNow(watched, 1) > 0; i++) {
                long result = Libibverbs.ibv_get_async_event(context, event);
                if (Result.isFailure(result)) {
                    int errno = Result.errorNumber(result);
                    if (errno == ErrorNumber.EAGAIN || errno == ErrorNumber.EINTR) {
                        return;
                    }
                    throw new VerbsException("get_async_event", errno, "reading the next event");
                }
                long element = NativeMemory.longAt(event + AsyncEventDescriptor.ELEMENT);
                int code = NativeMemory.intAt(event + AsyncEventDescriptor.TYPE);
                take(code, element);
                Libibverbs.ibv_ack_async_event(event);
            }
        } finally {
            lock.unlock();
        }
    }

    /// Keeps an event.
    ///
    /// @param element the address of a queue, or a port's number, or 0
    private void take(int code, long element) {
        AsyncEvent.Type type = type(code);
        switch (type) {
            case COMPLETION_QUEUE_ERROR -> {
                FfmCompletionQueue queue = completionQueues.get(element);
                if (queue != null) {
                    queue.polled().fail();
                    keep(new AsyncEvent(type, 0));
                }
            }
            case QUEUE_PAIR_FATAL,
                    QUEUE_PAIR_REQUEST_ERROR,
                    QUEUE_PAIR_ACCESS_ERROR,
                    COMMUNICATION_ESTABLISHED,
                    SEND_QUEUE_DRAINED,
                    PATH_MIGRATED,
                    PATH_MIGRATION_ERROR,
                    LAST_WORK_REQUEST_REACHED,
                    SHARED_RECEIVE_QUEUE_ERROR,
                    SHARED_RECEIVE_QUEUE_LIMIT -> {
                Integer number = numbers.get(element);
                if (number != null) {
                    keep(new AsyncEvent(type, number));
                }
            }
            case PORT_ACTIVE,
                    PORT_ERROR,
                    LOCAL_IDENTIFIER_CHANGED,
                    PARTITION_KEY_CHANGED,
                    SUBNET_MANAGER_CHANGED,
                    CLIENT_REREGISTER,
                    GID_CHANGED ->
                    // The union's other half is not defined.
                    keep(new AsyncEvent(type, (int) element));
            case DEVICE_FATAL, UNKNOWN -> keep(new AsyncEvent(type, 0));
        }
    }

    private static AsyncEvent.Type type(int code) {
        return code >= 0 && code < TYPES.length - 1 ? TYPES[code] : AsyncEvent.Type.UNKNOWN;
    }

    /// Keeps an event for whoever asks; the oldest is dropped when nobody does.
    private void keep(AsyncEvent event) {
        waiting.add(event);
        if (waiting.size() > MAX_WAITING) {
            waiting.poll();
        }
    }
}
