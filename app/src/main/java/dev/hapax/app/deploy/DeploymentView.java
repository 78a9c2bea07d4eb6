package dev.hapax.app.deploy;

import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A deployment, as people see it.
 *
 * @param number null if there was nothing to change
 * @param state {@code pending} until another person approves it, {@code superseded} if another
 *     deployment became live before, {@code applied}, or {@code unchanged}
 * @param flows of the folder that the caller may use
 * @param connections the names of those in the folder
 * @param retired the names of flows that it retires and that the caller may use
 */
record DeploymentView(
    @Nullable Integer number,
    String state,
    String plan,
    String folder,
    @Nullable String environment,
    @Nullable String note,
    @Nullable String by,
    @Nullable Instant at,
    @Nullable String approvedBy,
    @Nullable Instant approvedAt,
    List<DeployedFlow> flows,
    List<String> connections,
    List<String> retired) {

  /** A flow of a deployment. */
  record DeployedFlow(String flow, int release, String hash) {}

  /** A plan that changes nothing needs no deployment. */
  static DeploymentView unchanged(DeployPlan plan) {
    return new DeploymentView(
        null,
        "unchanged",
        plan.hash(),
        plan.folder(),
        plan.content().environment(),
        null,
        null,
        null,
        null,
        null,
        plan.flows().stream()
            .map(flow -> new DeployedFlow(flow.flow().flow(), flow.live(), flow.hash()))
            .toList(),
        plan.connections().stream().map(one -> one.name()).toList(),
        List.of());
  }

  /**
   * Returns the view.
   *
   * @param applied the number of the deployment that is live
   */
  static DeploymentView of(Deployment one, int applied, Predicate<String> mayUse) {
    String pending = one.basis() == applied ? "pending" : "superseded";
    return new DeploymentView(
        one.number(),
        one.applied() ? "applied" : pending,
        one.plan(),
        one.folder(),
        one.environment(),
        one.note(),
        one.by(),
        one.at(),
        one.approvedBy(),
        one.approvedAt(),
        one.flows().stream()
            .filter(part -> mayUse.test(part.flow()))
            .map(part -> new DeployedFlow(part.flow(), part.release(), part.hash()))
            .toList(),
        one.connections().stream().map(Deployment.ConnectionPart::name).toList(),
        one.retiredOrNone().stream().map(Deployment.RetiredPart::flow).filter(mayUse).toList());
  }
}
