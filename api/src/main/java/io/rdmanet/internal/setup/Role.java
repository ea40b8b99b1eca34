package io.rdmanet.internal.setup;

/// What a connection will carry. The two ends must agree, or the connection is refused.
public enum Role {
    MESSAGE(1),
    RAW(2);

    private final int code;

    Role(int code) {
        this.code = code;
    }

    /// Its number on the wire.
    public int code() {
        return code;
    }

    /// The role of a number, or a name for an unknown one, for messages.
    public static String describe(int code) {
        for (Role role : values()) {
            if (role.code == code) {
                return role.name().toLowerCase(java.util.Locale.ROOT);
            }
        }
        return "unknown role " + code;
    }
}
