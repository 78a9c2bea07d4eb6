package dev.hapax.engine.pass;

import dev.hapax.effect.Payload;
import dev.hapax.engine.parts.EngineParts;
import dev.hapax.engine.replay.KvFailure;
import dev.hapax.engine.replay.StepKind;
import dev.hapax.engine.replay.StepState;
import dev.hapax.flow.Failure;
import dev.hapax.flow.KvEntry;
import dev.hapax.flow.KvResult;
import dev.hapax.flow.KvSteps;
import dev.hapax.flow.Names;
import dev.hapax.flow.Step;
import dev.hapax.json.NotSerializable;
import dev.hapax.json.ValueTooLarge;
import dev.hapax.run.journal.Answer;
import dev.hapax.run.journal.KvAction;
import dev.hapax.run.journal.StepEntry;
import dev.hapax.run.value.KvRequest;
import dev.hapax.store.Change;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The durable map as a body sees it. The commit of the journal entry answers each request. */
final class KvCalls implements KvSteps {
  private final StepPlace context;
  private final Fiber fiber;
  private final EngineParts parts;

  KvCalls(StepPlace context, Fiber fiber, EngineParts parts) {
    this.context = context;
    this.fiber = fiber;
    this.parts = parts;
  }

  @Override
  public KvResult get(String name, String key) {
    return call(name, new Call(KvAction.GET, key, null, 0, null));
  }

  @Override
  public KvResult put(String name, String key, @Nullable Object value, @Nullable Duration ttl) {
    return call(name, new Call(KvAction.PUT, key, value, 0, ttl));
  }

  @Override
  public KvResult putIfAbsent(
      String name, String key, @Nullable Object value, @Nullable Duration ttl) {
    return call(name, new Call(KvAction.PUT_IF_ABSENT, key, value, 0, ttl));
  }

  @Override
  public KvResult compareAndSet(
      String name, String key, long version, @Nullable Object value, @Nullable Duration ttl) {
    return call(name, new Call(KvAction.COMPARE_AND_SET, key, value, version, ttl));
  }

  @Override
  public KvResult transition(
      String name,
      String key,
      Collection<? extends @Nullable Object> from,
      @Nullable Object to,
      @Nullable Duration ttl) {
    return call(name, new Call(KvAction.TRANSITION, key, to, 0, ttl, new ArrayList<>(from)));
  }

  @Override
  public KvResult add(String name, String key, Number by, @Nullable Duration ttl) {
    return call(name, new Call(KvAction.ADD, key, by, 0, ttl));
  }

  @Override
  public KvResult delete(String name, String key) {
    return call(name, new Call(KvAction.DELETE, key, null, 0, null));
  }

  private record Call(
      KvAction action,
      String key,
      @Nullable Object value,
      long version,
      @Nullable Duration ttl,
      List<? extends @Nullable Object> from) {
    Call(
        KvAction action, String key, @Nullable Object value, long version, @Nullable Duration ttl) {
      this(action, key, value, version, ttl, List.of());
    }
  }

  private KvResult call(String name, Call call) {
    return context.inEngine(
        name,
        StepKind.KV,
        (step, state) -> {
          try {
            if (state instanceof StepState.KvAnswered(var asked, var answer)) {
              return result(asked, answer);
            }
            if (state instanceof StepState.Finished(_, var output)) { // by hand, after it failed
              return new KvResult(
                  output == null ? null : context.valueOf(output), KvEntry.ABSENT, false);
            }
            context.stopIfAsked();
            return ask(step, call);
          } catch (ValueTooLarge e) { // the entry was read or written all the same
            throw StepFailures.of(
                Failure.of(e.code(), String.valueOf(e.getMessage()), false).at(step));
          }
        });
  }

  private KvResult ask(Step step, Call call) {
    refuseReserved(step, call);
    String value = call.action().brings() ? fiber.keep(json(step, call.value())) : null;
    var entry = new StepEntry.KvAsked(step, call.action(), call.key(), value);
    var request =
        new KvRequest(
            parts.ids().next(),
            fiber.identity().tenant(),
            call.key(),
            call.action(),
            value,
            call.version(),
            KvRequest.expiry(parts.clock().now(), call.ttl()),
            from(step, call));
    return result(entry, (Answer.Kv) fiber.ask(entry, new Change.Kv(request)));
  }

  /**
   * The flows of Hapax itself keep their notes there, and a flow of a tenant must not change them.
   */
  private void refuseReserved(Step step, Call call) {
    if (call.action() != KvAction.GET
        && KvRequest.isReserved(call.key())
        && !fiber.identity().flow().startsWith(Names.RESERVED)) {
      throw context.fail(step, Failure.of("reserved-key", KvRequest.reserved(call.key()), false));
    }
  }

  private List<String> from(Step step, Call call) {
    return call.action() == KvAction.TRANSITION
        ? KvRequest.from(call.key(), call.from().stream().map(one -> json(step, one)).toList())
        : List.of();
  }

  private String json(Step step, @Nullable Object value) {
    try {
      return Payload.writeResult(value);
    } catch (NotSerializable e) {
      throw context.fail(step, Failure.of(e.code(), String.valueOf(e.getMessage()), false));
    }
  }

  private KvResult result(StepEntry.KvAsked asked, Answer.Kv answer) {
    Failure failure = KvFailure.of(asked, answer);
    if (failure != null) {
      throw StepFailures.of(failure);
    }
    String value = answer.current(asked.value());
    return new KvResult(
        value == null ? null : context.valueOf(value), answer.version(), answer.written());
  }
}
