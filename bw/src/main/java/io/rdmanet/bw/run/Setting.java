package io.rdmanet.bw.run;

import io.rdmanet.ConnectionDescription;
import io.rdmanet.PollMode;

/// What a figure was measured on and with.
///
/// @param connection provider, device and what else the connection runs on
/// @param mode the tier
/// @param size bytes of each message
/// @param depth credit window, or transmit depth in the raw tier
/// @param batch messages per call; in the raw tier the longest chain posted at once
/// @param buffers different buffers that this end's messages lie in
/// @param pollMode how threads waited
/// @param isReceiver whether the figures are the receiving end's
public record Setting(
        ConnectionDescription connection,
        Mode mode,
        int size,
        int depth,
        int batch,
        int buffers,
        PollMode pollMode,
        boolean isReceiver) {}
