package io.rdmanet.loopback.connection;

import io.rdmanet.verbs.ConnectionIdentifier;
import io.rdmanet.verbs.ConnectionListener;
import io.rdmanet.verbs.ConnectionParameters;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/// A process that dials a port and holds the connection (`dial PORT`), or listens on any port and
/// answers nobody (`listen`).
final class DiallingChild {
    private DiallingChild() {}

    public static void main(String[] arguments) throws Exception {
        FakeDevice device = new FakeDevice();
        if (arguments[0].equals("listen")) {
            ConnectionListener listener =
                    device.manager.listen(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
            System.out.println(listener.localAddress().getPort());
        } else {
            ConnectionIdentifier identifier =
                    device.manager.resolve(
                            new InetSocketAddress(
                                    InetAddress.getLoopbackAddress(),
                                    Integer.parseInt(arguments[1])),
                            null,
                            0);
            identifier.createQueuePair(device.protectionDomain, FakeDevice.anyAttributes());
            identifier.connect(ConnectionParameters.defaults(), TimeUnit.SECONDS.toNanos(10));
            System.out.println("connected");
        }
        Thread.sleep(60_000);
    }
}
