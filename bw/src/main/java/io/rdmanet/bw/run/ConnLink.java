package io.rdmanet.bw.run;

import static java.util.Objects.requireNonNull;

import io.rdmanet.Conn;
import io.rdmanet.ConnOptions;
import io.rdmanet.Rdmanet;
import io.rdmanet.bw.run.ControlRecord.Settled;
import io.rdmanet.bw.run.ControlRecord.Setup;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/// The client's [Conn]: one for each size, with slots that fit it on both ends.
///
/// A server that was given no slots of its own follows: it answers SETUP with a port at which it
/// waits with the slots asked for, and this end connects there before it closes what it had.
final class ConnLink implements Client.Link {
    private static final int DEFAULT_MAX_MESSAGE_BYTES = ConnOptions.defaults().maxMessageBytes();

    private final ClientPlan plan;
    private final Observer observer;
    private @Nullable Conn conn;
    private @Nullable ConnSender sender;
    private @Nullable Setting setting;
    private boolean isConnected;

    ConnLink(ClientPlan plan, Observer observer) {
        this.plan = plan;
        this.observer = observer;
    }

    @Override
    public boolean prepare(int size) throws IOException {
        if (sender != null) {
            sender.close();
            sender = null;
        }
        Mode mode = plan.mode();
        ConnOptions options = options(size);
        Conn settled = settle(options);
        if (mode == Mode.ZERO_COPY && settled.sendSlotBytes() < size) {
            return leaveOut(settled, size);
        }
        int batch = mode == Mode.MSG ? 1 : plan.batch();
        int fitting = mode == Mode.BATCH ? Buffers.count(batch, size) : batch;
        if (fitting < batch) {
            observer.note(
                    "batch lowered from "
                            + batch
                            + " to "
                            + fitting
                            + ": messages of "
                            + size
                            + " bytes would take more than "
                            + (Buffers.MAX_BUFFER_BYTES_IN_ALL >> 20)
                            + " MiB");
        }
        sender = new ConnSender(settled, mode, size, fitting);
        setting =
                new Setting(
                        settled.description(),
                        mode,
                        size,
                        options.depth(),
                        fitting,
                        mode == Mode.ZERO_COPY ? options.depth() : fitting,
                        plan.pollMode(),
                        false);
        if (!isConnected) {
            isConnected = true;
            observer.connected(
                    settled.localAddress(), settled.remoteAddress(), settled.description());
        }
        return true;
    }

    private ConnOptions options(int size) {
        int slotBytes = Buffers.slotBytes(plan.mode(), size);
        int depth = Buffers.depth(plan.depth(), slotBytes);
        if (depth < plan.depth()) {
            observer.note(Buffers.depthLowered(plan.depth(), depth, slotBytes));
        }
        return ConnOptions.defaults()
                .withEndpoint(plan.endpoint())
                .withSlotBytes(slotBytes)
                .withDepth(depth)
                .withMaxMessageBytes(Math.max(size, DEFAULT_MAX_MESSAGE_BYTES))
                .withPollMode(plan.pollMode())
                .withProbesTime(plan.probe());
    }

    /// A connection on which both ends have the slots wanted, or as near as the server goes.
    private Conn settle(ConnOptions options) throws IOException {
        Conn current = conn;
        if (current == null) {
            current = Rdmanet.dial(plan.server(), options);
            conn = current;
        }
        current.sendMsg(
                ControlDescriptor.encode(
                        new Setup(
                                options.slotBytes(), options.depth(), options.maxMessageBytes())));
        Settled settled = Controls.receive(current, Settled.class, "settle the slots");
        if (settled.port() == 0) {
            return current;
        }
        InetSocketAddress address =
                new InetSocketAddress(plan.server().getAddress(), settled.port());
        Conn next;
        try {
            next = Rdmanet.dial(address, options);
        } catch (IOException e) {
            throw new RunFailedException(
                    "the server waits at "
                            + address
                            + " with slots of "
                            + options.slotBytes()
                            + " bytes, but cannot be reached there: "
                            + e.getMessage()
                            + "; give the server -s "
                            + options.slotBytes()
                            + " --depth "
                            + options.depth()
                            + ", and it keeps to its own port",
                    e);
        }
        conn = next;
        current.close();
        return next;
    }

    private boolean leaveOut(Conn settled, int size) throws IOException {
        String detail =
                "--zero-copy: a message of "
                        + size
                        + " bytes does not fit one slot of "
                        + settled.sendSlotBytes()
                        + " bytes; give the server -s "
                        + size
                        + " or none at all";
        if (plan.sizes().size() == 1) {
            throw new RunFailedException(detail);
        }
        observer.note("left out: " + detail);
        return false;
    }

    @Override
    public Setting setting() {
        return requireNonNull(setting, "not prepared");
    }

    @Override
    public RunOutcome run(RunSpec spec, RunMonitor monitor) throws IOException {
        return requireNonNull(sender, "not prepared").run(spec, monitor);
    }

    @Override
    public void close() {
        if (sender != null) {
            sender.close();
        }
        if (conn != null) {
            conn.close();
        }
    }
}
