package dev.hapax.app.reconcile;

import dev.hapax.KeyReused;
import dev.hapax.app.http.Tenants;
import dev.hapax.app.release.LiveFlows;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Job;
import dev.hapax.flow.JobItem;
import dev.hapax.flow.JobKind;
import dev.hapax.flow.JobSelection;
import dev.hapax.flow.NotPossible;
import dev.hapax.flows.LoadedFlow;
import dev.hapax.job.JobSpec;
import dev.hapax.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Jobs that begin reconciliations, one for each step of some flows. The plan lists the steps; the
 * result of an item names its reconciliation, whose results are read there.
 */
public final class ReconcileJob implements JobKind {
  public static final String NAME = "reconcile";

  private static final List<String> KNOWN =
      List.of("flow", "flows", "label", "step", "since", "until");
  private static final String BY_LOOKUP = "byLookup";

  private final Tenants tenants;
  private final LiveFlows live;
  private final Flow<ReconcileWish, ?> flow;

  public ReconcileJob(Tenants tenants, LiveFlows live, ReconcileFlow reconcile) {
    this.tenants = tenants;
    this.live = live;
    this.flow = reconcile.flow();
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public void check(String tenant, String spec) {
    JobSelection filter = JobSpec.read(spec).filter();
    filter.refuseOtherThan(NAME, KNOWN);
    if (filter.flow() == null && filter.flows() == null) {
      throw new IllegalArgumentException(
          "filter.flow: expected the flow whose effects are compared, got nothing. filter.label"
              + " selects several");
    }
    String one = filter.flow();
    if (one != null && (live.find(tenant, one) == null || !isWithin(JobSpec.read(spec), one))) {
      throw new IllegalArgumentException(
          "filter.flow: there is no live release of a flow '%s'".formatted(one));
    }
  }

  private static boolean isWithin(JobSpec spec, String name) {
    List<String> within = spec.within();
    return within == null
        || within.stream()
            .anyMatch(
                one ->
                    one.endsWith("*")
                        ? name.startsWith(one.substring(0, one.length() - 1))
                        : one.equals(name));
  }

  /**
   * All are found at once: a flow has few steps, and the place of the next page is their number.
   */
  @Override
  public Page select(Job job, @Nullable String place, int limit) {
    JobSpec spec = JobSpec.read(job.spec());
    List<Selected> found = new ArrayList<>();
    for (String name : flows(spec)) {
      LoadedFlow loaded = isWithin(spec, name) ? live.find(job.tenant(), name) : null;
      if (loaded != null) {
        for (ReconcileWish.Target target : ReconcileTargets.of(loaded, spec.filter().step())) {
          found.add(
              new Selected(name + "/" + target.step(), name, null)
                  .detail(
                      Json.write(
                          Map.of(
                              "step",
                              target.step(),
                              "effect",
                              target.effect(),
                              BY_LOOKUP,
                              target.byLookup()))));
        }
      }
    }
    int from = place == null ? 0 : Math.min(found.size(), Integer.parseInt(place));
    int to = Math.min(found.size(), from + limit);
    return new Page(found.subList(from, to), to < found.size() ? Integer.toString(to) : null);
  }

  private static List<String> flows(JobSpec spec) {
    List<String> flows = spec.filter().flows();
    String one = spec.filter().flow();
    return one != null ? List.of(one) : flows == null ? List.of() : flows;
  }

  /** The key of the run is the job and the step, so that the second call begins no second one. */
  @Override
  public Outcome act(Job job, JobItem item) {
    JsonNode detail = Json.tree(String.valueOf(item.detail()));
    String step = detail.path("step").asString("");
    String name = String.valueOf(item.flow());
    LoadedFlow loaded = live.find(job.tenant(), name);
    List<ReconcileWish.Target> targets =
        loaded == null ? List.of() : ReconcileTargets.of(loaded, step);
    if (loaded == null || targets.isEmpty()) {
      throw new NotPossible(
          "the live release of flow '%s' has no step '%s' that can be compared any more"
              .formatted(name, step));
    }
    JsonNode spec = Json.tree(job.spec());
    JobSelection filter = JobSpec.read(job.spec()).filter();
    var wish =
        new ReconcileWish(
            job.tenant(),
            name,
            loaded.flow().release(),
            targets,
            filter.since() == null ? null : filter.since().toString(),
            filter.until() == null ? null : filter.until().toString(),
            spec.path("adopt").asBoolean(false),
            job.appliedBy() == null ? job.createdBy() : job.appliedBy(),
            ReconcileTargets.rate(loaded, targets),
            spec.path("repair").asBoolean(false) ? Boolean.TRUE : null,
            null);
    String run;
    try {
      run = tenants.hapax(job.tenant()).start(flow, wish, job.id() + "/" + item.subject()).id();
    } catch (KeyReused e) {
      run = e.firstRun(); // begun before a crash, when another release was live
    }
    var result = new TreeMap<String, Object>();
    detail.properties().forEach(member -> result.put(member.getKey(), member.getValue()));
    result.put("reconciliation", run);
    return new Outcome(Outcome.DONE.state(), null, Json.write(result));
  }
}
