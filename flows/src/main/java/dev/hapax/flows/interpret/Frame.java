package dev.hapax.flows.interpret;

import dev.hapax.flow.RunContext;
import dev.hapax.flows.expression.Scope;
import dev.hapax.flows.file.Step;
import dev.hapax.flows.step.Kept;
import dev.hapax.flows.step.StepRun;
import dev.hapax.flows.step.StepServices;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The state of a run at a place in the file: the context that its steps are called on, and their
 * results so far. Parallel branches and items have their own frames.
 */
final class Frame {
  private final RunContext run;
  private final StepServices services;
  private final Scope outer;
  private final Map<String, @Nullable Object> results;
  private final Kept kept;
  private final @Nullable String item;

  Frame(
      RunContext run,
      StepServices services,
      Scope outer,
      Map<String, @Nullable Object> results,
      Kept kept,
      @Nullable String item) {
    this.run = run;
    this.services = services;
    this.outer = outer;
    this.results = new LinkedHashMap<>(results);
    this.kept = kept;
    this.item = item;
  }

  RunContext run() {
    return run;
  }

  @Nullable String item() {
    return item;
  }

  Scope scope() {
    return outer.with("steps", results).at(new Moment(run, services));
  }

  StepRun at(Step step) {
    return new StepRun(run, step, scope(), services, kept, item);
  }

  void put(Step step, Map<String, @Nullable Object> result) {
    results.put(step.id(), result);
  }

  @Nullable Object outputOf(Step step) {
    return results.get(step.id()) instanceof Map<?, ?> result ? result.get("output") : null;
  }

  /** Returns a frame for a branch that begins here. */
  Frame branch(RunContext context) {
    return new Frame(context, services, outer, results, kept, item);
  }

  Frame item(RunContext context, String key, @Nullable Object value) {
    return new Frame(context, services, outer.with("item", value), results, new Kept(kept), key);
  }

  Frame round(RunContext context, @Nullable Object rework) {
    return new Frame(context, services, outer.with("rework", rework), results, kept, item);
  }

  /** Takes one result of a branch. */
  void take(Frame branch, Step step) {
    results.put(step.id(), branch.results.get(step.id()));
  }

  /** Makes the results of a round known to all later steps. */
  void join(Frame branch) {
    results.putAll(branch.results);
  }
}
