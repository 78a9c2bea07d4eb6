package dev.hapax.app.deploy;

import dev.hapax.app.alert.TenantAlerts;
import dev.hapax.app.release.FlowBatch;
import dev.hapax.app.release.FlowName;
import dev.hapax.app.release.FlowState;
import dev.hapax.app.secret.ConnectionBatch;
import dev.hapax.flows.check.Finding;
import dev.hapax.json.Digest;
import dev.hapax.json.Json;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a deployment would change, given the present state of the server.
 *
 * @param flows all flows of the folder, by name
 * @param connections all connections of the folder, by name
 * @param alerts of the folder; null if it says nothing about them
 * @param lost live flows that this folder had in an earlier deployment, and has no longer
 * @param basis the number of the deployment that is live; 0 if none is
 * @param findings warnings about files that change
 */
record DeployPlan(
    DeployContent content,
    List<FlowBatch.Wanted> flows,
    List<ConnectionBatch.Wanted> connections,
    TenantAlerts.@Nullable Wanted alerts,
    List<FlowState> lost,
    int basis,
    List<Finding> findings) {

  List<FlowBatch.Wanted> changedFlows() {
    return flows.stream().filter(FlowBatch.Wanted::isChange).toList();
  }

  List<ConnectionBatch.Wanted> changedConnections() {
    return connections.stream().filter(ConnectionBatch.Wanted::isChange).toList();
  }

  boolean hasChanges() {
    return !changedFlows().isEmpty()
        || !changedConnections().isEmpty()
        || changedAlerts() != null
        || !retiring().isEmpty();
  }

  TenantAlerts.@Nullable Wanted changedAlerts() {
    return alerts != null && alerts.isChange() ? alerts : null;
  }

  /** The flows that become retired. */
  List<FlowState> retiring() {
    return content.prune() ? lost : List.of();
  }

  Set<String> retiringNames() {
    return retiring().stream().map(state -> state.name().flow()).collect(Collectors.toSet());
  }

  List<FlowName> changedNames() {
    return Stream.concat(
            changedFlows().stream().map(FlowBatch.Wanted::flow),
            retiring().stream().map(FlowState::name))
        .toList();
  }

  /** The hash of the files with their values, whatever the server has. */
  String folder() {
    var content = new TreeMap<String, Object>();
    content.put(
        "flows", flows.stream().map(flow -> List.of(flow.flow().flow(), flow.hash())).toList());
    content.put(
        "connections", connections.stream().map(one -> List.of(one.name(), one.hash())).toList());
    if (alerts != null) {
      content.put("alerts", alerts.hash());
    }
    return hash(content);
  }

  /**
   * The hash of the plan: of the files, and of everything on the server that the plan was made
   * from. Versions are never used again, so two plans with one hash mean the same.
   */
  String hash() {
    var basisOfPlan = new LinkedHashMap<String, Object>();
    basisOfPlan.put("folder", folder());
    basisOfPlan.put("environment", Objects.requireNonNullElse(content.environment(), ""));
    basisOfPlan.put("approval", content.needsApproval());
    basisOfPlan.put("allowMissing", content.allowMissing());
    if (alerts != null) {
      basisOfPlan.put("alerts", alerts.version());
    }
    if (content.prune()) {
      basisOfPlan.put(
          "retiring",
          lost.stream().map(state -> List.of(state.name().flow(), state.live())).toList());
    }
    basisOfPlan.put("applied", basis);
    basisOfPlan.put("live", flows.stream().map(FlowBatch.Wanted::live).toList());
    basisOfPlan.put("versions", connections.stream().map(ConnectionBatch.Wanted::version).toList());
    return hash(basisOfPlan);
  }

  private static String hash(Map<String, Object> value) {
    return HexFormat.of().formatHex(Digest.sha256(Json.write(new TreeMap<>(value))));
  }
}
