package io.rdmanet.tck;

import java.util.Deque;
import org.jspecify.annotations.Nullable;

/// Closes one thing after another, whatever each of them throws, and throws the first failure at
/// the end, unchecked.
final class Closing {
    private @Nullable Exception failure;

    void close(@Nullable AutoCloseable resource) {
        if (resource == null) {
            return;
        }
        try {
            resource.close();
        } catch (Exception e) {
            if (failure == null) {
                failure = e;
            } else {
                failure.addSuppressed(e);
            }
        }
    }

    /// Closes what was pushed last first.
    void closeAll(Deque<? extends AutoCloseable> resources) {
        while (!resources.isEmpty()) {
            close(resources.pop());
        }
    }

    void rethrow() {
        if (failure instanceof RuntimeException unchecked) {
            throw unchecked;
        }
        if (failure != null) {
            throw new AssertionError("closing failed", failure);
        }
    }
}
