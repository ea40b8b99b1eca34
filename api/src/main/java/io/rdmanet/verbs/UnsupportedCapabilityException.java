package io.rdmanet.verbs;

/// A request that the chosen provider cannot honour.
public final class UnsupportedCapabilityException extends VerbsException {
    private static final long serialVersionUID = 1L;

    private final String provider;
    private final Capability capability;

    /// @param provider the provider's name
    /// @param capability what it lacks
    /// @param alternative the nearest way that works, or an empty string
    public UnsupportedCapabilityException(
            String provider, Capability capability, String alternative) {
        super(
                "request",
                "provider "
                        + provider
                        + " does not support "
                        + capability.description()
                        + (alternative.isEmpty() ? "" : "; " + alternative));
        this.provider = provider;
        this.capability = capability;
    }

    /// The provider's name.
    public String provider() {
        return provider;
    }

    /// What it lacks.
    public Capability capability() {
        return capability;
    }
}
