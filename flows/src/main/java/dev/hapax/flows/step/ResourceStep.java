package dev.hapax.flows.step;

import dev.hapax.flow.Resource;
import dev.hapax.flow.ResourceNotFound;
import dev.hapax.flows.file.StepKind;
import dev.hapax.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Stores and reads large values. */
final class ResourceStep {
  private ResourceStep() {}

  static Map<String, Object> put(StepRun step, StepKind.ResourcePut put) {
    Object value = Guarded.<@Nullable Object>prepared(step, () -> put.value().value(step.scope()));
    boolean isText = value instanceof String;
    String text =
        value instanceof String already ? already : value == null ? "null" : Json.write(value);
    String type =
        put.contentType() != null
            ? put.contentType()
            : isText ? "text/plain; charset=utf-8" : "application/json";
    String ref = step.run().resource(step.id(), text.getBytes(StandardCharsets.UTF_8), type);
    step.kept().put(ref, text, type);
    return Map.of("ref", ref);
  }

  static @Nullable Object get(StepRun step, StepKind.ResourceGet get) {
    String ref = Guarded.prepared(step, () -> step.text(get.ref()));
    try {
      Kept.Value own = step.kept().get(ref);
      if (own != null) {
        return value(own.text(), own.contentType());
      }
      Resource stored = step.run().resource(ref);
      return value(stored.text(), stored.contentType());
    } catch (ResourceNotFound | IllegalArgumentException e) {
      throw step.failed("resource-not-found", String.valueOf(e.getMessage()));
    }
  }

  private static @Nullable Object value(String text, String contentType) {
    return contentType.contains("json") ? Json.read(text, Object.class) : text;
  }
}
