package io.rdmanet.bw.report;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;

/// Where a document goes: a file, or standard output.
public final class Output {
    /// Stands for standard output.
    public static final String STANDARD_OUTPUT = "-";

    private Output() {}

    /// Whether a document can be written there, found out before a long measurement.
    ///
    /// @throws IOException saying why not
    public static void check(String file) throws IOException {
        if (file.equals(STANDARD_OUTPUT)) {
            return;
        }
        Path path = Path.of(file).toAbsolutePath();
        Path folder = path.getParent();
        if (Files.isDirectory(path)) {
            throw new IOException("cannot write " + file + ": it is a folder");
        }
        if (folder == null || !Files.isDirectory(folder)) {
            throw new IOException("cannot write " + file + ": there is no folder " + folder);
        }
        if (!Files.isWritable(Files.exists(path) ? path : folder)) {
            throw new IOException("cannot write " + file + ": no permission");
        }
    }

    /// Writes a document.
    public static void write(String file, String document, PrintStream standardOutput)
            throws IOException {
        String text = document.endsWith("\n") ? document : document + "\n";
        if (file.equals(STANDARD_OUTPUT)) {
            standardOutput.print(text);
            standardOutput.flush();
        } else {
            Files.writeString(Path.of(file), text);
        }
    }
}
