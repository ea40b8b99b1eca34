package io.rdmanet.bw.report;

import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.Context;
import io.rdmanet.verbs.DeviceAttributes;
import io.rdmanet.verbs.DeviceDescription;
import io.rdmanet.verbs.GidEntry;
import io.rdmanet.verbs.PortAttributes;
import io.rdmanet.verbs.VerbsException;
import io.rdmanet.verbs.VerbsProvider;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// What providers there are and what each can do: one tree, printed as text or as JSON.
///
/// ```
/// { "providers": [ {
///     "name", "priority", "usable", "reason",            reason: why not usable, or empty
///     "capabilities": [ ... ], "missing": [ ... ],
///     "devices": [ { "name", "description", "error",     error: why it cannot be asked, or empty
///         "firmware", "maxQueuePairs", "maxWorkRequests", "maxInlineData",
///         "ports": [ { "number", "state", "linkLayer", "activeMtu", "gbps",
///             "gids": [ { "index", "gid", "type", "networkDevice" } ] } ] } ] } ] }
/// ```
public final class ProvidersReport {
    private ProvidersReport() {}

    /// Asks the providers, and prints what they answer as JSON.
    public static String json(List<VerbsProvider> providers) {
        ObjectNode document = JsonReport.emptyDocument();
        ArrayNode array = document.putArray("providers");
        for (VerbsProvider provider : providers) {
            describe(array.addObject(), provider);
        }
        return JsonReport.text(document);
    }

    private static void describe(ObjectNode node, VerbsProvider provider) {
        Optional<String> reason = provider.unusableReason();
        node.put("name", provider.name())
                .put("priority", provider.priority())
                .put("usable", reason.isEmpty())
                .put("reason", reason.orElse(""));
        ArrayNode capabilities = node.putArray("capabilities");
        ArrayNode missing = node.putArray("missing");
        Set<Capability> able = provider.capabilities();
        for (Capability capability : EnumSet.allOf(Capability.class)) {
            (able.contains(capability) ? capabilities : missing).add(name(capability));
        }
        ArrayNode devices = node.putArray("devices");
        if (reason.isPresent()) {
            return;
        }
        try {
            for (DeviceDescription device : provider.devices()) {
                describe(devices.addObject(), provider, device);
            }
        } catch (VerbsException e) {
            node.put("reason", "devices cannot be listed: " + e.getMessage());
        }
    }

    private static void describe(
            ObjectNode node, VerbsProvider provider, DeviceDescription device) {
        node.put("name", device.name()).put("description", device.description()).put("error", "");
        try (Context context = provider.open(device.name())) {
            DeviceAttributes attributes = context.queryDevice();
            node.put("firmware", attributes.firmware())
                    .put("maxQueuePairs", attributes.maxQueuePairs())
                    .put("maxWorkRequests", attributes.maxWorkRequests())
                    .put("maxInlineData", attributes.maxInlineData());
            ArrayNode ports = node.putArray("ports");
            for (int number = 1; number <= attributes.physicalPorts(); number++) {
                describe(ports.addObject(), context, number);
            }
        } catch (VerbsException e) {
            node.put("error", String.valueOf(e.getMessage()));
        }
    }

    private static void describe(ObjectNode node, Context context, int number)
            throws VerbsException {
        PortAttributes port = context.queryPort(number);
        node.put("number", number)
                .put("state", name(port.state()))
                .put("linkLayer", name(port.linkLayer()))
                .put("activeMtu", port.activeMtu().bytes())
                .put("gbps", port.linkGigabitsPerSecond());
        ArrayNode gids = node.putArray("gids");
        if (context.provider().capabilities().contains(Capability.GID_CHOICE)) {
            for (GidEntry entry : context.gidTable(number)) {
                gids.addObject()
                        .put("index", entry.index())
                        .put("gid", entry.gid().toString())
                        .put("type", name(entry.type()))
                        .put("networkDevice", entry.networkDevice());
            }
        }
    }

    /// Asks the providers, and prints what they answer as text.
    public static List<String> lines(List<VerbsProvider> providers) {
        List<String> lines = new ArrayList<>();
        if (providers.isEmpty()) {
            lines.add("the program contains no provider");
        }
        for (VerbsProvider provider : providers) {
            ObjectNode node = JsonReport.emptyDocument();
            describe(node, provider);
            providerLines(lines, node);
        }
        return lines;
    }

    private static void providerLines(List<String> lines, ObjectNode node) {
        boolean isUsable = node.path("usable").asBoolean();
        String reason = node.path("reason").asString();
        lines.add(
                node.path("name").asString()
                        + " (priority "
                        + node.path("priority").asInt()
                        + "): "
                        + (isUsable ? "usable" : "not usable: ")
                        + (isUsable && !reason.isEmpty() ? ", but " : "")
                        + reason);
        lines.add("  can:    " + list(node, "capabilities"));
        lines.add("  cannot: " + list(node, "missing"));
        for (var device : node.path("devices")) {
            String description = device.path("description").asString();
            lines.add(
                    "  device "
                            + device.path("name").asString()
                            + (description.isEmpty() ? "" : " (" + description + ")"));
            if (!device.path("error").asString().isEmpty()) {
                lines.add("    cannot be asked: " + device.path("error").asString());
            }
            for (var port : device.path("ports")) {
                lines.add(
                        "    port "
                                + port.path("number").asInt()
                                + ": "
                                + port.path("state").asString()
                                + ", "
                                + port.path("linkLayer").asString()
                                + ", MTU "
                                + port.path("activeMtu").asInt()
                                + lineRate(port.path("gbps").asDouble()));
                for (var gid : port.path("gids")) {
                    lines.add(
                            "      GID "
                                    + gid.path("index").asInt()
                                    + ": "
                                    + gid.path("gid").asString()
                                    + " "
                                    + gid.path("type").asString()
                                    + " "
                                    + gid.path("networkDevice").asString());
                }
            }
        }
    }

    private static String lineRate(double gbps) {
        return gbps > 0 ? ", " + Figures.figure(gbps) + " Gb/s" : "";
    }

    private static String list(ObjectNode node, String field) {
        List<String> names = new ArrayList<>();
        node.path(field).forEach(item -> names.add(item.asString()));
        return names.isEmpty() ? "nothing" : String.join(", ", names);
    }

    private static String name(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
