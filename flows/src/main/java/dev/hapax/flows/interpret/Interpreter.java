package dev.hapax.flows.interpret;

import dev.hapax.flow.Decision;
import dev.hapax.flow.Each;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Items;
import dev.hapax.flow.Rejected;
import dev.hapax.flow.RunContext;
import dev.hapax.flow.StepFailed;
import dev.hapax.flows.expression.ExpressionFailed;
import dev.hapax.flows.expression.Scope;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.file.Step;
import dev.hapax.flows.file.StepKind;
import dev.hapax.flows.step.Kept;
import dev.hapax.flows.step.StepResult;
import dev.hapax.flows.step.StepServices;
import dev.hapax.flows.step.Steps;
import dev.hapax.flows.step.WaitStep;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The body of every flow that comes from a file. It computes only values that are the same on every
 * pass: conditions and keys depend on the input and on recorded results, and anything that depends
 * on the moment is recorded.
 */
public final class Interpreter implements Flow.Body<Object, Object> {
  private final FlowFile file;
  private final StepServices services;
  private final Map<String, @Nullable Object> unknown = new LinkedHashMap<>();

  public Interpreter(FlowFile file, StepServices services) {
    this.file = file;
    this.services = services;
    file.allSteps().forEach(step -> unknown.put(step.id(), nothing()));
  }

  /** The result that other steps see of a step that did not run. */
  private static Map<String, @Nullable Object> nothing() {
    var nothing = new LinkedHashMap<String, @Nullable Object>();
    nothing.put("output", null);
    nothing.put("externalId", null);
    nothing.put("error", null);
    return nothing;
  }

  @Override
  public @Nullable Object run(RunContext run, Object input) throws Exception {
    var names = new LinkedHashMap<String, @Nullable Object>();
    names.put("input", input);
    names.put("run", Map.of("id", run.id(), "key", run.key(), "flow", file.name()));
    names.put("rework", null);
    Scope scope = Scope.of(names).redactedBy(services::redact);
    var frame = new Frame(run, services, scope, unknown, new Kept(null), null);
    steps(frame, file.steps());
    return file.output() == null ? null : output(frame);
  }

  private @Nullable Object output(Frame frame) {
    try {
      return file.output() == null ? null : file.output().value(frame.scope());
    } catch (ExpressionFailed e) {
      throw new StepFailed("expression", String.valueOf(e.getMessage()), "output", null, false);
    }
  }

  /** Returns the output of the last step. */
  private @Nullable Object steps(Frame frame, List<Step> steps) throws Exception {
    for (int i = 0; i < steps.size(); i++) {
      int approval = approvalThatReturnsTo(steps, i);
      if (approval > i) {
        rounds(frame, steps.subList(i, approval), steps.get(approval));
        i = approval;
      } else {
        step(frame, steps.get(i));
      }
    }
    return steps.isEmpty() ? null : frame.outputOf(steps.getLast());
  }

  /** The last approval after this step that can send the run back to it; -1 if there is none. */
  private static int approvalThatReturnsTo(List<Step> steps, int from) {
    for (int i = steps.size() - 1; i > from; i--) {
      if (steps.get(i).kind() instanceof StepKind.Ask ask
          && steps.get(from).id().equals(ask.rework())) {
        return i;
      }
    }
    return -1;
  }

  private void rounds(Frame frame, List<Step> work, Step asking) throws Exception {
    StepKind.Ask ask = (StepKind.Ask) asking.kind();
    var isAsking = new AtomicBoolean(); // a failure of the work is not one of the approval
    try {
      Decision decision =
          frame
              .run()
              .rounds(
                  asking.id(),
                  ask.maxRounds(),
                  (context, rework) -> {
                    isAsking.set(false);
                    Frame round =
                        frame.round(context, rework == null ? null : WaitStep.output(rework));
                    steps(round, work);
                    frame.join(round);
                    isAsking.set(true);
                    if (isLeftOut(round, asking)) {
                      throw new NotAsked();
                    }
                    return WaitStep.question(round.at(asking), ask);
                  });
      frame.put(asking, StepResult.of(frame.at(asking), WaitStep.output(decision)));
    } catch (NotAsked e) {
      frame.put(asking, nothing());
    } catch (ExpressionFailed e) {
      goOnOrFail(frame, asking, failure(frame, asking, e));
    } catch (StepFailed e) {
      if (!isAsking.get()) {
        throw e;
      }
      goOnOrFail(frame, asking, e);
    }
  }

