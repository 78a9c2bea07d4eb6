package dev.hapax.engine;

import dev.hapax.effect.Payload;
import dev.hapax.flow.KvResult;
import dev.hapax.flow.KvSteps;
import dev.hapax.json.NotSerializable;
import dev.hapax.run.Answer;
import dev.hapax.run.Failure;
import dev.hapax.run.JournalEntry;
import dev.hapax.run.KvAction;
import dev.hapax.run.KvRequest;
import dev.hapax.run.Step;
import dev.hapax.store.Change;
import java.time.Duration;
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
  public KvResult delete(String name, String key) {
    return call(name, new Call(KvAction.DELETE, key, null, 0, null));
  }

  private record Call(
      KvAction action, String key, @Nullable Object value, long version, @Nullable Duration ttl) {}

  private KvResult call(String name, Call call) {
    return context.inEngine(
        name,
        StepKind.KV,
        (step, state) -> {
          if (state instanceof StepState.KvAnswered(var asked, var answer)) {
            return result(asked, answer);
          }
          context.stopIfAsked();
          return ask(step, call);
        });
  }

  private KvResult ask(Step step, Call call) {
    String value = call.action().brings() ? valueOf(step, call) : null;
    var entry = new JournalEntry.KvAsked(step, call.action(), call.key(), value);
    var request =
        new KvRequest(
            parts.ids().next(),
            fiber.identity().tenant(),
            call.key(),
            call.action(),
            value,
            call.version(),
            KvRequest.expiry(parts.clock().now(), call.ttl()));
    return result(entry, (Answer.Kv) fiber.ask(entry, new Change.Kv(request)));
  }

  private String valueOf(Step step, Call call) {
    try {
      return fiber.keep(Payload.writeResult(call.value()));
    } catch (NotSerializable e) {
      throw context.fail(
          step, Failure.of("not-serializable", String.valueOf(e.getMessage()), false));
    }
  }

  private KvResult result(JournalEntry.KvAsked asked, Answer.Kv answer) {
    String value = answer.written() ? asked.value() : answer.value();
    return new KvResult(
        value == null ? null : context.valueOf(value), answer.version(), answer.written());
  }
}
