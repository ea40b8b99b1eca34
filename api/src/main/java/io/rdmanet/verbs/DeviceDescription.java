package io.rdmanet.verbs;

import static java.util.Objects.requireNonNull;

/// A device that can be opened.
///
/// @param name the name to open it by (`mlx5_0`, `rxe0`, `loopback0`)
/// @param description what it is, in a few words; may be empty
public record DeviceDescription(String name, String description) {
    public DeviceDescription {
        requireNonNull(name, "name");
        requireNonNull(description, "description");
    }
}
