package io.rdmanet.ffm;

import io.rdmanet.ffm.c.SharedLibrary;
import io.rdmanet.ffm.queue.DeviceList;
import io.rdmanet.verbs.VerbsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// The machine this process runs on.
final class ThisMachine implements Prerequisites.Machine {
    @Override
    public String operatingSystem() {
        return System.getProperty("os.name", "");
    }

    @Override
    public String architecture() {
        return System.getProperty("os.arch", "");
    }

    @Override
    public Path root() {
        return Path.of("/");
    }

    @Override
    public boolean mayUse(Path file) {
        return Files.isReadable(file) && Files.isWritable(file);
    }

    @Override
    public Optional<Predicate<String>> load(String library) {
        return SharedLibrary.load(library).map(loaded -> loaded::has);
    }

    @Override
    public List<String> devices() throws VerbsException {
        try (DeviceList list = DeviceList.read()) {
            return list.names();
        }
    }

    @Override
    public String module() {
        Module own = ThisMachine.class.getModule();
        return own.isNamed() ? own.getName() : "ALL-UNNAMED";
    }
}
