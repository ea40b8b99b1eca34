package io.rdmanet.tck.fault;

import io.rdmanet.verbs.CompletionStatus;
import io.rdmanet.verbs.ErrorNumber;
import io.rdmanet.verbs.PostException;
import io.rdmanet.verbs.VerbsException;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Which faults a [FaultyProvider] has, and what it has seen. Counts begin when a fault is ordered.
///
/// Safe for use by any thread: everything happens under one lock, which nobody holds while
/// blocking.
public final class FaultPlan {
    private final Map<Resource, Integer> open = new EnumMap<>(Resource.class);
    private int created;
    private long sendExecutions;
    private long receiveExecutions;
    private long completionsSeen;

    private Set<Resource> failingResources = EnumSet.noneOf(Resource.class);
    private int creationsUntilFailure;
    private int sendsUntilFailure;
    private int receivesUntilFailure;
    private int executionsOfFullQueue;
    private int requestsWhileFull;
    private int completionsUntilFailure = -1;
    private CompletionStatus failure = CompletionStatus.GENERAL_ERROR;
    private boolean isStalled;
    private int pollsToSkip;
    private int skippedPolls;

    // ---- ordering faults

    /// Lets the `nth` creation of anything fail, once: with ENOMEM, having made nothing.
    ///
    /// @param nth 1 for the next
    public synchronized void failCreation(int nth) {
        failCreation(EnumSet.allOf(Resource.class), nth);
    }

    /// Lets the `nth` creation of one of some resources fail, once.
    public synchronized void failCreation(Set<Resource> resources, int nth) {
        failingResources = EnumSet.copyOf(resources);
        creationsUntilFailure = requirePositive(nth);
    }

    /// Lets the `nth` execution of sends fail with a [PostException], once; nothing of it is
    /// posted.
    ///
    /// @param nth 1 for the next
    public synchronized void failSendExecution(int nth) {
        sendsUntilFailure = requirePositive(nth);
    }

    /// Lets the `nth` execution of receives fail with a [PostException], once; nothing of it is
    /// posted.
    public synchronized void failReceiveExecution(int nth) {
        receivesUntilFailure = requirePositive(nth);
    }

    /// Lets the send queue look full: the next executions accept at most so many requests each.
    ///
    /// @param requests 0 and more
    public synchronized void limitSends(int executions, int requests) {
        executionsOfFullQueue = executions;
        requestsWhileFull = requests;
    }

    /// Lets completions after the next `count` fail: the first of them with a status, all later
    /// ones as flushed. Their queue pairs go to ERROR.
    public synchronized void failCompletionsAfter(int count, CompletionStatus status) {
        completionsUntilFailure = count;
        failure = status;
    }

    /// Lets polls find nothing, until [#resumeCompletions()].
    public synchronized void stallCompletions() {
        isStalled = true;
    }

    /// Ends a stall.
    public synchronized void resumeCompletions() {
        isStalled = false;
    }

    /// Lets each poll that may find something be preceded by some that find nothing.
    ///
    /// @param polls how many, 0 to end the delay
    public synchronized void delayCompletions(int polls) {
        pollsToSkip = polls;
        skippedPolls = 0;
    }

    /// Cancels what was ordered and has not happened yet.
    public synchronized void cancelAll() {
        creationsUntilFailure = 0;
        sendsUntilFailure = 0;
        receivesUntilFailure = 0;
        executionsOfFullQueue = 0;
        completionsUntilFailure = -1;
        isStalled = false;
        pollsToSkip = 0;
    }

    // ---- what was seen

    /// What is open now, without zeros; a fresh map.
    public synchronized Map<Resource, Integer> open() {
        Map<Resource, Integer> copy = new EnumMap<>(Resource.class);
        open.forEach((resource, count) -> {
            if (count != 0) {
                copy.put(resource, count);
            }
        });
        return copy;
    }

    /// How many resources were asked for, in all.
    public synchronized int creations() {
        return created;
    }

    /// How often sends were executed.
    public synchronized long sendExecutions() {
        return sendExecutions;
    }

    /// How often receives were executed.
    public synchronized long receiveExecutions() {
        return receiveExecutions;
    }

    /// How many completions were taken.
    public synchronized long completionsSeen() {
        return completionsSeen;
    }

    /// Whether the creation that was ordered to fail has failed.
    public synchronized boolean hasFailedCreation() {
        return creationsUntilFailure == 0;
    }

    // ---- what the decorators ask

    synchronized void beforeCreation(Resource resource) throws VerbsException {
        created++;
        if (creationsUntilFailure > 0
                && failingResources.contains(resource)
                && --creationsUntilFailure == 0) {
            throw new VerbsException(
                    "creating " + resource, ErrorNumber.ENOMEM, "a fault that a test has ordered");
        }
    }

    synchronized void opened(Resource resource) {
        open.merge(resource, 1, Integer::sum);
    }

    synchronized void closed(Resource resource) {
        open.merge(resource, -1, Integer::sum);
    }

    /// How many of `count` sends may be posted now.
    synchronized int admitSends(int count) throws PostException {
        sendExecutions++;
        if (sendsUntilFailure > 0 && --sendsUntilFailure == 0) {
            throw postException("post_send");
        }
        if (executionsOfFullQueue > 0) {
            executionsOfFullQueue--;
            return Math.min(count, requestsWhileFull);
        }
        return count;
    }

    synchronized void admitReceives() throws PostException {
        receiveExecutions++;
        if (receivesUntilFailure > 0 && --receivesUntilFailure == 0) {
            throw postException("post_recv");
        }
    }

    private static PostException postException(String verb) {
        return new PostException(verb, ErrorNumber.ENOMEM, 0, "a fault that a test has ordered");
    }

    /// Whether a poll must find nothing.
    synchronized boolean hidesCompletions() {
        if (isStalled) {
            return true;
        }
        if (skippedPolls < pollsToSkip) {
            skippedPolls++;
            return true;
        }
        skippedPolls = 0;
        return false;
    }

    /// Whether polls are delayed, so that a wait for an event may end early.
    synchronized boolean delaysCompletions() {
        return !isStalled && pollsToSkip > 0;
    }

    /// The status to report instead of that of the next completion, or null for its own.
    synchronized @Nullable CompletionStatus replaceStatus() {
        completionsSeen++;
        if (completionsUntilFailure < 0) {
            return null;
        }
        if (completionsUntilFailure > 0) {
            completionsUntilFailure--;
            return null;
        }
        CompletionStatus status = failure;
        failure = CompletionStatus.WORK_REQUEST_FLUSH_ERROR;
        return status;
    }

    private static int requirePositive(int nth) {
        if (nth < 1) {
            throw new IllegalArgumentException("the first is number 1, not " + nth);
        }
        return nth;
    }
}
