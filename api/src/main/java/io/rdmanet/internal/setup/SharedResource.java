package io.rdmanet.internal.setup;

/// Something that several owners use and the last of them closes: a device or a connection manager
/// that a listener shares with the connections it accepted. Safe for use by any thread.
///
/// @param <T> what is shared
final class SharedResource<T> {
    private final T value;
    private final Runnable closer;
    private int holders = 1;

    /// The maker is the first holder.
    ///
    /// @param closer run once, when the last holder lets go
    SharedResource(T value, Runnable closer) {
        this.value = value;
        this.closer = closer;
    }

    T value() {
        return value;
    }

    /// Takes part in holding it.
    ///
    /// @throws IllegalStateException if everybody has let go already
    synchronized SharedResource<T> retain() {
        if (holders == 0) {
            throw new IllegalStateException(value + " is closed");
        }
        holders++;
        return this;
    }

    /// Lets go; each holder once.
    void release() {
        boolean isLast;
        synchronized (this) {
            isLast = --holders == 0;
        }
        if (isLast) {
            closer.run();
        }
    }
}
