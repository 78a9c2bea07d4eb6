package dev.hapax.app.deploy;

import dev.hapax.Kv;
import dev.hapax.app.alert.TenantAlerts;
import dev.hapax.app.data.Stored;
import dev.hapax.app.http.Actor;
import dev.hapax.app.http.AuditTrail;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.TokenScope;
import dev.hapax.app.release.FlowBatch;
import dev.hapax.app.release.FlowName;
import dev.hapax.app.release.FlowState;
import dev.hapax.app.secret.ConnectionBatch;
import dev.hapax.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Carries plans out. The releases are made first, one by one; they touch no run, and a repeated
 * call finds them. Then one commit makes all of them live, writes the connections and records the
 * deployment. A call that ends before that commit has changed nothing that runs can see. Safe for
 * many threads and nodes.
 */
final class Deployments {
  /** Other writers may add a release or a pending deployment between a read and the commit. */
  private static final int MOST_TRIES = 10;

  private static final int SHOWN_FLOWS = 20;

  private final Kv map;
  private final DeploymentBook book;
  private final Planner planner;
  private final FlowBatch flows;
  private final ConnectionBatch connections;
  private final TenantAlerts alerts;
  private final AuditTrail audit;
  private final Clock clock;

  Deployments(
      Kv map,
      FlowBatch flows,
      ConnectionBatch connections,
      TenantAlerts alerts,
      AuditTrail audit,
      Clock clock) {
    this.map = map;
    this.book = new DeploymentBook(map);
    this.planner = new Planner(flows, connections, alerts, book);
    this.flows = flows;
    this.connections = connections;
    this.alerts = alerts;
    this.audit = audit;
    this.clock = clock;
  }

  DeploymentBook book() {
    return book;
  }

  PlanView plan(Call call, DeployContent content) {
    Deployment last = book.applied(call.actor().tenant());
    DeployPlan plan = planner.plan(call, content);
    return new PlanReport(flows, connections, call, plan).view(last);
  }

  /**
   * A deployment after a call.
   *
   * @param deployment null if there was nothing to change
   * @param isNew whether this call made it
   */
  record Outcome(DeployPlan plan, @Nullable Deployment deployment, boolean isNew) {}

  /** Carries out a plan; repeated, returns the deployment of the first call. */
  Outcome deploy(Call call, DeployContent content, String hash) {
    String tenant = call.actor().tenant();
    DeployPlan plan = planner.plan(call, content);
    if (!plan.hash().equals(hash)) {
      return again(call, plan, hash);
    }
    refuseUnlessAllowed(call, plan);
    if (!plan.hasChanges()) {
      after(call, plan, book.applied(tenant));
      return new Outcome(plan, null, false);
    }
    Map<FlowName, Integer> released = release(call.actor(), plan);
    for (int tries = 0; tries < MOST_TRIES; tries++) {
      Stored<DeploymentBook.Head> head = book.head(tenant);
      Deployment same = book.ofPlan(tenant, hash);
      if (same != null || head.value().applied() != plan.basis()) {
        return again(call, plan, hash);
      }
      Deployment next = deployment(call.actor(), plan, released, head.value().newest() + 1);
      if (plan.content().needsApproval()) {
        if (map.compareAndSetAll(book.added(tenant, head, next))) {
          return new Outcome(plan, next, true);
        }
      } else if (commit(call, plan, next, book.added(tenant, head, next))) {
        after(call, plan, next);
        return new Outcome(plan, next, true);
      }
    }
    return again(call, plan, hash);
  }

  /** Returns the deployment that has carried out this very plan, or refuses the plan as stale. */
  private Outcome again(Call call, DeployPlan plan, String hash) {
    Deployment same = book.ofPlan(call.actor().tenant(), hash);
    if (same == null) {
      throw stale();
    }
    if (same.applied()) {
      after(call, plan, same);
    }
    return new Outcome(plan, same, false);
  }

