package io.rdmanet.bw.run;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/// The command that starts this program again: the same Java with the same options, module path and
/// class path.
public final class JavaCommand {
    private JavaCommand() {}

    /// The command as words.
    ///
    /// @param mainClass where the program begins
    /// @param arguments its arguments
    public static List<String> of(Class<?> mainClass, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(
                ProcessHandle.current()
                        .info()
                        .command()
                        .orElseGet(() -> System.getProperty("java.home") + "/bin/java"));
        // Contains --module-path and other options of modules, but not the class path.
        for (String option : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
            if (!option.startsWith("-Djdk.module.main=") && !option.startsWith("-agentlib:jdwp")) {
                command.add(option);
            }
        }
        String classPath = System.getProperty("java.class.path", "");
        if (!classPath.isEmpty()) {
            command.add("-cp");
            command.add(classPath);
        }
        Module module = mainClass.getModule();
        if (module.isNamed()) {
            command.add("-m");
            command.add(module.getName() + "/" + mainClass.getName());
        } else {
            command.add(mainClass.getName());
        }
        command.addAll(arguments);
        return command;
    }
}
