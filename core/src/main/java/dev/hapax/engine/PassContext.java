package dev.hapax.engine;

import dev.hapax.effect.EffectProgress;
import dev.hapax.effect.EffectStep;
import dev.hapax.effect.Payload;
import dev.hapax.flow.Approval;
import dev.hapax.flow.Decision;
import dev.hapax.flow.Each;
import dev.hapax.flow.Effect;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Items;
import dev.hapax.flow.KvSteps;
import dev.hapax.flow.Message;
import dev.hapax.flow.Names;
import dev.hapax.flow.Resource;
import dev.hapax.flow.ResourceNotFound;
import dev.hapax.flow.RetryPolicy;
import dev.hapax.flow.RunContext;
import dev.hapax.flow.StepFailed;
import dev.hapax.flow.TransactionEffect;
import dev.hapax.json.Json;
import dev.hapax.json.NotSerializable;
import dev.hapax.json.Text;
import dev.hapax.run.Failure;
import dev.hapax.run.JournalEntry;
import dev.hapax.run.ResourceRef;
import dev.hapax.run.RunStatus;
import dev.hapax.run.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A run as its body sees it: each call finds its step in the journal, or carries it out and records
 * it.
 */
final class PassContext implements RunContext {
  private static final int NO_ROUND = 0;

  private final Strand strand;
  private final RunPass pass;
  private final Engine.Parts parts;
  private final @Nullable String item;
  private final int round;

  PassContext(Strand strand, Engine.Parts parts, @Nullable String item) {
    this(strand, parts, item, NO_ROUND);
  }

  /**
   * With steps of one round.
   *
   * @param round counted from 1, or {@link #NO_ROUND}
   */
  private PassContext(Strand strand, Engine.Parts parts, @Nullable String item, int round) {
    this.round = round;
    this.strand = strand;
    this.pass = strand.pass();
    this.parts = parts;
    this.item = item;
  }

  @Override
  public String id() {
    return pass.id().toString();
  }

  @Override
  public String key() {
    return pass.key();
  }

  @Override
  public RunContext item(String itemKey) {
    return new PassContext(strand, parts, within(item, Names.item(itemKey)), round);
  }

  /** An item inside another; the place of the innermost tells all of them. */
  static String within(@Nullable String outer, String inner) {
    return outer == null ? inner : outer + Names.BETWEEN_ITEMS + inner;
  }

  @Override
  public <T extends @Nullable Object> T step(
      String name, Callable<? extends T> work, Class<T> type) {
    return inEngine(
        name, StepKind.STEP, (step, state) -> decode(step, compute(step, state, null, work), type));
  }

  @Override
  public <T extends @Nullable Object> T read(
      String name, RetryPolicy retry, Callable<? extends T> work, Class<T> type) {
    return inEngine(
        name,
        StepKind.STEP,
        (step, state) -> decode(step, compute(step, state, retry, work), type));
  }

  @Override
  public <T extends @Nullable Object> T effect(
      String name, Effect<?> effect, Sender<? extends T> sender, Class<T> type) {
    return carryOut(name, effect, type, (key, _) -> Payload.write(sender.send(key)));
  }

  @Override
  public <R, T extends @Nullable Object> T effect(
      String name, Effect<R> effect, RequestSender<R, ? extends T> sender, Class<T> type) {
    return carryOut(
        name,
        effect,
        type,
        (key, stored) -> Payload.write(sender.send(key, request(name, effect, stored))));
  }

  @Override
  public <C, T extends @Nullable Object> T effect(
      String name,
      TransactionEffect<C> effect,
      TransactionSender<C, ? extends T> sender,
      Class<T> type) {
    return carryOut(
        name,
        effect.effect(),
        type,
        (key, _) ->
            effect
                .database()
                .once(key, connection -> Payload.writeBounded(sender.send(key, connection))));
  }

  @Override
  public void effect(String name, Effect<?> effect, Action action) {
    carryOut(
        name,
        effect,
        Object.class,
        (key, _) -> {
          action.send(key);
          return "null";
        });
  }

  @Override
  public <R> void effect(String name, Effect<R> effect, RequestAction<R> action) {
    carryOut(
        name,
        effect,
        Object.class,
        (key, stored) -> {
          action.send(key, request(name, effect, stored));
          return "null";
        });
  }

  @Override
  public <T extends @Nullable Object> List<T> parallel(List<? extends Branch<? extends T>> branches)
      throws Exception {
    strand.checkThread();
    return new Branches<T>(parts, strand, this).run(branches);
  }

