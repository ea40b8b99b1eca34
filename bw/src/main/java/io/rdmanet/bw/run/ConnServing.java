package io.rdmanet.bw.run;

import io.rdmanet.Conn;
import io.rdmanet.ConnOptions;
import io.rdmanet.DeadlineException;
import io.rdmanet.Listener;
import io.rdmanet.ProtocolViolationException;
import io.rdmanet.Rdmanet;
import io.rdmanet.bw.run.ControlRecord.Done;
import io.rdmanet.bw.run.ControlRecord.Run;
import io.rdmanet.bw.run.ControlRecord.Settled;
import io.rdmanet.bw.run.ControlRecord.Setup;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Serves clients that use a [Conn]: follows their control records.
final class ConnServing implements Server.Endpoint {
    /// How often the server looks in turn whether the client came to the new port, and whether it
    /// is still alive at the old one.
    private static final Duration REDIAL_SLICE = Duration.ofMillis(100);

    private final ServerPlan plan;
    private final Observer observer;
    private final Listener<Conn> listener;

    ConnServing(ServerPlan plan, Observer observer) throws IOException {
        this.plan = plan;
        this.observer = observer;
        listener = Rdmanet.listen(plan.address(), options());
    }

    private ConnOptions options() {
        ConnOptions options =
                ConnOptions.defaults()
                        .withEndpoint(plan.endpoint())
                        .withPollMode(plan.pollMode())
                        .withProbesTime(plan.probe());
        if (plan.slotBytes() > 0) {
            options = options.withSlotBytes(plan.slotBytes());
        }
        if (plan.depth() > 0) {
            options = options.withDepth(plan.depth());
        }
        int depth = Buffers.depth(options.depth(), options.slotBytes());
        if (depth < options.depth()) {
            observer.note(Buffers.depthLowered(options.depth(), depth, options.slotBytes()));
        }
        return options.withDepth(depth).withMaxMessageBytes(Buffers.MAX_MESSAGE_BYTES);
    }

    @Override
    public Listener<?> listener() {
        return listener;
    }

    @Override
    public long serveOne(RunMonitor monitor) throws IOException, Server.ClientFailedException {
        Conn conn = Server.accept(listener);
        observer.connected(conn.localAddress(), conn.remoteAddress(), conn.description());
        CellCollector cells = new CellCollector(observer);
        try (Client client = new Client(conn, cells, monitor)) {
            return client.serve();
        } catch (IOException e) {
            throw new Server.ClientFailedException(e);
        } finally {
            cells.finish();
        }
    }

    @Override
    public void close() {
        listener.close();
    }

    /// One client, on one connection after another.
    private final class Client implements AutoCloseable {
        private final CellCollector cells;
        private final RunMonitor monitor;
        private Conn conn;
        private long badMessages;

        Client(Conn conn, CellCollector cells, RunMonitor monitor) {
            this.conn = conn;
            this.cells = cells;
            this.monitor = monitor;
        }

        long serve() throws IOException {
            while (true) {
                ControlRecord record = Controls.next(conn);
                switch (record) {
                    case null -> {
                        return badMessages;
                    }
                    case Setup setup -> settle(setup);
                    case Run run -> receive(run);
                    case Settled settled -> throw unexpected(settled);
                    case Done done -> throw unexpected(done);
                }
            }
        }

        private void receive(Run run) throws IOException {
            try (ConnReceiver receiver = new ConnReceiver(conn, run, monitor)) {
                RunOutcome outcome = receiver.receive();
                Rate rate = outcome.rate();
                conn.sendMsg(
                        ControlDescriptor.encode(
                                new Done(
                                        rate.messages(),
                                        rate.bytes(),
                                        outcome.badMessages(),
                                        rate.nanos())));
                badMessages += outcome.badMessages();
                if (!run.warmUp()) {
                    cells.add(setting(run, receiver), outcome);
                }
            }
        }

        private Setting setting(Run run, ConnReceiver receiver) {
            return new Setting(
                    conn.description(),
                    run.mode(),
                    run.size(),
                    conn.options().depth(),
                    run.batch(),
                    receiver.bufferCount(),
                    conn.options().pollMode(),
                    true);
        }

        private void settle(Setup setup) throws IOException {
            ConnOptions own = conn.options();
            ConnOptions wanted = wanted(setup, own);
            if (wanted.equals(own)) {
                answer(new Settled(0, own.slotBytes(), own.depth()));
                return;
            }
            InetSocketAddress anyPort = new InetSocketAddress(plan.address().getAddress(), 0);
            try (Listener<Conn> second = Rdmanet.listen(anyPort, wanted)) {
                answer(new Settled(second.localAddress().getPort(), own.slotBytes(), own.depth()));
                Conn next = awaitRedial(second);
                if (next != null) {
                    conn.close();
                    conn = next;
                }
            }
        }

        private ConnOptions wanted(Setup setup, ConnOptions own) {
            if (!plan.followsClient()) {
                return own;
            }
            int slotBytes =
                    Math.clamp(
                            setup.slotBytes(),
                            ConnOptions.MIN_SLOT_BYTES,
                            Buffers.MAX_ZERO_COPY_BYTES);
            int depth = Math.min(setup.depth(), ConnOptions.MAX_DEPTH);
            return own.withSlotBytes(slotBytes).withDepth(Buffers.depth(depth, slotBytes));
        }

        /// Waits for the client at the new port.
        ///
        /// @return null if it closed the old connection instead
        private @Nullable Conn awaitRedial(Listener<Conn> second) throws IOException {
            Duration patience = conn.timeout();
            long deadline = System.nanoTime() + patience.toNanos();
            conn.timeout(REDIAL_SLICE);
            do {
                try {
                    return second.accept(REDIAL_SLICE);
                } catch (DeadlineException e) {
                    // Not yet. Is it still there?
                }
                try {
                    byte[] message = conn.recvMsg();
                    if (message == null) {
                        return lastChance(second);
                    }
                    throw unexpected(ControlDescriptor.decode(message));
                } catch (DeadlineException e) {
                    // It is, and silent, as it should be.
                }
            } while (System.nanoTime() - deadline < 0);
            throw new DeadlineException(
                    "the client "
                            + SocketText.of(conn.remoteAddress())
                            + " did not connect to "
                            + SocketText.of(second.localAddress())
                            + " within "
                            + Timeouts.seconds(patience)
                            + " s after asking for it");
        }

        /// The client closes the old connection as soon as it has the new one, so that the end of
        /// the old one may be seen first.
        private @Nullable Conn lastChance(Listener<Conn> second) throws IOException {
            try {
                return second.accept(REDIAL_SLICE);
            } catch (DeadlineException e) {
                return null;
            }
        }

        private void answer(Settled settled) throws IOException {
            conn.sendMsg(ControlDescriptor.encode(settled));
        }

        private ProtocolViolationException unexpected(ControlRecord record) {
            return new ProtocolViolationException(
                    "the client "
                            + SocketText.of(conn.remoteAddress())
                            + " sent "
                            + record
                            + " out of turn");
        }

        @Override
        public void close() {
            conn.close();
        }
    }
}
