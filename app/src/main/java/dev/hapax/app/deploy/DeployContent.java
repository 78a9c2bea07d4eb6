package dev.hapax.app.deploy;

import dev.hapax.app.release.FlowBatch;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What a deployment wants a server to have.
 *
 * @param needsApproval whether another person must approve it before it is live
 * @param prune whether flows that the folder had before are retired
 * @param connections their forms, by name
 * @param alerts of the tenant; null if the folder says nothing about them
 */
record DeployContent(
    @Nullable String environment,
    boolean needsApproval,
    boolean allowMissing,
    boolean prune,
    @Nullable String note,
    List<FlowBatch.Source> flows,
    SortedMap<String, JsonNode> connections,
    @Nullable JsonNode alerts) {}
