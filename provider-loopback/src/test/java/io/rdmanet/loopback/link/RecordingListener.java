package io.rdmanet.loopback.link;

import io.rdmanet.verbs.GlobalIdentifier;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/// Keeps what a hub reports.
class RecordingListener implements HubListener {
    final BlockingQueue<Integer> wakes = new LinkedBlockingQueue<>();
    final BlockingQueue<LinkRequest> requests = new LinkedBlockingQueue<>();
    final BlockingQueue<GlobalIdentifier> gone = new LinkedBlockingQueue<>();

    @Override
    public void onWake(int queuePairNumber) {
        wakes.add(queuePairNumber);
    }

    @Override
    public void onRequest(LinkRequest request) {
        requests.add(request);
    }

    @Override
    public void onPeerGone(GlobalIdentifier peer) {
        gone.add(peer);
    }
}
