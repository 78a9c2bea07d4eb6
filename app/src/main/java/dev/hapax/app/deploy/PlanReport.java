package dev.hapax.app.deploy;

import dev.hapax.app.alert.TenantAlerts;
import dev.hapax.app.http.Call;
import dev.hapax.app.release.FindingView;
import dev.hapax.app.release.FlowBatch;
import dev.hapax.app.release.FlowName;
import dev.hapax.app.release.FlowState;
import dev.hapax.app.release.OpenRuns;
import dev.hapax.app.release.Retirement;
import dev.hapax.app.secret.ConnectionBatch;
import dev.hapax.app.secret.ConnectionBook;
import dev.hapax.flow.Flow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Shows a plan to people: what changes, what stays, and what has drifted. Reads only. */
final class PlanReport {
  private final FlowBatch flows;
  private final ConnectionBatch connections;
  private final Call call;
  private final DeployPlan plan;

  PlanReport(FlowBatch flows, ConnectionBatch connections, Call call, DeployPlan plan) {
    this.flows = flows;
    this.connections = connections;
    this.call = call;
    this.plan = plan;
  }

  PlanView view(@Nullable Deployment last) {
    int unchanged =
        plan.flows().size()
            + plan.connections().size()
            + (plan.alerts() == null || plan.changedAlerts() != null ? 0 : 1)
            - plan.changedFlows().size()
            - plan.changedConnections().size();
    return new PlanView(
        plan.hash(),
        plan.folder(),
        plan.content().environment(),
        plan.hasChanges(),
        plan.content().needsApproval() ? DeployBody.OTHER_PERSON : null,
        flowChanges(),
        connectionChanges(),
        alertChanges(),
        drift(last),
        unchanged,
        FindingView.of(plan.findings()));
  }

  private List<PlanView.FlowChange> flowChanges() {
    List<PlanView.FlowChange> changes = new ArrayList<>();
    for (FlowBatch.Wanted flow : plan.changedFlows()) {
      List<OpenRuns> runs = flow.live() == 0 ? List.of() : flows.openRuns(flow.flow());
      changes.add(
          new PlanView.FlowChange(
              flow.flow().flow(),
              flow.live() == 0 ? "new" : "changed",
              flow.live() == 0 ? null : flow.live(),
              flow.hash(),
              runs,
              meaning(flow, runs)));
    }
    Set<String> wanted =
        plan.flows().stream().map(flow -> flow.flow().flow()).collect(Collectors.toSet());
    for (FlowState there : flows.liveFlows(call.actor().tenant())) {
      String name = there.name().flow();
      if (!wanted.contains(name) && call.mayUse(name)) {
        boolean isRetired = plan.retiringNames().contains(name);
        List<OpenRuns> runs = flows.openRuns(there.name());
        changes.add(
            new PlanView.FlowChange(
                name,
                isRetired ? "retired" : "removed",
                there.live(),
                null,
                runs,
                isRetired ? retired(runs) : stays(name)));
      }
    }
    return changes;
  }

  private static String retired(List<OpenRuns> runs) {
    return runs.isEmpty()
        ? "nothing can start it, and its webhooks and schedules end; no run is under way"
        : "these runs end on their release; nothing can start it, and its webhooks and schedules end";
  }

  private String stays(String flow) {
    String stays = "stays live, with its runs, webhooks and schedules";
    if (plan.content().prune()) {
      return stays + ": no earlier deployment of this folder has it";
    }
    boolean isLost = plan.lost().stream().anyMatch(state -> state.name().flow().equals(flow));
    return isLost ? stays + ", unless the deployment has --prune" : stays;
  }

  private static String meaning(FlowBatch.Wanted flow, List<OpenRuns> runs) {
    if (flow.live() == 0) {
      return "starts can begin";
    }
    if (runs.isEmpty()) {
      return "no run is under way";
    }
    return flow.content().onNewRelease() == Flow.OnNewRelease.DRAIN
        ? "these runs end on their release, and new starts wait until they have ended (onNewRelease: drain)"
        : "these runs end on their release, beside new ones (onNewRelease: coexist)";
  }

