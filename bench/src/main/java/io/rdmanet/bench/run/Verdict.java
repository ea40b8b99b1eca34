package io.rdmanet.bench.run;

/// What a gate run brought: messages that carried a number and a payload, all of them compared.
///
/// @param checked messages that arrived and were looked at
/// @param expected messages that were sent
/// @param bad those with another payload, length or place than they should have
public record Verdict(long checked, long expected, long bad) {
    /// Why no figure may be printed, or an empty string. A gate that looked at nothing is no gate.
    public String refusal() {
        if (checked == 0) {
            return "the gate checked no message";
        }
        if (checked != expected) {
            return checked + " of " + expected + " messages arrived";
        }
        return bad == 0 ? "" : bad + " of " + checked + " messages arrived wrong";
    }
}
