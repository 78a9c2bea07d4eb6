package dev.hapax.flows.step;

import dev.hapax.flow.NotApplied;
import dev.hapax.flows.file.EffectContract;
import dev.hapax.flows.file.EffectContract.GuardBlock;
import dev.hapax.flows.file.StepKind;
import dev.hapax.json.Json;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Runs a handler in Java. */
final class CallStep {
  private CallStep() {}

  static @Nullable Object run(StepRun step, StepKind.Call call) {
    EffectContract contract = step.step().effect();
    Map<String, @Nullable Object> request = Guarded.prepared(step, () -> request(step, call));
    if (contract == null || Guarded.isRead(contract)) {
      return step.run()
          .read(
              step.id(),
              step.read(null),
              () ->
                  step.isSampled()
                      ? step.sample(null)
                      : step.redacted(plain(handler(step, call).handle(request.get("input"), ""))),
              Object.class);
    }
    return Guarded.prepared(
        step,
        () ->
            new Guarded(step, contract)
                .send(
                    request,
                    new Destination(step),
                    (key, stored) ->
                        step.redacted(
                            plain(handler(step, call).handle(stored.get("input"), key)))));
  }

  /** Calls once, outside of the step's own effect, for its compensation. */
  static void call(StepRun step, StepKind.Call call, String key) throws Exception {
    var _ = handler(step, call).handle(request(step, call).get("input"), key);
  }

  private static Map<String, @Nullable Object> request(StepRun step, StepKind.Call call) {
    var request = new HashMap<String, @Nullable Object>();
    request.put("handler", call.handler());
    request.put("input", call.input() == null ? null : call.input().value(step.scope()));
    return request;
  }

  private static Handler handler(StepRun step, StepKind.Call call) {
    Handler handler = step.services().handlers().get(call.handler());
    if (handler == null) {
      throw new NotApplied(
          "there is no handler '%s': register it, then the step goes on".formatted(call.handler()));
    }
    return handler;
  }

  /** Converts a value to maps, lists and scalars, which can be redacted and read by expressions. */
  private static @Nullable Object plain(@Nullable Object value) {
    return value == null ? null : Json.read(Json.write(value), Object.class);
  }

  private record Destination(StepRun step) implements Guarded.Destination {
    @Override
    public @Nullable String connection() {
      return null;
    }

    @Override
    public @Nullable Object drafted(String key) {
      return null;
    }

    @Override
    public Duration window() {
      return Duration.ofHours(24);
    }

    @Override
    public Optional<?> find(GuardBlock.Lookup lookup) throws Exception {
      return new HttpStep(step, lookup.http(), null).find(lookup);
    }
  }
}
