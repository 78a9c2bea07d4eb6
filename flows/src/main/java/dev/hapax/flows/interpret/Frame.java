package dev.hapax.flows.interpret;

import dev.hapax.flow.Lock;
import dev.hapax.flow.Names;
import dev.hapax.flow.PlannedRun;
import dev.hapax.flow.RunContext;
import dev.hapax.flow.StepFailed;
import dev.hapax.flows.expression.Scope;
import dev.hapax.flows.step.FlowStep;
import dev.hapax.flows.step.RecentResources;
import dev.hapax.flows.step.StepResult;
import dev.hapax.flows.step.StepRun;
import dev.hapax.flows.step.StepServices;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The state of a run at a place in the file: the context that its steps are called on, and their
 * results so far. Parallel branches and items have their own frames.
 */
final class Frame {
  private final RunContext run;
  private final StepServices services;
  private Scope outer; // of its own thread
  private final Map<String, @Nullable Object> results;
  private final RecentResources kept;
  private final MembersRead members;
  private final @Nullable String item;

  Frame(
      RunContext run,
      StepServices services,
      Scope outer,
      Map<String, @Nullable Object> results,
      RecentResources kept,
      MembersRead members,
      @Nullable String item) {
    this.run = run;
    this.services = services;
    this.outer = outer;
    this.results = new LinkedHashMap<>(results);
    this.kept = kept;
    this.members = members;
    this.item = item;
  }

  /** The result of a step whose answer a plan does not have. */
  private static final Map<String, @Nullable Object> MISSING = Map.of("missing", true);

  RunContext run() {
    return run;
  }

  /** A plan does not have the answer of this step. */
  void miss(FlowStep step) {
    put(step, MISSING);
  }

  /** Whether a plan does not have the answer of this step. */
  boolean isMissing(String step) {
    return MISSING.equals(results.get(step));
  }

  @Nullable String item() {
    return item;
  }

  Scope scope() {
    return outer.with("steps", results).at(new Moment(run, services));
  }

  StepRun at(FlowStep step, StepRun.Inner inner) {
    return new StepRun(run, step, scope(), services, kept, inner, item, members.of(step));
  }

  /** The step did not run. */
  void skip(FlowStep step) {
    put(step, StepResult.nothing(members.of(step)));
  }

  /** The step failed, and the run goes on. */
  void passOver(FlowStep step, StepFailed failure) {
    put(step, StepResult.failed(members.of(step), failure));
  }

  /** Whether the file reads the results of the loop's items. */
  boolean readsItems(FlowStep step) {
    return members.of(step).contains(StepResult.ITEMS);
  }

  void put(FlowStep step, Map<String, @Nullable Object> result) {
    results.put(step.id(), result);
  }

  @Nullable Object outputOf(FlowStep step) {
    return results.get(step.id()) instanceof Map<?, ?> result ? result.get("output") : null;
  }

  /** Returns a frame for a branch that begins here. */
  Frame branch(RunContext context) {
    return new Frame(context, services, outer, results, kept, members, item);
  }

  Frame item(RunContext context, String key, @Nullable Object value) {
    String path = item == null ? key : item + Names.BETWEEN_ITEMS + key;
    return new Frame(
        context,
        services,
        outer.with("item", value),
        results,
        new RecentResources(kept),
        members,
        path);
  }

  /**
   * Returns a frame for a round of a repetition.
   *
   * @param before results of the round before
   */
  Frame repeated(RunContext context, int index, Map<?, ?> before) {
    String path = item == null ? Integer.toString(index) : item + Names.BETWEEN_ITEMS + index;
    Scope scope = outer.with("repeat", Map.of("index", index));
    var known = new RecentResources(kept);
    var frame = new Frame(context, services, scope, results, known, members, path);
    frame.takeAll(before);
    return frame;
  }

  /** Returns the scope in which the condition of a repetition is evaluated before a round. */
  Scope scopeBefore(int index) {
    return scope().with("repeat", Map.of("index", index));
  }

  /** Returns the results of these steps. */
  Map<String, @Nullable Object> resultsOf(Set<String> ids) {
    var some = new LinkedHashMap<String, @Nullable Object>();
    ids.forEach(id -> some.put(id, results.get(id)));
    return some;
  }

  /** These steps have not run, as far as later ones know. */
  void forget(Set<String> ids, Map<String, @Nullable Object> unknown) {
    ids.forEach(id -> results.put(id, unknown.get(id)));
  }

  void takeAll(Map<?, ?> others) {
    others.forEach((id, result) -> results.put(String.valueOf(id), result));
  }

  Frame round(RunContext context, @Nullable Object rework, Map<String, Object> facts) {
    Scope scope = outer.with("rework", rework).with("run", facts);
    return new Frame(context, services, scope, results, kept, members, item);
  }

  /** Work under a lock. */
  interface Section {
    void run() throws Exception;
  }

  /** Runs a section in which expressions know the lock. */
  void locked(Lock lock, Section section) throws Exception {
    Scope before = outer;
    outer = outer.with("lock", Map.of("key", lock.key(), "fence", fence(lock)));
    try {
      section.run();
    } finally {
      outer = before;
    }
  }

  /** A plan takes no lock: a step that reads the fence is {@link PlannedSteps momentary}. */
  private long fence(Lock lock) {
    return run instanceof PlannedRun ? 0 : lock.fence();
  }

  /** Takes one result of a branch. */
  void take(Frame branch, FlowStep step) {
    results.put(step.id(), branch.results.get(step.id()));
  }

  /** Makes the results of a round known to all later steps. */
  void join(Frame branch) {
    results.putAll(branch.results);
  }
}
