package io.rdmanet.bw.command;

import io.rdmanet.RawVerb;
import java.util.Locale;
import java.util.Map;
import java.util.Stack;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;

/// Takes what follows `--perftest` for its verb only if it is one: it may be the server's address,
/// too.
final class OptionalVerb implements IParameterPreprocessor {
    private static final String DEFAULT = lowerCase(RawVerb.SEND);

    @Override
    @SuppressWarnings("JdkObsolete") // picocli's own parameter
    public boolean preprocess(
            Stack<String> arguments,
            CommandSpec command,
            ArgSpec option,
            Map<String, Object> information) {
        // With --perftest=VERB it is for picocli to find fault with it.
        boolean isAttached = "=".equals(information.get("separator"));
        if (!isAttached && (arguments.isEmpty() || !isVerb(arguments.peek()))) {
            arguments.push(DEFAULT);
        }
        return false;
    }

    private static boolean isVerb(String word) {
        for (RawVerb verb : RawVerb.values()) {
            if (lowerCase(verb).equals(word.toLowerCase(Locale.ROOT))) {
                return true;
            }
        }
        return false;
    }

    private static String lowerCase(RawVerb verb) {
        return verb.name().toLowerCase(Locale.ROOT);
    }
}
