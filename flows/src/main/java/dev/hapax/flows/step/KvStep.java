package dev.hapax.flows.step;

import dev.hapax.flow.KvResult;
import dev.hapax.flow.KvSteps;
import dev.hapax.flows.file.StepKind;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Uses the tenant's durable map. */
final class KvStep {
  private KvStep() {}

  static Map<String, @Nullable Object> run(StepRun step, StepKind.Kv kv) {
    String key = Guarded.prepared(step, () -> step.text(kv.key()));
    Object value =
        Guarded.<@Nullable Object>prepared(
            step, () -> kv.value() == null ? null : kv.value().value(step.scope()));
    KvSteps map = step.run().kv();
    KvResult result =
        switch (kv.operation()) {
          case GET -> map.get(step.id(), key);
          case PUT -> map.put(step.id(), key, value, kv.ttl());
          case PUT_IF_ABSENT -> map.putIfAbsent(step.id(), key, value, kv.ttl());
          case COMPARE_AND_SET ->
              map.compareAndSet(step.id(), key, version(step, kv), value, kv.ttl());
          case DELETE -> map.delete(step.id(), key);
        };
    var output = new LinkedHashMap<String, @Nullable Object>();
    output.put("value", result.value(Object.class));
    output.put("version", result.version());
    output.put("written", result.written());
    return output;
  }

  private static long version(StepRun step, StepKind.Kv kv) {
    String text = Guarded.prepared(step, () -> kv.version() == null ? "" : step.text(kv.version()));
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw step.failed("expression", "version: expected a whole number, got '%s'".formatted(text));
    }
  }
}
