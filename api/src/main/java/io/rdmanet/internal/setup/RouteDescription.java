package io.rdmanet.internal.setup;

import io.rdmanet.ConnectionDescription;
import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.Context;
import io.rdmanet.verbs.GidEntry;
import io.rdmanet.verbs.PortState;
import io.rdmanet.verbs.VerbsException;

/// The way packets take, in words, for a send that was not answered: "retry exceeded" has a dozen
/// causes, most of which show in it.
final class RouteDescription {
    private RouteDescription() {}

    /// Where from, where to, and how the port is now. Never fails: it is asked for when something
    /// else has.
    static String of(Context context, ConnectionDescription connection) {
        return "sent from "
                + localGid(context, connection)
                + " on port "
                + connection.portNumber()
                + " of "
                + connection.device()
                + " ("
                + portState(context, connection.portNumber())
                + ") to GID "
                + (connection.remoteGid() == null ? "unknown" : connection.remoteGid())
                + "; if the peer lives, check both interfaces, their MTU and the GID index";
    }

    /// Whether the port is known to be down.
    static boolean isPortDown(Context context, int portNumber) {
        try {
            return context.queryPort(portNumber).state() == PortState.DOWN;
        } catch (VerbsException | IllegalStateException deviceIsGone) {
            return false;
        }
    }

    private static String localGid(Context context, ConnectionDescription connection) {
        try {
            if (context.provider().capabilities().contains(Capability.GID_CHOICE)) {
                for (GidEntry entry : context.gidTable(connection.portNumber())) {
                    if (entry.index() == connection.gidIndex()) {
                        return "GID index " + GidChoice.describe(entry);
                    }
                }
            }
        } catch (VerbsException | IllegalStateException deviceIsGone) {
            // What was known when it stood must do.
        }
        return "GID index " + connection.gidIndex();
    }

    private static String portState(Context context, int portNumber) {
        try {
            return "now " + context.queryPort(portNumber).state();
        } catch (VerbsException | IllegalStateException deviceIsGone) {
            return "which does not answer";
        }
    }
}