  /** Leaves the rounds of an approval whose condition is false. */
  private static final class NotAsked extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NotAsked() {
      super("it is left out", null, false, false);
    }
  }

  private static StepFailed failure(Frame frame, Step step, ExpressionFailed e) {
    return new StepFailed(
        "expression", String.valueOf(e.getMessage()), step.id(), frame.item(), false);
  }

  private void step(Frame frame, Step step) throws Exception {
    try {
      if (!isPerItem(step) && isLeftOut(frame, step)) {
        return;
      }
      if (step.lock() == null) {
        looped(frame, step);
      } else {
        String key = step.lock().text(frame.scope());
        frame
            .run()
            .<@Nullable Object>locked(
                step.id() + ".lock",
                key,
                _ -> {
                  looped(frame, step);
                  return null;
                });
      }
    } catch (ExpressionFailed e) {
      goOnOrFail(frame, step, failure(frame, step, e));
    } catch (StepFailed e) {
      goOnOrFail(frame, step, e);
    }
  }

  private static void goOnOrFail(Frame frame, Step step, StepFailed failure) {
    if (step.onError() != Step.OnError.CONTINUE) {
      throw failure;
    }
    var result = nothing();
    result.put(
        "error", Map.of("code", failure.code(), "message", String.valueOf(failure.getMessage())));
    frame.put(step, result);
  }

  /** Recorded if left out, for the history, and if the moment decides, for the next pass. */
  private boolean isLeftOut(Frame frame, Step step) {
    Template when = step.when();
    if (when == null) {
      return false;
    }
    boolean runs;
    if (when.reach().momentCall() != null) {
      runs =
          frame
              .run()
              .step(
                  step.id() + ".when",
                  () -> decided(() -> holds(when, frame.scope())),
                  Boolean.class);
    } else {
      runs = holds(when, frame.scope());
      if (!runs) {
        var _ = frame.run().step(step.id() + ".when", () -> false, Boolean.class);
      }
    }
    if (!runs) {
      frame.put(step, nothing());
    }
    return !runs;
  }

  /** A condition that cannot be evaluated fails its step as any other expression does. */
  private static <T> T decided(Supplier<T> condition) {
    try {
      return condition.get();
    } catch (ExpressionFailed e) {
      throw new Rejected("expression", String.valueOf(e.getMessage()), e);
    }
  }

  /** Whether the condition is evaluated per item of the step's own loop, not once. */
  private static boolean isPerItem(Step step) {
    return step.forEach() != null && step.when() != null && step.when().reach().reaches("item");
  }

  private static boolean holds(Template condition, Scope scope) {
    Object value = condition.value(scope);
    return value instanceof Boolean truth ? truth : "true".equals(value);
  }

  private void looped(Frame frame, Step step) throws Exception {
    Step.ForEach forEach = step.forEach();
    if (forEach == null) {
      frame.put(step, carryOut(frame, step));
      return;
    }
    List<Item> items = items(frame, step, forEach);
    Items done =
        frame
            .run()
            .forEach(
                step.id(),
                Each.of(items, Item::key).atOnce(forEach.atOnce()),
                (context, item) -> item(frame.item(context, item.key(), item.value()), step));
    frame.put(step, StepResult.of(frame.at(step), output(done)));
  }

  private record Item(String key, @Nullable Object value) {}

  private void item(Frame frame, Step step) throws Exception {
    try {
      if (isPerItem(step) && isLeftOut(frame, step)) {
        return;
      }
      var _ = carryOut(frame, step);
    } catch (ExpressionFailed e) {
      goOnOrFail(frame, step, failure(frame, step, e));
    } catch (StepFailed e) {
      goOnOrFail(frame, step, e);
    }
  }

  private static List<Item> items(Frame frame, Step step, Step.ForEach forEach) {
    Object value = forEach.items().value(frame.scope());
    if (!(value instanceof Collection<?> list)) {
      throw new StepFailed(
          "expression",
          "%s forEach of step '%s': expected a list, got %s"
              .formatted(forEach.position(), step.id(), value == null ? "null" : "another value"),
          step.id(),
          frame.item(),
          false);
    }
    var items = new ArrayList<Item>(list.size());
    for (Object one : list) {
      Template itemKey = forEach.itemKey();
      String key =
          itemKey == null
              ? Integer.toString(items.size())
              : itemKey.text(frame.scope().with("item", one));
      items.add(new Item(key, one));
    }
    return items;
  }

  private static Map<String, Object> output(Items items) {
    var output = new LinkedHashMap<String, Object>();
    output.put("succeeded", items.succeeded());
    output.put("failed", items.failed());
    output.put(
        "failures",
        items.failures().stream()
            .map(
                failed ->
                    Map.of(
                        "item", failed.item(), "code", failed.code(), "message", failed.message()))
            .toList());
    return output;
  }

  private Map<String, @Nullable Object> carryOut(Frame frame, Step step) throws Exception {
    Object output =
        switch (step.kind()) {
          case StepKind.Parallel parallel -> parallel(frame, parallel);
          case StepKind.Choose choose -> choose(frame, step, choose);
          default -> Steps.run(frame.at(step));
        };
    return StepResult.of(frame.at(step), output);
  }

  private Map<String, @Nullable Object> parallel(Frame frame, StepKind.Parallel parallel)
      throws Exception {
    var branches = new ArrayList<RunContext.Branch<Frame>>();
    for (List<Step> steps : parallel.branches().values()) {
      branches.add(
          context -> {
            Frame branch = frame.branch(context);
            steps(branch, steps);
            return branch;
          });
    }
    List<Frame> frames = frame.run().parallel(branches);
    var output = new LinkedHashMap<String, @Nullable Object>();
    int at = 0;
    for (Map.Entry<String, List<Step>> branch : parallel.branches().entrySet()) {
      Frame ended = frames.get(at++);
      for (Step step : branch.getValue()) {
        join(frame, ended, step);
      }
      output.put(branch.getKey(), ended.outputOf(branch.getValue().getLast()));
    }
    return output;
  }

  /** Takes only the branch's own results: another branch may have newer ones of earlier steps. */
  private static void join(Frame frame, Frame ended, Step step) {
    frame.take(ended, step);
    step.inner().forEach(steps -> steps.forEach(inner -> join(frame, ended, inner)));
  }

  private @Nullable Object choose(Frame frame, Step step, StepKind.Choose choose) throws Exception {
    // Recorded, so that the history shows which branch ran, even if the moment changes.
    String taken =
        frame.run().branch(step.id(), () -> decided(() -> branchOf(choose, frame.scope())));
    for (StepKind.Choice choice : choose.choices()) {
      if (nameOf(choice).equals(taken)) { // of two equal conditions, the first was meant
        return steps(frame, choice.steps());
      }
    }
    return null;
  }

  private static String branchOf(StepKind.Choose choose, Scope scope) {
    for (StepKind.Choice choice : choose.choices()) {
      Template when = choice.when();
      if (when == null || holds(when, scope)) {
        return nameOf(choice);
      }
    }
    return "none";
  }

  /** Uses the condition's text, since branches have no names. */
  private static String nameOf(StepKind.Choice choice) {
    Template when = choice.when();
    return when == null ? "otherwise" : when.source();
  }
}