  private List<PlanView.ConnectionChange> connectionChanges() {
    List<PlanView.ConnectionChange> changes = new ArrayList<>();
    for (ConnectionBatch.Wanted connection : plan.changedConnections()) {
      changes.add(
          new PlanView.ConnectionChange(
              connection.name(),
              connection.before() == null ? "new" : "changed",
              connection.differences()));
    }
    if (plan.connections().isEmpty()) {
      return changes; // a folder without connections says nothing about them
    }
    for (ConnectionBook.Saved there : connections.all(call.actor().tenant())) {
      if (plan.connections().stream().noneMatch(one -> one.name().equals(there.name()))) {
        changes.add(new PlanView.ConnectionChange(there.name(), "removed", List.of()));
      }
    }
    return changes;
  }

  private List<String> alertChanges() {
    TenantAlerts.Wanted changed = plan.changedAlerts();
    return changed == null ? List.of() : changed.differences();
  }

  private List<PlanView.Drift> drift(@Nullable Deployment last) {
    List<PlanView.Drift> drift = new ArrayList<>();
    for (FlowBatch.Wanted flow : plan.flows()) {
      var draft = flow.openDraft();
      if (draft != null) {
        drift.add(
            new PlanView.Drift(
                "draft",
                flow.flow().flow(),
                "'%s' has an unreleased draft of %s; it stays as it is"
                    .formatted(draft.author(), draft.updatedAt())));
      }
    }
    if (last != null) {
      driftSince(last, drift);
    }
    return drift;
  }

  private void driftSince(Deployment last, List<PlanView.Drift> drift) {
    String environment = plan.content().environment();
    if (!Objects.equals(environment, last.environment())) {
      drift.add(
          new PlanView.Drift(
              "environment",
              environment == null ? "none" : environment,
              "deployment %d of this server was for environment '%s'"
                  .formatted(
                      last.number(), last.environment() == null ? "none" : last.environment())));
    }
    for (Deployment.FlowPart part : last.flows()) {
      FlowState now = flows.state(new FlowName(call.actor().tenant(), part.flow()));
      Retirement retired = now.retired();
      if (retired != null && call.mayUse(part.flow())) {
        drift.add(
            new PlanView.Drift(
                "flow",
                part.flow(),
                "was retired at %s by '%s'; deployment %d made release %d live"
                    .formatted(retired.at(), retired.by(), last.number(), part.release())));
      } else if (now.live() != part.release() && call.mayUse(part.flow())) {
        drift.add(
            new PlanView.Drift(
                "flow",
                part.flow(),
                "release %d is live since %s, by '%s'; deployment %d made release %d live"
                    .formatted(
                        now.live(),
                        now.promotedAt(),
                        now.promotedBy(),
                        last.number(),
                        part.release())));
      }
    }
    if (plan.connections().isEmpty()) {
      return; // and the caller may not be allowed to read them
    }
    var there = new HashMap<String, ConnectionBook.Saved>();
    connections.all(call.actor().tenant()).forEach(one -> there.put(one.name(), one));
    for (Deployment.ConnectionPart part : last.connections()) {
      ConnectionBook.Saved now = there.get(part.name());
      if (now == null) {
        drift.add(
            new PlanView.Drift(
                "connection",
                part.name(),
                "was deleted since deployment %d".formatted(last.number())));
      } else if (!ConnectionBatch.hashOf(now.form()).equals(part.hash())) {
        drift.add(
            new PlanView.Drift(
                "connection",
                part.name(),
                "was changed at %s by '%s', after deployment %d"
                    .formatted(now.changedAt(), now.changedBy(), last.number())));
      }
    }
  }
}
