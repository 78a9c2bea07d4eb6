package dev.hapax.flows.interpret;

import dev.hapax.flow.Decision;
import dev.hapax.flow.Each;
import dev.hapax.flow.Flow;
import dev.hapax.flow.ItemResults;
import dev.hapax.flow.Items;
import dev.hapax.flow.PlannedRun;
import dev.hapax.flow.Repetition;
import dev.hapax.flow.RunContext;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.StepDifference;
import dev.hapax.flow.StepFailed;
import dev.hapax.flows.expression.ExpressionFailed;
import dev.hapax.flows.expression.Scope;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.expression.ValueTemplate;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.ApprovalStep;
import dev.hapax.flows.step.Evaluation;
import dev.hapax.flows.step.FlowStep;
import dev.hapax.flows.step.MadeUp;
import dev.hapax.flows.step.RecentResources;
import dev.hapax.flows.step.StepResult;
import dev.hapax.flows.step.StepRun;
import dev.hapax.flows.step.StepServices;
import dev.hapax.flows.step.StepVisit.Outcome;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The body of every flow that comes from a file. It computes only values that are the same on every
 * pass: conditions and keys depend on the input and on recorded results, and anything that depends
 * on the moment is recorded.
 */
public final class Interpreter implements Flow.Body<Object, Object>, StepDifference.Defined {
  /** The keys of all items of a list may take the room of so many values. */
  private static final int KEYS_PER_LIST = 4;

  @SuppressWarnings("unchecked") // the class of a map with any keys and values
  private static final Class<Map<?, ?>> MAP = (Class<Map<?, ?>>) (Class<?>) Map.class;

  private final FlowFile file;
  private final StepServices services;
  private final MembersRead members;
  private final Map<String, @Nullable Object> unknown = new LinkedHashMap<>();
  private final Map<String, Set<String>> carried = new HashMap<>();

  public Interpreter(FlowFile file, StepServices services) {
    this.file = file;
    this.services = services;
    this.members = new MembersRead(file);
    file.allSteps().stream()
        .filter(step -> step.kind().isRepeated())
        .forEach(step -> carried.put(step.id(), CarriedSteps.of(file, step)));
    file.allSteps().forEach(step -> unknown.put(step.id(), StepResult.nothing(members.of(step))));
  }

  @Override
  public Map<String, String> definitions() {
    var definitions = new LinkedHashMap<String, String>();
    file.allSteps().forEach(step -> definitions.put(step.id(), step.definition()));
    return definitions;
  }

  @Override
  public @Nullable Object run(RunContext run, Object input) throws Exception {
    var names = new LinkedHashMap<String, @Nullable Object>();
    names.put("input", input);
    names.put("run", facts(run, 1));
    names.put("rework", null);
    Scope scope = Scope.of(names).redactedBy(services::redact).bounded(services.valueBytes());
    var frame = new Frame(run, services, scope, unknown, new RecentResources(null), members, null);
    try {
      steps(frame, file.steps());
      return file.output() == null || run instanceof PlannedRun ? null : output(frame);
    } catch (StepRun.Returned returned) {
      return returned.output();
    } catch (StepFailed e) {
      ValueTemplate output = file.output();
      throw services.isDraft()
          ? MadeUp.explained(
              e, file.allSteps(), output == null ? Stream.empty() : output.templates())
          : e;
    }
  }

  private Map<String, Object> facts(RunContext run, int round) {
    var facts = new LinkedHashMap<String, Object>();
    facts.put("id", run.id());
    facts.put("key", run.key());
    facts.put("flow", file.name());
    if (members.readsRound()) {
      facts.put(MembersRead.ROUND, round);
    }
    return facts;
  }

  private @Nullable Object output(Frame frame) {
    try {
      return file.output() == null ? null : file.output().value(frame.scope());
    } catch (ExpressionFailed e) {
      throw new StepFailed(e.code(), String.valueOf(e.getMessage()), "output", null, false);
    }
  }