  @Override
  public String publish(String name, Message message) {
    return inEngine(
        name,
        StepKind.MESSAGE,
        (step, state) -> {
          if (state instanceof StepState.Finished(_, var output)) {
            return decode(step, output, String.class);
          }
          stopIfAsked();
          return new Publishing(strand, parts).publish(step, message);
        });
  }

  @Override
  public <T> Items forEach(String name, Each<T> each, ItemBody<T> body) {
    return new Loop<T>(parts, strand, this, item, each, body).run(name);
  }

  @Override
  public <T extends @Nullable Object> T locked(
      String name, String key, Section<? extends T> section) throws Exception {
    return new Locks(this, strand).locked(name, key, section);
  }

  @Override
  public KvSteps kv() {
    return new KvCalls(this, strand, parts);
  }

  @Override
  public String resource(String name, byte[] content, String contentType) {
    return inEngine(
        name,
        StepKind.STEP,
        (step, state) -> decode(step, keep(step, state, content, contentType), String.class));
  }

  @Override
  public Resource resource(String ref) {
    return parts.values().get(pass.identity().tenant(), ResourceRef.parse(ref));
  }

  @Override
  public void sleep(String name, Duration duration) {
    waitFor(name, () -> parts.clock().now().plus(duration));
  }

  @Override
  public void sleepUntil(String name, Instant time) {
    waitFor(name, () -> time);
  }

  @Override
  public String callback(String name) {
    strand.checkThread();
    Step step = step(name);
    pass.enter(strand);
    try {
      pass.stateOf(strand.lane(), step, StepKind.CALLBACK);
      return waits().token(step);
    } finally {
      pass.leave(strand);
    }
  }

  @Override
  public <T extends @Nullable Object> T awaitCallback(String name, Class<T> type) {
    return awaitCallback(name, null, type);
  }

  @Override
  public <T extends @Nullable Object> T awaitCallback(
      String name, @Nullable Duration expires, Class<T> type) {
    if (expires != null) {
      Names.positive("expiry of a callback", expires);
    }
    return answered(
        name, StepKind.CALLBACK, type, (s, state) -> waits().awaitCallback(s, state, expires));
  }

  @Override
  public Decision approval(String name, Approval approval) {
    return approval(name, approval, false);
  }

  private Decision approval(String name, Approval approval, boolean canRework) {
    return answered(
        name,
        StepKind.APPROVAL,
        Decision.class,
        (step, state) -> waits().awaitApproval(step, state, approval, canRework));
  }

  private <T extends @Nullable Object> T answered(
      String name, StepKind kind, Class<T> type, Work<@Nullable String> wait) {
    return inEngine(
        name,
        kind,
        (step, state) -> {
          if (state instanceof StepState.Finished(_, var output)) {
            return decode(step, output, type);
          }
          stopIfAsked();
          return decode(step, wait.with(step, state), type);
        });
  }

  @Override
  public <I, O> O call(String name, Flow<I, O> flow, I input) {
    return call(name, flow.output(), new Calls.Wanted<>(flow, null, input));
  }

  @Override
  public <I, O> O call(String name, Flow<I, O> flow, String key, I input) {
    return call(name, flow.output(), new Calls.Wanted<>(flow, key, input));
  }

  private <O> O call(String name, Class<O> output, Calls.Wanted<?> wanted) {
    return inEngine(
        name,
        StepKind.CALL,
        (step, state) -> {
          pass.calls().note(strand.lane().name(), step, state);
          return decode(
              step,
              recordedOr(state, () -> pass.calls().call(strand, step, state, wanted)),
              output);
        });
  }

  @Override
  public Decision rounds(String name, int maxRounds, Round work) throws Exception {
    if (round != NO_ROUND) {
      throw new IllegalArgumentException(
          "rounds '%s' stand inside other rounds: only one of them can go back".formatted(name));
    }
    if (maxRounds < 1) {
      throw new IllegalArgumentException(
          "rounds '%s': expected at least 1, got %d".formatted(name, maxRounds));
    }
    Decision rework = null;
    for (int number = 1; ; number++) {
      var inRound = new PassContext(strand, parts, item, number);
      Approval approval = work.work(inRound, rework);
      Decision decision = inRound.approval(name, approval, number < maxRounds);
      if (decision.decision() != Decision.Choice.REWORK) {
        return decision;
      }
      rework = decision;
    }
  }

