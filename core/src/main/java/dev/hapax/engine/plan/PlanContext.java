package dev.hapax.engine.plan;

import dev.hapax.effect.Payload;
import dev.hapax.engine.parts.Tokens;
import dev.hapax.engine.pass.ItemOutputs;
import dev.hapax.engine.pass.ItemPath;
import dev.hapax.engine.pass.StepFailures;
import dev.hapax.engine.replay.Replay;
import dev.hapax.engine.replay.StepKind;
import dev.hapax.engine.replay.StepState;
import dev.hapax.engine.start.RunStarts;
import dev.hapax.flow.AnswerMissing;
import dev.hapax.flow.Approval;
import dev.hapax.flow.Decision;
import dev.hapax.flow.Each;
import dev.hapax.flow.Effect;
import dev.hapax.flow.EffectOutcome;
import dev.hapax.flow.Failure;
import dev.hapax.flow.Flow;
import dev.hapax.flow.ItemResults;
import dev.hapax.flow.Items;
import dev.hapax.flow.KvSteps;
import dev.hapax.flow.Lock;
import dev.hapax.flow.Message;
import dev.hapax.flow.Names;
import dev.hapax.flow.NoAnswer;
import dev.hapax.flow.OnFailed;
import dev.hapax.flow.PlannedRun;
import dev.hapax.flow.Read;
import dev.hapax.flow.ReplayPlan;
import dev.hapax.flow.Resource;
import dev.hapax.flow.RunContext;
import dev.hapax.flow.Step;
import dev.hapax.flow.TransactionEffect;
import dev.hapax.flow.TypeToken;
import dev.hapax.json.Json;
import dev.hapax.resource.LargeValues;
import dev.hapax.run.value.ResourceRef;
import dev.hapax.store.Store;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * A run as its body sees it while a replay is planned. What the journal keeps is answered, what
 * only computes is computed, and the first answer that is not there ends this part of the body.
 * Loops and branches are walked one after the other.
 */
final class PlanContext implements RunContext, PlannedRun {
  private static final int NO_ROUND = 0;

  /** What a walk reads with. */
  record Reads(Store store, LargeValues values, Tokens tokens, RunStarts starts) {}

  private final PlanWalk walk;
  private final Reads reads;
  private final @Nullable String item;
  private final int round;

  PlanContext(PlanWalk walk, Reads reads) {
    this(walk, reads, null, NO_ROUND);
  }

  private PlanContext(PlanWalk walk, Reads reads, @Nullable String item, int round) {
    this.walk = walk;
    this.reads = reads;
    this.item = item;
    this.round = round;
  }

  @Override
  public String id() {
    return walk.identity().id().toString();
  }

  @Override
  public String key() {
    return walk.identity().key();
  }

  @Override
  public String tenant() {
    return walk.identity().tenant();
  }

  @Override
  public RunContext item(String itemKey) {
    return at(ItemPath.within(item, Names.item(itemKey)));
  }

  /** The same round of the body, at an item. */
  PlanContext at(String path) {
    return new PlanContext(walk, reads, path, round);
  }

  @Override
  public void unknown(
      String step,
      ReplayPlan.Type type,
      String name,
      @Nullable String key,
      List<String> dependsOn) {
    walk.unknown(step(step), type, name, key, dependsOn);
  }

  @Override
  public int reached() {
    return walk.reached();
  }

  @Override
  public int reach() {
    return walk.reach();
  }

  @Override
  public boolean momentary(boolean isMomentary) {
    return walk.momentary(isMomentary);
  }

  Step step(String name) {
    return new Step(Names.step(name), item).inRound(Math.max(1, round));
  }

  private Replay part() {
    return walk.part(item);
  }

  @Nullable StepState state(Step step, StepKind kind) {
    StepState state = part().stateOf(step);
    if (state != null && state.kind() != kind) {
      throw walk.impossible(
          step,
          "the journal holds it as %s, and the code makes it %s".formatted(state.kind(), kind));
    }
    if (state instanceof StepState.Failed(_, var error)) {
      throw StepFailures.of(error);
    }
    return state;
  }

  /** The result in the journal; ends the walk if it has none. */
  private <T extends @Nullable Object> T recorded(
      String name, StepKind kind, TypeToken<T> type, String otherwise) {
    return decode(recorded(name, kind, otherwise), type);
  }

  private @Nullable String recorded(String name, StepKind kind, String otherwise) {
    Step step = step(name);
    if (state(step, kind) instanceof StepState.Finished(_, var output)) {
      return output;
    }
    throw walk.missing(step, otherwise);
  }

