package dev.hapax.engine.pass;

import dev.hapax.effect.EffectStep;
import dev.hapax.effect.Payload;
import dev.hapax.engine.parts.EngineParts;
import dev.hapax.engine.replay.StepKind;
import dev.hapax.engine.replay.StepState;
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
import dev.hapax.flow.Message;
import dev.hapax.flow.Names;
import dev.hapax.flow.NoAnswer;
import dev.hapax.flow.OnFailed;
import dev.hapax.flow.Read;
import dev.hapax.flow.Resource;
import dev.hapax.flow.ResourceNotFound;
import dev.hapax.flow.RunContext;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.Step;
import dev.hapax.flow.StepFailed;
import dev.hapax.flow.TransactionEffect;
import dev.hapax.flow.TypeToken;
import dev.hapax.json.AnswerRoom;
import dev.hapax.json.Json;
import dev.hapax.json.NotSerializable;
import dev.hapax.run.journal.StepEntry;
import dev.hapax.run.value.ResourceRef;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A run as its body sees it: each call finds its step in the journal, or executes and records it.
 */
final class PassContext implements RunContext, StepPlace {
  private static final TypeToken<String> STRING = TypeToken.of(String.class);

  private static final String NO_RESOURCE = "not-serializable";
  private static final int NO_ROUND = 0;

  private final Fiber fiber;
  private final RunPass pass;
  private final EngineParts parts;
  private final @Nullable String item;
  private final int round;

  PassContext(Fiber fiber, EngineParts parts, @Nullable String item) {
    this(fiber, parts, item, NO_ROUND);
  }

  /**
   * With steps of one round.
   *
   * @param round counted from 1, or {@link #NO_ROUND}
   */
  private PassContext(Fiber fiber, EngineParts parts, @Nullable String item, int round) {
    this.round = round;
    this.fiber = fiber;
    this.pass = fiber.pass();
    this.parts = parts;
    this.item = item;
  }

