package io.rdmanet.disni;

import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaVerbs;
import io.rdmanet.verbs.VerbsException;
import java.io.IOException;

/// DiSNI as this provider drives it: its two classes of verbs, which a test can stand in for.
///
/// Only their abstract methods are called, none of DiSNI's endpoint classes: those wait for events
/// without an end.
///
/// @param connectionManager `rdma_*`
/// @param verbs `ibv_*`
record Disni(RdmaCm connectionManager, RdmaVerbs verbs) {
    /// Loads libdisni, if it is not loaded yet.
    ///
    /// @throws VerbsException if DiSNI does not like the library it finds
    /// @throws LinkageError if there is none, or it cannot be loaded
    static Disni open() throws VerbsException {
        try {
            return new Disni(RdmaCm.open(), RdmaVerbs.open());
        } catch (IOException e) {
            throw DisniFailure.of("loading libdisni", e, "DiSNI refuses the library");
        }
    }
}
