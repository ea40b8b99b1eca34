package io.rdmanet.disni;

import com.ibm.disni.util.MemoryUtils;
import io.rdmanet.verbs.VerbsException;
import java.io.File;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/// The machine this process runs on.
final class ThisMachine implements Prerequisites.Machine {
    @Override
    public String operatingSystem() {
        return System.getProperty("os.name", "");
    }

    @Override
    public String libraryPath() {
        return System.getProperty("java.library.path", "");
    }

    @Override
    public boolean hasLibrary(String name) {
        return Arrays.stream(libraryPath().split(File.pathSeparator, -1))
                .filter(folder -> !folder.isEmpty())
                .anyMatch(folder -> Files.isReadable(Path.of(folder, name)));
    }

    @Override
    public boolean mayReachBuffers() {
        try {
            return MemoryUtils.getAddress(ByteBuffer.allocateDirect(1)) != 0;
        } catch (IllegalAccessError e) {
            return false;
        }
    }

    @Override
    public void load() throws VerbsException {
        Disni loaded = Disni.open();
        assert loaded.verbs() != null;
    }

    @Override
    public List<String> devices() {
        return new DeviceFacts(Path.of("/")).names();
    }

    @Override
    public Path connectionManagerFile() {
        return Path.of("/dev/infiniband/rdma_cm");
    }

    @Override
    public String module() {
        Module disni = MemoryUtils.class.getModule();
        return disni.isNamed() ? disni.getName() : "ALL-UNNAMED";
    }
}