  @Override
  public boolean isStopRequested() {
    return pass.isStopRequested();
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
  public String tenant() {
    return pass.identity().tenant();
  }

  @Override
  public RunContext item(String itemKey) {
    String ambiguous = ItemPath.ambiguous(item);
    if (ambiguous != null) {
      throw new IllegalArgumentException(ambiguous);
    }
    return new PassContext(fiber, parts, ItemPath.within(item, Names.item(itemKey)), round);
  }

  @Override
  public <T extends @Nullable Object> T step(
      String name, Callable<? extends T> work, TypeToken<T> type) {
    return once(
        name,
        StepKind.STEP,
        type,
        (step, state) -> work().compute(step, state, null, work, type.type()));
  }

  @Override
  public String branch(String name, Callable<String> choice) {
    return once(name, StepKind.STEP, STRING, (step, state) -> work().branch(step, state, choice));
  }

  @Override
  public <T extends @Nullable Object> T read(
      String name, Read terms, Callable<? extends T> work, TypeToken<T> type) {
    return once(
        name,
        StepKind.STEP,
        type,
        (step, state) -> work().compute(step, state, terms, work, type.type()));
  }

  private WorkSteps work() {
    return new WorkSteps(this, fiber, parts);
  }

  @Override
  public <T extends @Nullable Object> T effect(
      String name, Effect<?> effect, Sender<? extends T> sender, TypeToken<T> type) {
    var result = new SentResult<>(type);
    return carryOut(
        name,
        effect,
        result,
        (key, _) -> AnswerRoom.within(() -> Payload.write(result.of(sender.send(key)))));
  }

  @Override
  public <R, T extends @Nullable Object> T effect(
      String name, Effect<R> effect, RequestSender<R, ? extends T> sender, TypeToken<T> type) {
    var result = new SentResult<>(type);
    return carryOut(
        name,
        effect,
        result,
        (key, stored) ->
            AnswerRoom.within(
                () ->
                    Payload.write(
                        result.of(sender.send(key, EffectSteps.request(name, effect, stored))))));
  }

  @Override
  public <C, T extends @Nullable Object> T effect(
      String name,
      TransactionEffect<C> effect,
      TransactionSender<C, ? extends T> sender,
      TypeToken<T> type) {
    var result = new SentResult<>(type);
    return carryOut(
        name,
        effect.effect(),
        result,
        (key, _) ->
            effect
                .database()
                .once(
                    key,
                    connection -> Payload.writeBounded(result.of(sender.send(key, connection)))));
  }

  @Override
  public void effect(String name, Effect<?> effect, Action action) {
    carryOut(
        name,
        effect,
        SentResult.NONE,
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
        SentResult.NONE,
        (key, stored) -> {
          action.send(key, EffectSteps.request(name, effect, stored));
          return "null";
        });
  }

  @Override
  public EffectOutcome outcome(String effect) {
    return fiber.journal().replay().outcomes().of(step(effect));
  }

  @Override
  public <T extends @Nullable Object> List<T> parallel(List<? extends Branch<? extends T>> branches)
      throws Exception {
    fiber.checkThread();
    return new Branches<T>(parts, fiber, this).run(branches);
  }

  @Override
  public String publish(String name, Message message) {
    return once(
        name,
        StepKind.MESSAGE,
        STRING,
        (step, _) -> Json.write(new Publishing(fiber, parts).publish(step, message)));
  }

  @Override
  public <T> Items forEach(String name, Each<T> each, ItemBody<T> body) {
    ItemWork<T, @Nullable Object> work =
        (context, one) -> {
          body.run(context, one);
          return null;
        };
    return new Loop<T>(parts, fiber, this, item, each, work, null).run(name).items();
  }

  @Override
  public <T, R> ItemResults<R> forEach(
      String name, Each<T> each, ItemWork<T, ? extends @Nullable R> work, TypeToken<R> type) {
    refuseUnreadable(step(name), null, type.type());
    return new Loop<T>(parts, fiber, this, item, each, work, type.type()).results(name);
  }

  @Override
  public <S> @Nullable S repeat(
      String name, int maxRounds, RepeatedWork<S> work, TypeToken<S> type) {
    refuseUnreadable(step(name), null, type.type());
    return new Repeat<>(parts, fiber, this, item, maxRounds, work, type.type()).run(name);
  }

  @Override
  public <T extends @Nullable Object> T locked(
      String name, String key, Section<? extends T> section) throws Exception {
    return new Locks(this, fiber).locked(name, key, section);
  }

  @Override
  public KvSteps kv() {
    return new KvCalls(this, fiber, parts);
  }

  @Override
  public String resource(String name, byte[] content, String contentType) {
    return once(name, StepKind.STEP, STRING, (step, _) -> work().keep(step, content, contentType));
  }

  @Override
  public String resource(InputStream content, String contentType) throws IOException {
    try {
      return parts.values().put(pass.identity().tenant(), content, contentType).toString();
    } catch (NoAnswer e) {
      throw pass.fence().closeFor(e);
    }
  }

  @Override
  public Resource resource(String ref) {
    try {
      return parts.values().get(pass.identity().tenant(), ResourceRef.parse(ref));
    } catch (NoAnswer e) {
      throw pass.fence().closeFor(e);
    }
  }

  @Override
  public void sleep(String name, Duration duration) {
    String what = "sleep '%s'".formatted(name);
    Duration bounded = duration.isNegative() ? Duration.ZERO : Names.bounded(what, duration);
    sleep(name, () -> parts.clock().now().plus(bounded));
  }

  @Override
  public void sleepUntil(String name, Instant time) {
    Instant until = Names.moment("end of sleep '%s'".formatted(name), time);
    sleep(name, () -> until);
  }

  private void sleep(String name, Supplier<Instant> until) {
    inEngine(
        name,
        StepKind.WAIT,
        (step, state) -> {
          String ended = recordedOr(step, state, (at, found) -> waits().sleep(at, found, until));
          waits().slept(step);
          return ended;
        });
  }

  @Override
  public String callback(String name) {
    fiber.checkThread();
    Step step = step(name);
    pass.fence().enter(fiber);
    try {
      pass.match().stateOf(fiber.journal(), step, StepKind.CALLBACK);
      return waits().token(step);
    } catch (NoAnswer e) {
      throw pass.fence().closeFor(e);
    } finally {
      pass.fence().leave(fiber);
    }
  }

  @Override
  public String approvalLink(String name, @Nullable String approver) {
    fiber.checkThread();
    Step step = step(name);
    if (approver != null) {
      WaitSteps.checkApprover(name, approver);
    }
    pass.fence().enter(fiber);
    try {
      pass.match().stateOf(fiber.journal(), step, StepKind.APPROVAL);
      return waits().link(step, approver);
    } catch (NoAnswer e) {
      throw pass.fence().closeFor(e);
    } finally {
      pass.fence().leave(fiber);
    }
  }

  @Override
  public <T extends @Nullable Object> T awaitCallback(
      String name, @Nullable Duration expires, TypeToken<T> type) {
    if (expires != null) {
      Names.positive("expiry of a callback", expires);
    }
    return once(
        name, StepKind.CALLBACK, type, (s, state) -> waits().awaitCallback(s, state, expires));
  }

  @Override
  public Decision approval(String name, Approval approval) {
    return approval(name, approval, false);
  }

  Decision approval(String name, Approval approval, boolean canRework) {
    return once(
        name,
        StepKind.APPROVAL,
        TypeToken.of(Decision.class),
        (step, state) -> waits().awaitApproval(step, state, approval, canRework));
  }

  @Override
  public <I, O> O call(String name, Flow<I, O> flow, I input) {
    return call(name, flow.output(), new Calls.Wanted<>(flow, null, input));
  }

  @Override
  public <I, O> O call(String name, Flow<I, O> flow, String key, I input) {
    return call(name, flow.output(), new Calls.Wanted<>(flow, key, input));
  }

  @Override
  public <I, O> O call(
      String name, Flow<I, O> flow, @Nullable String key, I input, OnFailed onFailed) {
    return call(name, flow.output(), new Calls.Wanted<>(flow, key, input, onFailed));
  }

  private <O> O call(String name, Class<O> output, Calls.Wanted<?> wanted) {
    return inEngine(
        name,
        StepKind.CALL,
        (step, state) -> {
          pass.calls().note(fiber.journal().name(), step, state);
          return decode(
              step,
              recordedOr(step, state, (_, _) -> pass.calls().call(fiber, step, state, wanted)),
              TypeToken.of(output));
        });
  }

  @Override
  public Decision rounds(String name, int maxRounds, Round work) throws Exception {
    if (round != NO_ROUND) {
      throw new IllegalArgumentException(
          "rounds '%s' are inside other rounds, which is not supported. Move them out"
              .formatted(name));
    }
    var rounds = new Rounds(number -> new PassContext(fiber, parts, item, number));
    return rounds.work(name, maxRounds, work);
  }

  private WaitSteps waits() {
    return new WaitSteps(fiber, parts);
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
    return once(name, StepKind.SPAWN, STRING, (step, _) -> pass.calls().spawn(fiber, step, wanted));
  }

  // ---- steps

  /**
   * Does the work of a step. A store that gives no answer unwinds the body, as a wait does, so that
   * no body ever makes a decision because of it.
   */
  @Override
  public <T extends @Nullable Object> T inEngine(String name, StepKind kind, Work<T> work) {
    fiber.checkThread();
    Step step = step(name);
    fiber.at(step);
    pass.fence().enter(fiber);
    try {
      StepState state = pass.match().visit(fiber.journal(), step, kind);
      if (state instanceof StepState.Failed(_, var error)) {
        throw StepFailures.of(error);
      }
      if (state == null && kind.leavesTheRun()) {
        fiber.checkBefore(step);
      }
      return work.with(step, state);
    } catch (NoAnswer e) {
      throw pass.fence().closeFor(e);
    } finally {
      pass.fence().leave(fiber);
    }
  }

  /** Returns the result in the journal, or does the work now. */
  private <T extends @Nullable Object> T once(
      String name, StepKind kind, TypeToken<T> type, Work<@Nullable String> work) {
    return inEngine(
        name,
        kind,
        (step, state) -> {
          refuseUnreadable(step, state, type.type());
          return decode(step, recordedOr(step, state, work), type);
        });
  }

  /** Called before anything is done, to refuse a result that could not be read back. */
  private static void refuseUnreadable(Step step, @Nullable StepState state, Type type) {
    String why = state == null ? Json.unreadable(type) : null;
    if (why != null) {
      throw StepFailures.of(Failure.of("not-serializable", "its result: " + why, false).at(step));
    }
  }

  private @Nullable String recordedOr(
      Step step, @Nullable StepState state, Work<@Nullable String> work) {
    if (state instanceof StepState.Finished(_, var output)) {
      return output;
    }
    stopIfAsked();
    return work.with(step, state);
  }

  @Override
  public Step step(String name) {
    return new Step(Names.step(name), item).inRound(Math.max(1, round));
  }

  /** The same place in the body, for another fiber. */
  @Override
  public PassContext in(Fiber beside) {
    return in(beside, item);
  }

  @Override
  public PassContext in(Fiber beside, @Nullable String itemKey) {
    return new PassContext(beside, parts, itemKey, round);
  }

  @Override
  public StepFailed fail(Step step, Failure failure) {
    Failure here = failure.at(step);
    fiber.add(new StepEntry.StepFailed(step, here));
    return StepFailures.of(here);
  }

  private <T extends @Nullable Object> T carryOut(
      String name, Effect<?> effect, SentResult<T> result, EffectStep.Sender sender) {
    pass.learn(new Step(name, item), effect); // also of a step that failed after it was done
    return inEngine(
        name,
        StepKind.EFFECT,
        (step, state) -> {
          refuseUnreadable(step, state, result.type().type());
          var steps = new EffectSteps(this, fiber, parts);
          String output = steps.carryOut(step, state, effect, sender);
          String lost = result.lost();
          if (lost != null) { // it is done anyway, and a retry with another type reads it
            throw StepFailures.of(
                Failure.of("not-serializable", "its result: " + lost, false).at(step));
          }
          return decode(step, output, result.type());
        });
  }

  // ---- small things

  /** Called before anything new begins. Stops if the run is to end or to wait on disk. */
  @Override
  public void stopIfAsked() {
    if (fiber.isStopping()) {
      throw fiber.stop();
    }
    if (parts.draining().concern(pass.identity().tenant())) {
      throw fiber.park(RunStatus.WAITING, parts.clock().now());
    }
  }

  /** Null only if the step's own code returned null, and so said that its type allows it. */
  @SuppressWarnings({"NullAway", "unchecked"}) // a token of T has no other type
  <T extends @Nullable Object> T decode(Step step, @Nullable String output, TypeToken<T> type) {
    try {
      return output == null || output.equals("null")
          ? null
          : (T) Json.readAs(valueOf(output), type.type());
    } catch (NotSerializable | ResourceNotFound e) {
      String code = e instanceof NotSerializable unreadable ? unreadable.code() : NO_RESOURCE;
      String message = "its recorded result cannot be read: " + e.getMessage();
      throw StepFailures.of(Failure.of(code, message, false).at(step));
    }
  }

  /** Returns the recorded text, or the value that it refers to. */
  @Override
  public String valueOf(String stored) {
    String text = parts.values().valueOf(pass.identity().tenant(), stored);
    fiber.hold(text);
    return text;
  }
}