  @SuppressWarnings({"NullAway", "unchecked"}) // as the run itself decodes it
  private <T extends @Nullable Object> T decode(@Nullable String output, TypeToken<T> type) {
    return output == null || output.equals("null")
        ? null
        : (T) Json.readAs(walk.valueOf(output), type.type());
  }

  @Override
  public <T extends @Nullable Object> T step(
      String name, Callable<? extends T> work, TypeToken<T> type) {
    Step step = step(name);
    if (state(step, StepKind.STEP) instanceof StepState.Finished(_, var output)) {
      return decode(output, type);
    }
    if (walk.isMomentary()) {
      throw walk.missing(step, "computes a value of the moment, such as the time");
    }
    return decode(computed(step, work), type);
  }

  private String computed(Step step, Callable<?> work) {
    try {
      return Payload.writeResult(work.call());
    } catch (Exception e) {
      walk.refuseUnanswered(e);
      throw StepFailures.of(
          Failure.of("step-failed", String.valueOf(e.getMessage()), true).at(step));
    }
  }

  @Override
  public String branch(String name, Callable<String> choice) {
    return step(name, choice, TypeToken.of(String.class));
  }

  @Override
  public <T extends @Nullable Object> T read(
      String name, Read terms, Callable<? extends T> work, TypeToken<T> type) {
    return recorded(name, StepKind.STEP, type, "reads, and its answer is not there yet");
  }

  private @Nullable String planned(String name, Effect<?> effect, boolean needsAnswer) {
    Step step = step(name);
    return state(step, StepKind.EFFECT) instanceof StepState.Finished(_, var output)
        ? output
        : walk.effect(step, effect, needsAnswer);
  }

  @Override
  public <T extends @Nullable Object> T effect(
      String name, Effect<?> effect, Sender<? extends T> sender, TypeToken<T> type) {
    return decode(planned(name, effect, true), type);
  }

  @Override
  public <R, T extends @Nullable Object> T effect(
      String name, Effect<R> effect, RequestSender<R, ? extends T> sender, TypeToken<T> type) {
    return decode(planned(name, effect, true), type);
  }

  @Override
  public <C, T extends @Nullable Object> T effect(
      String name,
      TransactionEffect<C> effect,
      TransactionSender<C, ? extends T> sender,
      TypeToken<T> type) {
    return decode(planned(name, effect.effect(), true), type);
  }

  @Override
  public void effect(String name, Effect<?> effect, Action action) {
    var _ = planned(name, effect, false);
  }

  @Override
  public <R> void effect(String name, Effect<R> effect, RequestAction<R> action) {
    var _ = planned(name, effect, false);
  }

  @Override
  public EffectOutcome outcome(String effect) {
    return walk.outcome(step(effect));
  }

  @Override
  public <T extends @Nullable Object> List<T> parallel(List<? extends Branch<? extends T>> branches)
      throws Exception {
    var results = new ArrayList<T>();
    AnswerMissing missing = null;
    for (Branch<? extends T> branch : branches) {
      try {
        results.add(branch.run(this));
      } catch (AnswerMissing e) {
        missing = missing == null ? e : missing;
      }
    }
    if (missing != null) {
      throw missing;
    }
    return results;
  }

  @Override
  public String publish(String name, Message message) {
    Step step = step(name);
    if (state(step, StepKind.MESSAGE) instanceof StepState.Finished(_, var output)) {
      return decode(output, TypeToken.of(String.class));
    }
    return starts().publish(step, message);
  }

  @Override
  public <T> Items forEach(String name, Each<T> each, ItemBody<T> body) {
    ItemWork<T, @Nullable Object> work =
        (context, one) -> {
          body.run(context, one);
          return null;
        };
    return loops().walked(name, each, work).items();
  }

  @Override
  public <T, R> ItemResults<R> forEach(
      String name, Each<T> each, ItemWork<T, ? extends @Nullable R> work, TypeToken<R> type) {
    StepState.Looped ended = loops().walked(name, each, work);
    String results = ended.results();
    if (results == null) {
      throw walk.impossible(step(name), "the results of its items are too large");
    }
    return new ItemResults<>(ended.items(), ItemOutputs.read(walk.valueOf(results), type.type()));
  }

  @Override
  public <S> @Nullable S repeat(
      String name, int maxRounds, RepeatedWork<S> work, TypeToken<S> type) {
    return loops().repeated(name, maxRounds, work, type);
  }

