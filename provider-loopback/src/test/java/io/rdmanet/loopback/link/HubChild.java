package io.rdmanet.loopback.link;

import io.rdmanet.verbs.GlobalIdentifier;
import java.nio.file.Files;

/// A process with an open device, some shared memory and a port. It answers no request.
final class HubChild {
    private HubChild() {}

    /// What it prints when it is ready.
    record Announcement(GlobalIdentifier gid, int port) {
        static Announcement of(String line) {
            int space = line.indexOf(' ');
            return new Announcement(
                    Instance.gidOf(Long.parseLong(line.substring(0, space))),
                    Integer.parseInt(line.substring(space + 1)));
        }
    }

    /// Runs until it is killed.
    ///
    /// @param arguments `hold` (the default) or `churn`: open and close devices for ever
    public static void main(String[] arguments) throws Exception {
        boolean churns = arguments.length > 0 && arguments[0].equals("churn");
        if (churns) {
            System.out.println("churning");
        }
        while (churns) {
            try (Hub hub = Hub.open(new Deaf())) {
                if (Files.notExists(hub.instance().directory().resolve(Instance.LOCK_NAME))) {
                    System.err.println("somebody removed a living instance");
                    System.exit(3);
                }
            }
        }
        Hub hub = Hub.open(new Deaf());
        int port = 0;
        for (int candidate = 50_000; port == 0; candidate++) {
            PortClaim claim = PortClaim.take(hub.instance(), candidate);
            port = claim == null ? 0 : claim.port();
        }
        Files.writeString(hub.instance().memoryDirectory(1).resolve("file"), "x");
        System.out.println(hub.instance().id() + " " + port);
        Thread.sleep(60_000);
    }

    private static final class Deaf implements HubListener {
        @Override
        public void onWake(int queuePairNumber) {}

        @Override
        public void onRequest(LinkRequest request) {}

        @Override
        public void onPeerGone(GlobalIdentifier peer) {}
    }
}
