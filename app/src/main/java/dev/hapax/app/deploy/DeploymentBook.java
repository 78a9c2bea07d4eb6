package dev.hapax.app.deploy;

import dev.hapax.Kv;
import dev.hapax.app.data.Records;
import dev.hapax.app.data.Stored;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Stores the deployments of all tenants. Safe for many threads and nodes. */
final class DeploymentBook {
  /** A request that is repeated comes soon after the first. */
  private static final int LOOKED_AT = 20;

  private final Records<Deployment> deployments;
  private final Records<Head> heads;

  /**
   * The newest deployments of a tenant.
   *
   * @param newest the last number; 0 if there is none
   * @param applied the number of the last one that became live; 0 if there is none
   * @param flows the number of the last one that became live and had this flow, by flow; null if no
   *     deployment has become live since they are counted
   */
  record Head(int newest, int applied, @Nullable Map<String, Integer> flows) {}

  DeploymentBook(Kv map) {
    this.deployments = new Records<>(map, "deployments", Deployment.class);
    this.heads = new Records<>(map, "deployment-heads", Head.class);
  }

  Stored<Head> head(String tenant) {
    Stored<Head> found = heads.get(Records.name(tenant));
    return found == null ? new Stored<>(Records.name(tenant), new Head(0, 0, null), 0) : found;
  }

  @Nullable Stored<Deployment> find(String tenant, int number) {
    return deployments.get(recordOf(tenant, number));
  }

  /** Returns the last deployment that became live; null if there is none. */
  @Nullable Deployment applied(String tenant) {
    int number = head(tenant).value().applied();
    Stored<Deployment> found = number == 0 ? null : find(tenant, number);
    return found == null ? null : found.value();
  }

  /** Returns the deployment that carried out this plan, or waits to; null if there is none. */
  @Nullable Deployment ofPlan(String tenant, String plan) {
    return newest(tenant, Integer.MAX_VALUE, LOOKED_AT).stream()
        .filter(deployment -> deployment.plan().equals(plan))
        .findFirst()
        .orElse(null);
  }

  /** Returns deployments before this number, newest first. */
  List<Deployment> newest(String tenant, int before, int limit) {
    var found = new ArrayList<Deployment>();
    int from = Math.min(before - 1, head(tenant).value().newest());
    for (int number = from; number > 0 && found.size() < limit; number--) {
      Stored<Deployment> one = find(tenant, number);
      if (one != null) {
        found.add(one.value());
      }
    }
    return found;
  }

  /** Returns the writes that add a deployment with the number after the newest. */
  List<Kv.Replacement> added(String tenant, Stored<Head> head, Deployment deployment) {
    int number = deployment.number();
    Head before = head.value();
    Head after =
        deployment.applied()
            ? new Head(number, number, flowsAfter(tenant, before, deployment))
            : new Head(number, before.applied(), before.flows());
    return List.of(
        deployments.replacement(recordOf(tenant, number), 0, deployment),
        heads.replacement(head.name(), head.version(), after));
  }

  /** Returns the writes for a deployment that was approved and is live now. */
  List<Kv.Replacement> approved(
      String tenant, Stored<Head> head, Stored<Deployment> before, Deployment deployment) {
    var after =
        new Head(
            head.value().newest(),
            deployment.number(),
            flowsAfter(tenant, head.value(), deployment));
    return List.of(
        deployments.replacement(before.name(), before.version(), deployment),
        heads.replacement(head.name(), head.version(), after));
  }

  private Map<String, Integer> flowsAfter(String tenant, Head before, Deployment deployment) {
    var flows = new TreeMap<>(flows(tenant, before));
    deployment.retiredOrNone().forEach(part -> flows.remove(part.flow()));
    deployment.flows().forEach(part -> flows.put(part.flow(), deployment.number()));
    return flows;
  }

  /** Returns the number of the last deployment that had a flow, by flow. */
  Map<String, Integer> flows(String tenant, Head head) {
    Map<String, Integer> counted = head.flows();
    if (counted != null) {
      return counted;
    }
    Stored<Deployment> last = head.applied() == 0 ? null : find(tenant, head.applied());
    var flows = new TreeMap<String, Integer>();
    if (last != null) { // of a version that did not count them
      last.value().flows().forEach(part -> flows.put(part.flow(), head.applied()));
    }
    return flows;
  }

  private static String recordOf(String tenant, int number) {
    return Records.name(tenant, "%08d".formatted(number));
  }
}
