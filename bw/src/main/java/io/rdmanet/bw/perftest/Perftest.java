package io.rdmanet.bw.perftest;

import io.rdmanet.bw.perftest.wire.Exchange;
import io.rdmanet.bw.perftest.wire.PeerSocket;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/// One end of a measurement whose other end is a C tool: ib_send_bw, ib_write_bw, ib_read_bw or
/// ib_send_lat. Belongs to one thread.
public final class Perftest {
    private final PerftestPlan plan;
    private final PerftestObserver observer;

    /// @param observer is told of everything
    public Perftest(PerftestPlan plan, PerftestObserver observer) {
        this.plan = plan;
        this.observer = observer;
    }

    /// Connects or serves, runs, and closes.
    public void run() throws IOException {
        try (PerftestDevice device = PerftestDevice.open(plan)) {
            if (plan.isClient()) {
                runWith(device, PeerSocket.connect(plan.address(), plan.endpoint().timeout()));
            } else if (plan.loops()) {
                serveAll(device);
            } else {
                runWith(device, acceptOne(device));
            }
        }
    }

    /// Takes one client and listens no more: a second one is refused, and does not wait in vain.
    private PeerSocket acceptOne(PerftestDevice device) throws IOException {
        try (ServerSocketChannel listener = listen(device)) {
            return new PeerSocket(listener.accept());
        }
    }

    private void serveAll(PerftestDevice device) throws IOException {
        try (ServerSocketChannel listener = listen(device)) {
            while (true) {
                SocketChannel client = listener.accept();
                try {
                    // One that was reset at once fails here already, and is one client's affair.
                    runWith(device, new PeerSocket(client));
                } catch (IOException failure) {
                    observer.failed(failure);
                } catch (RuntimeException unexpected) {
                    observer.failed(
                            new IOException("serving a client failed: " + unexpected, unexpected));
                }
            }
        }
    }

    private ServerSocketChannel listen(PerftestDevice device) throws IOException {
        ServerSocketChannel listener = ServerSocketChannel.open();
        try {
            listener.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            listener.bind(plan.address(), 1);
            observer.listening(
                    (InetSocketAddress) listener.getLocalAddress(),
                    device.selection().provider().name(),
                    device.selection().reason());
            return listener;
        } catch (BindException taken) {
            listener.close();
            throw new IOException(
                    "cannot listen on port "
                            + plan.address().getPort()
                            + " ("
                            + taken.getMessage()
                            + "): choose another with -p, on both ends",
                    taken);
        } catch (IOException failure) {
            listener.close();
            throw failure;
        }
    }

    private void runWith(PerftestDevice device, PeerSocket socket) throws IOException {
        try (socket) {
            Exchange exchange = new Exchange(socket, plan.isClient(), plan.endpoint().timeout());
            new PerftestRun(plan, device, exchange, observer).run();
        } finally {
            observer.finished();
        }
    }
}