  /** Makes a pending deployment live; repeated, returns it as it is. */
  Deployment approve(Call call, int number) {
    String tenant = call.actor().tenant();
    for (int tries = 0; tries < MOST_TRIES; tries++) {
      Stored<Deployment> pending = book.find(tenant, number);
      if (pending == null) {
        throw Problem.notFound("there is no deployment %d".formatted(number));
      }
      Deployment deployment = pending.value();
      if (deployment.applied()) {
        return deployment;
      }
      refuseAuthor(call.actor(), deployment);
      refuseOthers(call, deployment);
      DeployPlan plan = planner.plan(call, contentOf(tenant, deployment));
      Stored<DeploymentBook.Head> head = book.head(tenant);
      if (!plan.hash().equals(deployment.plan()) || head.value().applied() != deployment.basis()) {
        Stored<Deployment> now = book.find(tenant, number);
        if (now != null && now.value().applied()) {
          return now.value(); // another call was faster
        }
        throw Problem.stale(
            "the server has changed since deployment %d was planned; nothing was changed. Deploy the folder again."
                .formatted(number));
      }
      refuseUnlessAllowed(call, plan);
      Deployment live = deployment.approved(call.actor().name(), clock.now());
      if (commit(call, plan, live, book.approved(tenant, head, pending, live))) {
        after(call, plan, live);
        return live;
      }
    }
    throw stale();
  }

  /** Two tokens of one name may be one person's. */
  private static void refuseAuthor(Actor actor, Deployment deployment) {
    if (deployment.byId().equals(actor.id()) || deployment.by().equals(actor.name())) {
      throw Problem.forbidden(
          "'%s' has made deployment %d, so another person must approve it"
              .formatted(deployment.by(), deployment.number()));
    }
  }

  /** The plan has only what the caller may see, so it would lack these. */
  private static void refuseOthers(Call call, Deployment deployment) {
    if (!deployment.retiredOrNone().stream().allMatch(part -> call.mayUse(part.flow()))) {
      throw Problem.forbidden(
          "deployment %d retires flows that are not among the flows of this token (%s)"
              .formatted(deployment.number(), call.actor().flows()));
    }
  }

  private DeployContent contentOf(String tenant, Deployment deployment) {
    List<FlowBatch.Source> sources = new ArrayList<>();
    for (Deployment.FlowPart part : deployment.flows()) {
      String text = flows.textOf(new FlowName(tenant, part.flow()), part.release());
      sources.add(new FlowBatch.Source(part.flow() + ".yaml", Objects.requireNonNull(text)));
    }
    var forms = new TreeMap<String, JsonNode>();
    deployment.connections().forEach(part -> forms.put(part.name(), part.form()));
    return new DeployContent(
        deployment.environment(),
        true,
        deployment.allowMissing(),
        deployment.retired() != null,
        deployment.note(),
        sources,
        forms,
        deployment.alerts());
  }

  /** The scopes that the same changes would need one by one. */
  private void refuseUnlessAllowed(Call call, DeployPlan plan) {
    plan.changedFlows().forEach(flow -> flows.refuseBeyondScopes(flow, call.actor()));
    plan.changedConnections().forEach(one -> connections.refuseUnlessAllowed(call, one));
    if (plan.changedAlerts() != null
        && !(call.actor().may(TokenScope.CONNECTIONS_WRITE) && call.actor().flows().isAll())) {
      throw Problem.forbidden(
          "the alerts would change, and they are about all flows: the token needs %s, without a limit to flows"
              .formatted(TokenScope.CONNECTIONS_WRITE.word()));
    }
  }

  private Map<FlowName, Integer> release(Actor author, DeployPlan plan) {
    var released = new HashMap<FlowName, Integer>();
    for (FlowBatch.Wanted flow : plan.flows()) {
      released.put(
          flow.flow(),
          flow.isChange() ? flows.release(flow, plan.content().note(), author) : flow.live());
    }
    return released;
  }

  private Deployment deployment(
      Actor author, DeployPlan plan, Map<FlowName, Integer> released, int number) {
    Instant now = clock.now();
    DeployContent content = plan.content();
    return new Deployment(
        number,
        !content.needsApproval(),
        plan.hash(),
        plan.folder(),
        content.environment(),
        plan.basis(),
        content.allowMissing(),
        content.note(),
        author.name(),
        author.id(),
        now,
        null,
        null,
        plan.flows().stream()
            .map(
                flow ->
                    new Deployment.FlowPart(
                        flow.flow().flow(),
                        flow.hash(),
                        Objects.requireNonNull(released.get(flow.flow()))))
            .toList(),
        plan.connections().stream()
            .map(one -> new Deployment.ConnectionPart(one.name(), one.hash(), one.form()))
            .toList(),
        content.prune()
            ? plan.retiring().stream()
                .map(state -> new Deployment.RetiredPart(state.name().flow(), state.live()))
                .toList()
            : null,
        content.alerts());
  }