  /** Returns the output of the last step. */
  private @Nullable Object steps(Frame frame, List<FlowStep> steps) throws Exception {
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
  private static int approvalThatReturnsTo(List<FlowStep> steps, int from) {
    for (int i = steps.size() - 1; i > from; i--) {
      if (steps.get(from).id().equals(steps.get(i).kind().rework())) {
        return i;
      }
    }
    return -1;
  }

  private void rounds(Frame frame, List<FlowStep> work, FlowStep asking) throws Exception {
    ApprovalStep ask = (ApprovalStep) asking.kind();
    var isAsking = new AtomicBoolean(); // a failure of the work is not one of the approval
    var number = new AtomicInteger();
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
                        frame.round(
                            context,
                            rework == null ? null : ApprovalStep.output(rework),
                            facts(context, number.incrementAndGet()));
                    steps(round, work);
                    frame.join(round);
                    isAsking.set(true);
                    if (isLeftOut(round, asking)) {
                      throw new NotAsked();
                    }
                    services.visited(file.name(), asking.id(), Outcome.RAN);
                    return ask.question(at(round, asking));
                  });
      frame.put(asking, StepResult.of(at(frame, asking), ApprovalStep.output(decision)));
    } catch (NotAsked e) {
      frame.skip(asking);
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
      super("the step is skipped", null, false, false);
    }
  }

  private static StepFailed failure(Frame frame, FlowStep step, ExpressionFailed e) {
    return new StepFailed(e.code(), String.valueOf(e.getMessage()), step.id(), frame.item(), false);
  }

  private void step(Frame frame, FlowStep step) throws Exception {
    if (frame.run() instanceof PlannedRun plan) {
      new PlannedSteps(file, plan).step(frame, step, () -> carriedOut(frame, step));
    } else {
      carriedOut(frame, step);
    }
  }

  private void carriedOut(Frame frame, FlowStep step) throws Exception {
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
                lock -> {
                  frame.locked(lock, () -> looped(frame, step));
                  return null;
                });
      }
    } catch (ExpressionFailed e) {
      goOnOrFail(frame, step, failure(frame, step, e));
    } catch (StepFailed e) {
      goOnOrFail(frame, step, e);
    }
  }

  private void goOnOrFail(Frame frame, FlowStep step, StepFailed failure) {
    if (step.onError() != FlowStep.OnError.CONTINUE) {
      throw failure;
    }
    services.visited(file.name(), step.id(), Outcome.PASSED_OVER);
    frame.passOver(step, failure);
  }

  /** Recorded if left out, for the history, and if the moment decides, for the next pass. */
  private boolean isLeftOut(Frame frame, FlowStep step) {
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
                  () -> Evaluation.recorded(() -> Evaluation.holds(when, frame.scope())),
                  Boolean.class);
    } else {
      runs = Evaluation.holds(when, frame.scope());
      if (!runs) {
        var _ = frame.run().step(step.id() + ".when", () -> false, Boolean.class);
      }
    }
    if (!runs) {
      services.visited(file.name(), step.id(), Outcome.LEFT_OUT);
      frame.skip(step);
    }
    return !runs;
  }

  /** Whether the condition is evaluated per item of the step's own loop, not once. */
  private static boolean isPerItem(FlowStep step) {
    return step.forEach() != null && step.when() != null && step.when().reach().reaches("item");
  }

  private void looped(Frame frame, FlowStep step) throws Exception {
    FlowStep.ForEach forEach = step.forEach();
    if (forEach == null) {
      frame.put(step, carryOut(frame, step));
      return;
    }
    var each = Each.of(items(frame, step, forEach), Item::key).atOnce(forEach.atOnce());
    if (frame.readsItems(step)) {
      ItemResults<Object> done =
          frame
              .run()
              .forEach(
                  step.id(),
                  each,
                  (context, item) -> item(frame.item(context, item.key(), item.value()), step),
                  Object.class);
      var result = StepResult.ofLoop(at(frame, step), output(done.summary()));
      result.put(StepResult.ITEMS, done.items().stream().map(Interpreter::shown).toList());
      frame.put(step, result);
    } else {
      Items done =
          frame
              .run()
              .forEach(
                  step.id(),
                  each,
                  (context, item) -> item(frame.item(context, item.key(), item.value()), step));
      frame.put(step, StepResult.ofLoop(at(frame, step), output(done)));
    }
  }

  private record Item(String key, @Nullable Object value) {}

  private static Map<String, @Nullable Object> shown(ItemResults.ItemResult<Object> item) {
    Items.Failed error = item.error();
    var shown = new LinkedHashMap<String, @Nullable Object>();
    shown.put("key", item.key());
    shown.put("status", (error == null ? RunStatus.SUCCEEDED : RunStatus.FAILED).word());
    shown.put("output", item.output());
    shown.put("error", error == null ? null : StepResult.error(error.code(), error.message()));
    return shown;
  }

  /** Returns the output of the item. */
  private @Nullable Object item(Frame frame, FlowStep step) throws Exception {
    try {
      return isPerItem(step) && isLeftOut(frame, step) ? null : carryOut(frame, step).get("output");
    } catch (ExpressionFailed e) {
      goOnOrFail(frame, step, failure(frame, step, e));
    } catch (StepFailed e) {
      goOnOrFail(frame, step, e);
    }
    return null;
  }

  private static List<Item> items(Frame frame, FlowStep step, FlowStep.ForEach forEach) {
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
    Scope keys = frame.scope().asOneValue(KEYS_PER_LIST);
    for (Object one : list) {
      Template itemKey = forEach.itemKey();
      String key =
          itemKey == null ? Integer.toString(items.size()) : itemKey.text(keys.with("item", one));
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

  private Map<String, @Nullable Object> carryOut(Frame frame, FlowStep step) throws Exception {
    services.visited(file.name(), step.id(), Outcome.RAN);
    if (frame.run() instanceof PlannedRun plan && step.inner().isEmpty()) {
      var _ = plan.reach();
    }
    Object output = step.kind().run(at(frame, step));
    if (frame.run() instanceof PlannedRun) {
      PlannedSteps.refuseMissing(frame, step);
    }
    if (!step.kind().boundsItsOutput()) {
      at(frame, step).refuseTooLarge(output);
    }
    return StepResult.of(at(frame, step), output);
  }

  private StepRun at(Frame frame, FlowStep step) {
    return frame.at(step, new Inside(frame));
  }

  /** Runs the inner steps of a step in its frame. */
  private final class Inside implements StepRun.Inner {
    private final Frame frame;

    Inside(Frame frame) {
      this.frame = frame;
    }

    @Override
    public @Nullable Object inOrder(List<FlowStep> inner) throws Exception {
      return steps(frame, inner);
    }

    @Override
    public @Nullable Object repeated(FlowStep step, StepRun.Rounds rounds) {
      return Interpreter.this.repeated(frame, step, rounds);
    }

    @Override
    public List<@Nullable Object> atOnce(List<List<FlowStep>> branches) throws Exception {
      var bodies = new ArrayList<RunContext.Branch<Frame>>();
      for (List<FlowStep> inner : branches) {
        bodies.add(
            context -> {
              Frame branch = frame.branch(context);
              steps(branch, inner);
              return branch;
            });
      }
      List<Frame> frames = frame.run().parallel(bodies);
      var outputs = new ArrayList<@Nullable Object>();
      for (int i = 0; i < branches.size(); i++) {
        Frame ended = frames.get(i);
        branches.get(i).forEach(step -> join(frame, ended, step));
        outputs.add(ended.outputOf(branches.get(i).getLast()));
      }
      return outputs;
    }
  }

  private @Nullable Object repeated(Frame frame, FlowStep step, StepRun.Rounds rounds) {
    Template whilst = rounds.whilst();
    frame.forget(CarriedSteps.idsIn(step), unknown); // what rounds of an earlier time have left
    if (whilst != null && !beginsFirst(frame, step, whilst)) {
      return null;
    }
    Set<String> kept = carried.getOrDefault(step.id(), Set.of());
    Map<?, ?> last =
        frame
            .run()
            .repeat(
                step.id(),
                rounds.most(),
                (context, index, before) -> {
                  Frame round = frame.repeated(context, index, before == null ? Map.of() : before);
                  steps(round, rounds.steps());
                  if (frame.run() instanceof PlannedRun plan) {
                    new PlannedSteps(file, plan)
                        .refuseMissing(
                            frame, round, step, rounds, () -> isLast(round, step, rounds, index));
                  }
                  return new Repetition<Map<?, ?>>(
                      round.resultsOf(kept), isLast(round, step, rounds, index));
                },
                MAP);
    frame.takeAll(last == null ? Map.of() : last);
    return frame.outputOf(rounds.steps().getLast());
  }

  private static boolean beginsFirst(Frame frame, FlowStep step, Template whilst) {
    return frame
        .run()
        .step(
            step.id() + ".while",
            () -> Evaluation.recorded(() -> Evaluation.holds(whilst, frame.scopeBefore(0))),
            Boolean.class);
  }

  /** The end of the round is recorded with the answer, and there is no step between the two. */
  private static boolean isLast(Frame round, FlowStep step, StepRun.Rounds rounds, int index) {
    Template until = rounds.until();
    Template whilst = rounds.whilst();
    try {
      return until != null
          ? Evaluation.holds(until, round.scope())
          : whilst == null || !Evaluation.holds(whilst, round.scopeBefore(index + 1));
    } catch (ExpressionFailed e) {
      throw failure(round, step, e);
    }
  }

  /** Takes only the branch's own results: another branch may have newer ones of earlier steps. */
  private static void join(Frame frame, Frame ended, FlowStep step) {
    frame.take(ended, step);
    step.inner().forEach(steps -> steps.forEach(inner -> join(frame, ended, inner)));
  }
}
