package io.rdmanet.disni;

import io.rdmanet.verbs.PostException;
import io.rdmanet.verbs.QueuePairState;
import io.rdmanet.verbs.VerbsException;
import java.io.IOException;

/// The sends or the receives of a queue pair. One thread at a time posts.
final class WorkQueue {
    /// The prepared calls of DiSNI that a run of requests is composed of.
    interface Chains {
        /// How many requests the next call takes.
        ///
        /// @param first where it begins
        /// @param count requests that are left
        int nextLength(int first, int count);

        /// Posts that many.
        ///
        /// @param account what the device calls them
        /// @param position of the first one in the account
        void post(int first, int length, WorkAccount account, long position) throws IOException;

        /// Frees the calls.
        void close();
    }

    private final String verb;
    private final DisniQueuePair owner;
    private final WorkAccount account;
    private final CallGuard guard = new CallGuard();

    /// @param verb `post_send` or `post_recv`
    WorkQueue(String verb, DisniQueuePair owner, WorkAccount account) {
        this.verb = verb;
        this.owner = owner;
        this.account = account;
    }

    String verb() {
        return verb;
    }

    WorkAccount account() {
        return account;
    }

    CallGuard guard() {
        return guard;
    }

    /// Closes a prepared call of this queue, and frees what DiSNI has prepared for it, which a
    /// thread may be posting just then. If that thread stays inside it is never freed.
    void close(WorkRequests requests, Chains chains) {
        if (requests.close() && guard.hasLeft()) {
            chains.close();
        }
    }

    /// Posts a run of requests, in as few calls as there are.
    ///
    /// @return how many were accepted; fewer than `count` if the queue is full
    int post(WorkRequests requests, int first, int count, Chains chains) throws VerbsException {
        if (!guard.tryEnter()) {
            throw new IllegalStateException(verb + ": " + owner + " is closed");
        }
        try {
            requests.requireOpen(); // seen from inside, it is not freed before this has left
            QueuePairState state = owner.state();
            boolean isAllowed =
                    account.isOfSends() ? state.allowsPostSend() : state.allowsPostReceive();
            if (!isAllowed) {
                throw new IllegalStateException(
                        verb + ": " + owner + " is in " + state + ", which does not allow it");
            }
            int accepted = account.begin(requests, first, count);
            if (accepted == 0) {
                return 0;
            }
            if (requests.namesClosed(first, accepted)) {
                account.withdraw(accepted);
                throw new IllegalStateException(
                        verb + " on " + owner + ": a request names a memory region that is closed");
            }
            postChains(first, accepted, chains);
            if (state == QueuePairState.ERROR) {
                owner.flush();
            }
            return accepted;
        } finally {
            guard.leave();
        }
    }

    private void postChains(int first, int accepted, Chains chains) throws PostException {
        long position = account.nextPosition() - accepted;
        int done = 0;
        while (done < accepted) {
            int length = chains.nextLength(first + done, accepted - done);
            try {
                chains.post(first + done, length, account, position + done);
            } catch (IOException e) {
                throw refused(first, accepted, done, length, e);
            }
            done += length;
        }
    }

    /// DiSNI does not tell how many of a chain the device took before it refused one. Of one
    /// request it took none; after a longer chain the connection is ended, so that what it took
    /// completes with an error rather than by surprise.
    private PostException refused(
            int first, int accepted, int done, int length, IOException failure) {
        String detail = "request " + (first + done) + " on " + owner;
        if (length == 1) {
            account.withdraw(accepted - done);
        } else {
            detail +=
                    " or one of the next "
                            + (length - 1)
                            + "; the connection is ended, since DiSNI does not say which";
            owner.fail();
        }
        PostException refused =
                new PostException(
                        verb,
                        DisniFailure.errno(failure),
                        done,
                        detail + " (" + DisniFailure.text(failure) + ")");
        refused.initCause(failure);
        return refused;
    }
}