  /** Makes everything live at once; false if something has changed since it was read. */
  private boolean commit(
      Call call, DeployPlan plan, Deployment deployment, List<Kv.Replacement> records) {
    List<Kv.Replacement> all = new ArrayList<>(records);
    for (FlowBatch.Wanted flow : plan.changedFlows()) {
      Kv.Replacement promotion = flows.promotion(flow, releaseOf(deployment, flow), call.actor());
      if (promotion == null) {
        return false;
      }
      all.add(promotion);
    }
    for (FlowState state : plan.retiring()) {
      Kv.Replacement retirement = flows.retirement(state, call.actor());
      if (retirement == null) {
        return false;
      }
      all.add(retirement);
    }
    for (ConnectionBatch.Wanted connection : plan.changedConnections()) {
      all.add(connections.replacement(call, connection));
    }
    TenantAlerts.Wanted told = plan.changedAlerts();
    if (told != null) {
      all.add(alerts.replacement(call.actor().tenant(), told, call.actor().name()));
    }
    audit.append(line(call, plan, deployment));
    return flows.commit(plan.changedNames(), () -> map.compareAndSetAll(all));
  }

  private static int releaseOf(Deployment deployment, FlowBatch.Wanted flow) {
    return deployment.flows().stream()
        .filter(part -> part.flow().equals(flow.flow().flow()))
        .findFirst()
        .orElseThrow()
        .release();
  }

  /** A line for the audit log, durable before anything is live. */
  private static AuditTrail.Line line(Call call, DeployPlan plan, Deployment deployment) {
    String names =
        plan.changedFlows().stream()
            .limit(SHOWN_FLOWS)
            .map(flow -> flow.flow().flow() + " " + releaseOf(deployment, flow))
            .collect(Collectors.joining(", "));
    int more = plan.changedFlows().size() - SHOWN_FLOWS;
    String target =
        "deployment=%d, environment=%s, releases: %s%s, connections: %s%s"
            .formatted(
                deployment.number(),
                deployment.environment(),
                names,
                more > 0 ? " and %d more".formatted(more) : "",
                plan.changedConnections().stream()
                    .limit(SHOWN_FLOWS)
                    .map(ConnectionBatch.Wanted::name)
                    .collect(Collectors.joining(", ")),
                retired(deployment) + (plan.changedAlerts() == null ? "" : ", alerts"));
    Actor actor = call.actor();
    return new AuditTrail.Line(
        actor.tenant(),
        actor.name(),
        actor.id(),
        call.remoteAddress(),
        "promote by deployment",
        target,
        "asked");
  }

  private static String retired(Deployment deployment) {
    List<Deployment.RetiredPart> retired = deployment.retiredOrNone();
    return retired.isEmpty()
        ? ""
        : ", retired: "
            + retired.stream()
                .limit(SHOWN_FLOWS)
                .map(part -> part.flow() + " " + part.release())
                .collect(Collectors.joining(", "))
            + (retired.size() > SHOWN_FLOWS
                ? " and %d more".formatted(retired.size() - SHOWN_FLOWS)
                : "");
  }

  /** What an earlier call may not have reached after its commit. */
  private void after(Call call, DeployPlan plan, @Nullable Deployment live) {
    connections.written(call, plan.connections());
    if (plan.alerts() != null) {
      alerts.follow();
    }
    Stream<FlowName> retired =
        live == null
            ? Stream.empty()
            : live.retiredOrNone().stream()
                .map(part -> new FlowName(call.actor().tenant(), part.flow()));
    flows.changed(
        Stream.concat(plan.flows().stream().map(FlowBatch.Wanted::flow), retired).toList());
  }

  private static Problem stale() {
    return Problem.stale(
        "the server or the folder has changed since the plan was made; nothing was changed. Make a new plan, and look at it.");
  }
}
