package io.rdmanet.tck.fault;

import io.rdmanet.verbs.VerbsException;
import java.util.concurrent.atomic.AtomicBoolean;

/// Counts one resource in its plan, from creation to the first `close()` that succeeded.
final class Tracked {
    private final FaultPlan plan;
    private final Resource resource;
    private final AtomicBoolean isOpen = new AtomicBoolean(true);

    private Tracked(FaultPlan plan, Resource resource) {
        this.plan = plan;
        this.resource = resource;
    }

    /// Makes a resource, unless it was ordered to fail.
    interface Creation<T> {
        T create() throws VerbsException;
    }

    /// Wraps what was made.
    interface Wrapping<T, W> {
        W wrap(T created, Tracked tracked);
    }

    static <T, W> W create(
            FaultPlan plan, Resource resource, Creation<T> creation, Wrapping<T, W> wrapping)
            throws VerbsException {
        plan.beforeCreation(resource);
        T created = creation.create();
        plan.opened(resource);
        return wrapping.wrap(created, new Tracked(plan, resource));
    }

    /// Counts what exists already.
    static Tracked existing(FaultPlan plan, Resource resource) {
        plan.opened(resource);
        return new Tracked(plan, resource);
    }

    /// The resource has been closed.
    void closed() {
        if (isOpen.compareAndSet(true, false)) {
            plan.closed(resource);
        }
    }
}
