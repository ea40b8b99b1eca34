package io.rdmanet.internal.flow;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// Data frames that have arrived and were not consumed: from whoever leads the completion loop to
/// the receiving thread. One of each at a time; both may change.
///
/// | field | writer | read mode | write mode | paired with |
/// |---|---|---|---|---|
/// | tail | progress | getAcquire | setRelease | the consumer, which then reads entry and payload |
/// | head | consumer | getAcquire | setRelease | none: the capacity covers every receive there is |
/// | messagesAdded | progress | getAcquire | setRelease | the consumer, which then finds every frame of so many messages |
/// | messagesRemoved | consumer | plain | plain | none |
/// | entries | progress | plain, after tail | plain, before tail | tail |
public final class FrameRing {
    /// What [#peek()] returns when there is no frame.
    public static final long EMPTY = -1;

    private static final VarHandle TAIL;
    private static final VarHandle HEAD;
    private static final VarHandle MESSAGES_ADDED;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            TAIL = lookup.findVarHandle(FrameRing.class, "tail", long.class);
            HEAD = lookup.findVarHandle(FrameRing.class, "head", long.class);
            MESSAGES_ADDED = lookup.findVarHandle(FrameRing.class, "messagesAdded", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final long[] entries;
    private final int mask;

    @SuppressWarnings("UnusedVariable") // reached through TAIL
    private long tail;

    @SuppressWarnings("UnusedVariable") // reached through HEAD
    private long head;

    @SuppressWarnings("UnusedVariable") // reached through MESSAGES_ADDED
    private long messagesAdded;

    private long messagesRemoved;

    /// @param frames the most frames that are ever in it
    public FrameRing(int frames) {
        int capacity = frames == 1 ? 1 : Integer.highestOneBit(frames - 1) << 1;
        entries = new long[capacity];
        mask = capacity - 1;
    }

    /// A frame as a number, not negative.
    ///
    /// @param slot where it lies
    /// @param length its payload
    /// @param goesOn whether the message does not end with it
    public static long frame(int slot, int length, boolean goesOn) {
        return (long) length << 32 | (goesOn ? 1L << 31 : 0) | slot;
    }

    /// Where a frame lies.
    public static int slot(long frame) {
        return (int) frame & Integer.MAX_VALUE;
    }

    /// The payload of a frame.
    public static int length(long frame) {
        return (int) (frame >>> 32);
    }

    /// Whether the message does not end with a frame.
    public static boolean goesOn(long frame) {
        return (frame & 1L << 31) != 0;
    }

    /// Adds a frame. Progress only.
    ///
    /// @throws IllegalStateException if it is full: there are more frames than receives
    public void add(long frame) {
        long position = (long) TAIL.get(this);
        if (position - (long) HEAD.getAcquire(this) > mask) {
            throw new IllegalStateException("more frames than receives: " + entries.length);
        }
        entries[(int) position & mask] = frame;
        TAIL.setRelease(this, position + 1);
        if (!goesOn(frame)) {
            MESSAGES_ADDED.setRelease(this, (long) MESSAGES_ADDED.get(this) + 1);
        }
    }

    /// The oldest frame, or [#EMPTY]. Consumer only.
    public long peek() {
        long position = (long) HEAD.get(this);
        return position == (long) TAIL.getAcquire(this) ? EMPTY : entries[(int) position & mask];
    }

    /// Takes the oldest frame away. Consumer only, after [#peek()] returned one.
    public void remove() {
        HEAD.setRelease(this, (long) HEAD.get(this) + 1);
    }

    /// Takes the oldest frame away, with which a message ends. Consumer only.
    public void removeMessage() {
        remove();
        messagesRemoved++;
    }

    /// How many messages there are of which every frame has arrived. Consumer only.
    public int messages() {
        return (int) ((long) MESSAGES_ADDED.getAcquire(this) - messagesRemoved);
    }

    /// How many frames there are. Any thread.
    public int size() {
        return (int) ((long) TAIL.getAcquire(this) - (long) HEAD.getAcquire(this));
    }
}
