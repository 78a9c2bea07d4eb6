package dev.hapax.app.deploy;

import dev.hapax.app.alert.TenantAlerts;
import dev.hapax.app.data.Stored;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.TokenScope;
import dev.hapax.app.release.FlowBatch;
import dev.hapax.app.release.FlowState;
import dev.hapax.app.secret.ConnectionBatch;
import dev.hapax.flows.check.Finding;
import dev.hapax.flows.connection.Connections;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Compares a folder with the server. Reads only. Safe for many threads. */
final class Planner {
  private final FlowBatch flows;
  private final ConnectionBatch connections;
  private final TenantAlerts alerts;
  private final DeploymentBook book;

  Planner(FlowBatch flows, ConnectionBatch connections, TenantAlerts alerts, DeploymentBook book) {
    this.flows = flows;
    this.connections = connections;
    this.alerts = alerts;
    this.book = book;
  }

  /** Returns the plan; refuses files with errors, other tokens' flows, and what needs more. */
  DeployPlan plan(Call call, DeployContent content) {
    String tenant = call.actor().tenant();
    // First, so that a deployment that becomes live meanwhile makes this plan stale.
    Stored<DeploymentBook.Head> head = book.head(tenant);
    List<FlowBatch.Wanted> wanted = flows.read(tenant, content.flows());
    wanted.forEach(flow -> flows.refuseOthers(flow, call.actor()));
    List<ConnectionBatch.Wanted> forms = connections(call, content);
    List<FlowState> lost = lost(call, content, wanted, head.value());
    TenantAlerts.Wanted told = alerts(call, content);
    var plan =
        new DeployPlan(content, wanted, forms, told, lost, head.value().applied(), List.of());
    List<Finding> warnings = new ArrayList<>();
    plan.changedFlows().forEach(flow -> warnings.addAll(flow.warnings()));
    warnings.addAll(missing(call, plan));
    return new DeployPlan(content, wanted, forms, told, lost, plan.basis(), List.copyOf(warnings));
  }

  /**
   * Finds live flows that the folder had before. The last deployment that had such a flow was for
   * the same environment, and also had a flow of this folder: so a flow that was made by hand, or
   * belongs to another folder, is not among them.
   */
  private List<FlowState> lost(
      Call call, DeployContent content, List<FlowBatch.Wanted> wanted, DeploymentBook.Head head) {
    String tenant = call.actor().tenant();
    Set<String> names = namesOf(wanted);
    Map<String, Integer> deployed = book.flows(tenant, head);
    var ofFolder = new HashMap<Integer, Boolean>();
    return flows.liveFlows(tenant).stream()
        .filter(state -> !names.contains(state.name().flow()))
        .filter(state -> call.mayUse(state.name().flow()))
        .filter(
            state -> {
              Integer number = deployed.get(state.name().flow());
              return number != null
                  && ofFolder.computeIfAbsent(
                      number, one -> isOfFolder(book.find(tenant, one), content, names));
            })
        .toList();
  }

  private static boolean isOfFolder(
      @Nullable Stored<Deployment> stored, DeployContent content, Set<String> names) {
    Deployment deployment = stored == null ? null : stored.value();
    return deployment != null
        && Objects.equals(deployment.environment(), content.environment())
        && deployment.flows().stream().anyMatch(part -> names.contains(part.flow()));
  }

  private static Set<String> namesOf(List<FlowBatch.Wanted> wanted) {
    return wanted.stream().map(flow -> flow.flow().flow()).collect(Collectors.toSet());
  }

  private TenantAlerts.@Nullable Wanted alerts(Call call, DeployContent content) {
    JsonNode form = content.alerts();
    if (form != null && !call.actor().may(TokenScope.CONNECTIONS_READ)) {
      throw Problem.forbidden(
          "the folder has alerts, and a plan compares them: the token needs %s"
              .formatted(TokenScope.CONNECTIONS_READ.word()));
    }
    return form == null ? null : alerts.read(call.actor().tenant(), form);
  }

  private List<ConnectionBatch.Wanted> connections(Call call, DeployContent content) {
    if (!content.connections().isEmpty() && !call.actor().may(TokenScope.CONNECTIONS_READ)) {
      throw Problem.forbidden(
          "the folder has connections, and a plan compares them: the token needs %s"
              .formatted(TokenScope.CONNECTIONS_READ.word()));
    }
    return content.connections().entrySet().stream()
        .map(form -> connections.read(call.actor().tenant(), form.getKey(), form.getValue()))
        .toList();
  }

  /** Looks at flows that change, at those whose connections do, and at what is retired. */
  private List<Finding> missing(Call call, DeployPlan plan) {
    Connections soon = connections.after(plan.connections());
    Set<String> names = namesOf(plan.flows());
    Set<String> retiring = plan.retiringNames();
    Set<String> changed =
        plan.changedConnections().stream()
            .map(ConnectionBatch.Wanted::name)
            .collect(Collectors.toSet());
    List<Finding> missing = new ArrayList<>();
    for (FlowBatch.Wanted flow : plan.flows()) {
      var used = new HashSet<>(flow.content().connections());
      used.retainAll(changed);
      if (flow.isChange() || !used.isEmpty() || !retiring.isEmpty()) {
        missing.addAll(
            flows.missing(
                flow,
                soon,
                here ->
                    name -> names.contains(name) || (!retiring.contains(name) && here.test(name))));
      }
    }
    TenantAlerts.Wanted told = plan.alerts();
    if (told != null) {
      String tenant = call.actor().tenant();
      missing.addAll(
          new ChannelCheck(
                  name -> soon.find(name).or(() -> connections.find(tenant, name)),
                  name ->
                      names.contains(name)
                          || (!retiring.contains(name) && flows.canStart(tenant, name)))
              .missing(told.plan()));
    }
    if (!retiring.isEmpty()) {
      missing.addAll(
          flows.starters(
              call.actor().tenant(), retiring, name -> !names.contains(name), call::mayUse));
    }
    if (!missing.isEmpty() && !plan.content().allowMissing()) {
      throw Problem.findings(
          "the folder needs what this server does not have; nothing was changed. Add it, or say allowMissing (--allow-missing) to add it later",
          missing.stream().map(Finding::json).toList());
    }
    return missing.stream().map(Finding::asWarning).toList();
  }
}
