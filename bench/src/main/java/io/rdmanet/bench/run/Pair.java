package io.rdmanet.bench.run;

import io.rdmanet.bench.end.End;
import io.rdmanet.bw.run.JavaCommand;
import io.rdmanet.bw.run.WorkerProcess;
import io.rdmanet.bw.run.WorkerProtocol;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The two processes of a subject, started when they are first needed. They live as long as the
/// measurement, so that their code stays compiled, and end with this process, however that ends.
///
/// Belongs to one thread.
final class Pair implements AutoCloseable {
    private static final Duration START_UP = Duration.ofSeconds(60);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final String name;
    private @Nullable WorkerProcess server;
    private @Nullable WorkerProcess client;

    /// @param name for messages
    Pair(String name) {
        this.name = name;
    }

    private WorkerProcess server() throws IOException {
        WorkerProcess running = server;
        if (running == null) {
            running = start("server");
            server = running;
        }
        return running;
    }

    private WorkerProcess client() throws IOException {
        WorkerProcess running = client;
        if (running == null) {
            running = start("client");
            client = running;
        }
        return running;
    }

    private WorkerProcess start(String role) throws IOException {
        WorkerProcess process =
                WorkerProcess.start(
                        "the " + role + " of " + name, JavaCommand.of(End.class, List.of()));
        process.await(WorkerProtocol.READY, START_UP);
        return process;
    }

    /// Tells the server to do something and waits for the answer.
    ///
    /// @param errand its name, then its arguments
    /// @return the answer
    Answer askServer(Object... errand) throws IOException {
        return ask(server(), errand);
    }

    /// Tells the client to do something and waits for the answer.
    Answer askClient(Object... errand) throws IOException {
        return ask(client(), errand);
    }

    /// Tells the client to do something while it is not waited for.
    void tellClient(Object... errand) throws IOException {
        client().tell(errand);
    }

    /// Waits for what [#tellClient] asked for.
    Answer awaitClient(String errand) throws IOException {
        return answer(client(), errand);
    }

    private static Answer ask(WorkerProcess process, Object... errand) throws IOException {
        process.tell(errand);
        return answer(process, errand);
    }

    /// Tells both to do something together.
    ///
    /// @return the client's answer, then the server's
    List<Answer> askBoth(List<?> ofServer, List<?> ofClient) throws IOException {
        WorkerProcess first = server();
        WorkerProcess second = client();
        first.tell(ofServer.toArray());
        second.tell(ofClient.toArray());
        Answer clients = answer(second, ofClient.toArray());
        return List.of(clients, answer(first, ofServer.toArray()));
    }

    private static Answer answer(WorkerProcess process, Object... errand) throws IOException {
        return new Answer(process.await(errand[0].toString(), PATIENCE));
    }

    @Override
    public void close() {
        if (client != null) {
            client.close();
            client = null;
        }
        if (server != null) {
            server.close();
            server = null;
        }
    }

    /// An answer's fields; 0 is the errand's name.
    record Answer(List<String> fields) {
        long number(int index) {
            return Long.parseLong(fields.get(index));
        }

        /// All numbers from one on.
        List<Double> reals(int from) {
            return fields.subList(from, fields.size()).stream().map(Double::valueOf).toList();
        }

        double real(int index) {
            return Double.parseDouble(fields.get(index));
        }
    }
}