  private WaitSteps waits() {
    return new WaitSteps(strand, parts);
  }

  @Override
  public <I> String spawn(String name, Flow<I, ?> flow, I input) {
    return spawn(name, new Calls.Wanted<>(flow, null, input));
  }

  @Override
  public <I> String spawn(String name, Flow<I, ?> flow, String key, I input) {
    return spawn(name, new Calls.Wanted<>(flow, key, input));
  }

  private String spawn(String name, Calls.Wanted<?> wanted) {
    return inEngine(
        name,
        StepKind.SPAWN,
        (step, state) ->
            decode(
                step,
                recordedOr(state, () -> pass.calls().spawn(strand, step, wanted)),
                String.class));
  }

  // ---- steps

  /** What a step does inside the engine, given what the journal says about it. */
  @FunctionalInterface
  interface Work<T extends @Nullable Object> {
    T with(Step step, @Nullable StepState state);
  }

  <T extends @Nullable Object> T inEngine(String name, StepKind kind, Work<T> work) {
    strand.checkThread();
    Step step = step(name);
    pass.enter(strand);
    try {
      StepState state = pass.visit(strand.lane(), step, kind);
      if (state instanceof StepState.Failed(_, var error)) {
        throw failed(error);
      }
      return work.with(step, state);
    } finally {
      pass.leave(strand);
    }
  }

  Step step(String name) {
    return new Step(Names.step(name), item).inRound(Math.max(1, round));
  }

  /** The same place in the body, for another strand. */
  PassContext in(Strand beside) {
    return in(beside, item);
  }

  PassContext in(Strand beside, @Nullable String itemKey) {
    return new PassContext(beside, parts, itemKey, round);
  }

  private @Nullable String compute(
      Step step, @Nullable StepState state, @Nullable RetryPolicy retry, Callable<?> work) {
    if (state instanceof StepState.Finished(_, var output)) {
      return output;
    }
    stopIfAsked();
    if (state instanceof StepState.ReadAgain again
        && parts.clock().now().isBefore(again.retryAt())) {
      throw strand.park(RunStatus.WAITING, again.retryAt());
    }
    pass.accept(strand);
    String output;
    try {
      output = callOutside(work);
    } catch (NotSerializable e) {
      throw fail(step, Failure.of("not-serializable", String.valueOf(e.getMessage()), false));
    } catch (Exception e) {
      String evidence = Text.storable(e.getClass().getName() + ": " + e.getMessage());
      if (retry != null) {
        readAgain(step, state instanceof StepState.ReadAgain again ? again : null, retry, evidence);
      }
      throw fail(step, Failure.of("step-failed", evidence, true));
    }
    strand.add(new JournalEntry.StepDone(step, strand.keep(output)));
    return output;
  }

  private @Nullable String keep(
      Step step, @Nullable StepState state, byte[] content, String contentType) {
    if (state instanceof StepState.Finished(_, var output)) {
      return output;
    }
    stopIfAsked();
    String ref;
    try {
      ref = Json.write(strand.keep(content.clone(), contentType).toString());
    } catch (NotSerializable e) {
      throw fail(step, Failure.of("too-large", String.valueOf(e.getMessage()), false));
    }
    strand.add(new JournalEntry.StepDone(step, ref));
    return ref;
  }

  /**
   * The step's own code runs as the body does: outside the engine, where it may block for ever
   * without harm.
   */
  private String callOutside(Callable<?> work) throws Exception {
    pass.leave(strand);
    try {
      return Payload.writeResult(work.call());
    } finally {
      pass.enter(strand);
    }
  }

  private void readAgain(
      Step step, StepState.@Nullable ReadAgain before, RetryPolicy retry, String evidence) {
    Instant now = parts.clock().now();
    int attempt = before == null ? 1 : before.attempts() + 1;
    Instant since = before == null ? now : before.since();
    Instant next = now.plus(retry.delayAfter(attempt, parts.random().nextDouble()));
    if (attempt < retry.attempts() && !next.isAfter(since.plus(retry.within()))) {
      strand.add(new JournalEntry.ReadFailed(step, attempt, evidence, next));
      throw strand.park(RunStatus.WAITING, next);
    }
  }

  StepFailed fail(Step step, Failure failure) {
    Failure here = failure.at(step);
    strand.add(new JournalEntry.StepFailed(step, here));
    return failed(here);
  }

  // ---- effects