  private PlanLoops loops() {
    return new PlanLoops(this, walk, item);
  }

  @Override
  public <T extends @Nullable Object> T locked(
      String name, String key, Section<? extends T> section) throws Exception {
    boolean before = walk.isMomentary();
    try {
      return section.run(
          new Lock() {
            @Override
            public String key() {
              return key;
            }

            @Override
            public long fence() {
              var _ = walk.momentary(true); // the run gets another one
              return 0;
            }
          });
    } finally {
      var _ = walk.momentary(before);
    }
  }

  @Override
  public KvSteps kv() {
    return new PlanKv(this, walk);
  }

  @Override
  public String resource(String name, byte[] content, String contentType) {
    return recorded(
        name, StepKind.STEP, TypeToken.of(String.class), "keeps a value, which a plan does not");
  }

  @Override
  public String resource(InputStream content, String contentType) {
    throw new AnswerMissing("resource", "the run keeps a value, which a plan does not");
  }

  @Override
  public Resource resource(String ref) {
    try {
      return reads.values().get(walk.identity().tenant(), ResourceRef.parse(ref));
    } catch (NoAnswer e) {
      throw walk.unanswered(e);
    }
  }

  @Override
  public void sleep(String name, Duration duration) {
    wait(name);
  }

  @Override
  public void sleepUntil(String name, Instant time) {
    wait(name);
  }

  private void wait(String name) {
    var _ = recorded(name, StepKind.WAIT, "waits for its time");
  }

  @Override
  public String callback(String name) {
    Step step = step(name);
    int key =
        part().waits().callback(step) == null
            ? reads.tokens().currentKey()
            : part().waits().keyOf(step);
    return reads.tokens().of(walk.identity(), step, key);
  }

  @Override
  public String approvalLink(String name, @Nullable String approver) {
    Step step = step(name);
    Integer known = part().waits().keyOfLink(step, approver);
    return reads
        .tokens()
        .ofLink(
            walk.identity(), step, approver, known == null ? reads.tokens().currentKey() : known);
  }

  @Override
  public <T extends @Nullable Object> T awaitCallback(
      String name, @Nullable Duration expires, TypeToken<T> type) {
    return recorded(name, StepKind.CALLBACK, type, "waits for its callback");
  }

  @Override
  public Decision approval(String name, Approval approval) {
    return recorded(
        name,
        StepKind.APPROVAL,
        TypeToken.of(Decision.class),
        "waits for the decision of a person");
  }

  @Override
  public Decision rounds(String name, int maxRounds, Round work) throws Exception {
    Decision rework = null;
    for (int number = 1; ; number++) {
      var context = new PlanContext(walk, reads, item, number);
      Approval approval = work.work(context, rework);
      Decision decision = context.approval(name, approval);
      if (decision.decision() != Decision.Choice.REWORK) {
        return decision;
      }
      rework = decision;
    }
  }

  @Override
  public <I, O> O call(String name, Flow<I, O> flow, I input) {
    return call(name, flow, null, input, OnFailed.FAIL);
  }

  @Override
  public <I, O> O call(String name, Flow<I, O> flow, String key, I input) {
    return call(name, flow, key, input, OnFailed.FAIL);
  }

  @Override
  public <I, O> O call(
      String name, Flow<I, O> flow, @Nullable String key, I input, OnFailed onFailed) {
    Step step = step(name);
    String output =
        switch (state(step, StepKind.CALL)) {
          case StepState.Finished(_, var known) -> known;
          case StepState.Calling calling -> starts().attached(step, calling);
          case null, default ->
              starts().called(step, new PlanStarts.Wanted<>(flow, key, input), onFailed);
        };
    return decode(output, TypeToken.of(flow.output()));
  }

  @Override
  public <I> String spawn(String name, Flow<I, ?> flow, I input) {
    return spawned(name, new PlanStarts.Wanted<>(flow, null, input));
  }

  @Override
  public <I> String spawn(String name, Flow<I, ?> flow, String key, I input) {
    return spawned(name, new PlanStarts.Wanted<>(flow, key, input));
  }

  private String spawned(String name, PlanStarts.Wanted<?> wanted) {
    Step step = step(name);
    return state(step, StepKind.SPAWN) instanceof StepState.Finished(_, var output)
        ? decode(output, TypeToken.of(String.class))
        : starts().spawned(step, wanted);
  }

  private PlanStarts starts() {
    return new PlanStarts(walk, reads);
  }
}
