package io.rdmanet.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.rdmanet.verbs.CompletionQueue;
import io.rdmanet.verbs.PollCompletions;
import io.rdmanet.verbs.VerbsException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/// Takes completions of one queue, with deadlines. Belongs to one thread at a time.
final class Poller {
    private static final int CAPACITY = 16;

    private final PollCompletions poll;
    private final Duration patience;
    private final Deque<Completion> taken = new ArrayDeque<>();

    Poller(CompletionQueue queue, Duration patience) {
        this.poll = queue.preparePoll(CAPACITY);
        this.patience = patience;
    }

    /// Waits for exactly so many completions and leaves later ones for the next call.
    List<Completion> take(int count) throws VerbsException {
        Waiting waiting = new Waiting(patience);
        while (taken.size() < count) {
            if (pollOnce() == 0 && !waiting.pause()) {
                fail("%d completions of %d within %s: %s", taken.size(), count, patience, taken);
            }
        }
        List<Completion> result = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            result.add(taken.remove());
        }
        return result;
    }

    /// Waits for one completion.
    Completion take() throws VerbsException {
        return take(1).getFirst();
    }

    /// Waits for so many completions, each of which must have succeeded.
    List<Completion> takeSuccesses(int count) throws VerbsException {
        List<Completion> completions = take(count);
        assertThat(completions).allMatch(Completion::succeeded);
        return completions;
    }

    /// Takes what is there now, for a later call.
    void gather() throws VerbsException {
        while (pollOnce() > 0) {}
    }

    /// What is there now.
    List<Completion> drain() throws VerbsException {
        gather();
        List<Completion> result = new ArrayList<>(taken);
        taken.clear();
        return result;
    }

    /// Fails if a completion appears within a while.
    void assertSilentFor(Duration duration) throws VerbsException {
        Waiting waiting = new Waiting(duration);
        do {
            pollOnce();
            assertThat(taken).as("completions that must not come").isEmpty();
        } while (waiting.pause());
    }

    private int pollOnce() throws VerbsException {
        int count = poll.execute();
        for (int i = 0; i < count; i++) {
            taken.add(Completion.copyOf(poll, i));
        }
        return count;
    }
}