  private <T extends @Nullable Object> T carryOut(
      String name, Effect<?> effect, Class<T> type, EffectStep.Sender sender) {
    pass.learn(new Step(name, item), effect); // also of a step that failed after it was done
    return inEngine(
        name,
        StepKind.EFFECT,
        (step, state) -> {
          String output = carryOut(step, state, effect, sender);
          if (strand.lane().replay().waits().isFollowed(step)) {
            strand.lane().replay().waits().sawEffect(step, requestOf(step, effect));
          }
          return decode(step, output, type);
        });
  }

  private @Nullable String carryOut(
      Step step, @Nullable StepState state, Effect<?> effect, EffectStep.Sender sender) {
    if (state instanceof StepState.Finished(_, var output)) {
      return output;
    }
    if (state == null) {
      stopIfAsked();
    }
    var asked = new EffectStep(step, effect, requestOf(step, effect), sender);
    return parts.ledger().carryOut(asked, progress(asked, state), strand);
  }

  private @Nullable EffectProgress progress(EffectStep asked, @Nullable StepState state) {
    if (state instanceof StepState.Open(var progress)) {
      String difference = asked.differenceFrom(progress.claim(), strand.identity().flow());
      if (difference != null) {
        throw strand.mismatch(asked.step(), difference);
      }
      return progress;
    }
    return null;
  }

  private @Nullable String requestOf(Step step, Effect<?> effect) {
    Object request = effect.request();
    try {
      return request == null ? null : Payload.writeBounded(request);
    } catch (NotSerializable e) {
      Failure failure =
          Failure.of("not-serializable", "its request: " + e.getMessage(), false).at(step);
      strand.add(new JournalEntry.EffectFailed(step, 0, 0, failure)); // it was never claimed
      throw failed(failure);
    }
  }

  @SuppressWarnings(
      "unchecked") // the stored request is read back as the class of the value that was stored
  private static <R> R request(String name, Effect<R> effect, @Nullable String stored) {
    R asked = effect.request();
    if (asked == null || stored == null) {
      throw new IllegalArgumentException(
          "effect '%s' has a sender that takes a request, but its contract gives none: use .request(value)"
              .formatted(name));
    }
    return (R) Json.read(stored, asked.getClass());
  }

  // ---- waits

  @FunctionalInterface
  private interface Until {
    Instant time();
  }

  private void waitFor(String name, Until until) {
    inEngine(
        name,
        StepKind.WAIT,
        (step, state) -> {
          if (state instanceof StepState.Finished) {
            return null;
          }
          stopIfAsked();
          Instant end =
              state instanceof StepState.Waiting(var recorded)
                  ? recorded
                  : start(step, until.time());
          if (parts.clock().now().isBefore(end)) {
            throw strand.park(RunStatus.WAITING, end);
          }
          strand.add(new JournalEntry.WaitEnded(step));
          return null;
        });
  }

  private Instant start(Step step, Instant until) {
    Instant stored = Instant.ofEpochMilli(until.toEpochMilli());
    strand.add(new JournalEntry.WaitStarted(step, stored));
    return stored;
  }

  // ---- small things

  /** What the journal holds, or what is done now. */
  private @Nullable String recordedOr(
      @Nullable StepState state, Supplier<@Nullable String> carriedOut) {
    if (state instanceof StepState.Finished(_, var output)) {
      return output;
    }
    stopIfAsked();
    return carriedOut.get();
  }

  /** Before anything new begins: not if the run is to end, and not if the engine is closing. */
  void stopIfAsked() {
    if (strand.isStopping()) {
      throw strand.stop();
    }
    if (parts.draining().getAsBoolean()) {
      throw strand.park(RunStatus.WAITING, parts.clock().now());
    }
  }

  /** Null only where the step's own code returned null, and so said that its type allows it. */
  @SuppressWarnings("NullAway")
  <T extends @Nullable Object> T decode(Step step, @Nullable String output, Class<T> type) {
    try {
      return output == null || output.equals("null") ? null : Json.read(valueOf(output), type);
    } catch (NotSerializable | ResourceNotFound e) {
      String message = "its recorded result cannot be read: " + e.getMessage();
      throw failed(Failure.of("not-serializable", message, false).at(step));
    }
  }

  /** What a recorded text is or refers to. */
  String valueOf(String stored) {
    return parts.values().valueOf(pass.identity().tenant(), stored);
  }

  static StepFailed failed(Failure error) {
    String step = error.step();
    return new StepFailed(
        error.code(), error.message(), step == null ? "" : step, error.item(), error.retryable());
  }
}
