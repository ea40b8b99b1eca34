package io.rdmanet.bw.run;

import io.rdmanet.ConnectionDescription;
import io.rdmanet.PollMode;
import io.rdmanet.RawVerb;
import java.util.Locale;

/// What a figure was measured on and with.
///
/// @param connection provider, device and what else the connection runs on
/// @param mode the tier
/// @param verb what each message is; SEND but in the raw tier
/// @param size bytes of each message
/// @param depth credit window, or transmit depth in the raw tier
/// @param batch messages per call; in the raw tier the longest chain posted at once
/// @param buffers different buffers that this end's messages lie in
/// @param pollMode how threads waited
/// @param isReceiver whether the figures are the receiving end's
public record Setting(
        ConnectionDescription connection,
        Mode mode,
        RawVerb verb,
        int size,
        int depth,
        int batch,
        int buffers,
        PollMode pollMode,
        boolean isReceiver) {
    /// Messages that are sent.
    public Setting(
            ConnectionDescription connection,
            Mode mode,
            int size,
            int depth,
            int batch,
            int buffers,
            PollMode pollMode,
            boolean isReceiver) {
        this(connection, mode, RawVerb.SEND, size, depth, batch, buffers, pollMode, isReceiver);
    }

    /// The mode's name in documents: `raw`, and `raw-write` and `raw-read` for the other verbs.
    public String label() {
        return mode.label()
                + (verb == RawVerb.SEND ? "" : "-" + verb.name().toLowerCase(Locale.ROOT));
    }
}
