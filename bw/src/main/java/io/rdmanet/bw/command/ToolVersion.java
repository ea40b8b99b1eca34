package io.rdmanet.bw.command;

import java.lang.module.ModuleDescriptor;
import picocli.CommandLine.IVersionProvider;

/// What `--version` prints: the version that the build wrote into the module, and Java's.
final class ToolVersion implements IVersionProvider {
    @Override
    public String[] getVersion() {
        ModuleDescriptor descriptor = Main.class.getModule().getDescriptor();
        String version =
                descriptor == null
                        ? "(development)"
                        : descriptor.rawVersion().orElse("(development)");
        return new String[] {"rdmanet-bw " + version + ", Java " + Runtime.version()};
    }
}
