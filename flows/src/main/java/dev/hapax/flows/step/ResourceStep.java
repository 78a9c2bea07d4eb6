package dev.hapax.flows.step;

import dev.hapax.flow.Resource;
import dev.hapax.flow.ResourceNotFound;
import dev.hapax.flows.expression.Position;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.expression.ValueTemplate;
import dev.hapax.flows.yaml.Fields;
import dev.hapax.flows.yaml.Shape;
import dev.hapax.flows.yaml.Type;
import dev.hapax.flows.yaml.Types;
import dev.hapax.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Stores or reads a large value. */
sealed interface ResourceStep extends FlowStepKind {
  StepForm FORM =
      StepForm.mapping(
          "resource",
          "A large value, stored once.",
          ResourceStep::read,
          Shape.of("resource", "resource")
              .either("put", new Type.Of("resourcePut"), "Stores a value.")
              .either("get", new Type.Of("resourceGet"), "Reads a value.")
              .build(),
          Shape.of("resourcePut", "resource.put")
              .must("value", Types.VALUE, "A text, or any value as JSON.")
              .may("contentType", Types.TEXT, "The content type, such as text/csv.")
              .build(),
          Shape.of("resourceGet", "resource.get")
              .must("ref", Types.TEMPLATE, "A `res://` reference.")
              .build());

  private static ResourceStep read(StepSource source) {
    Fields put = source.fields().fields("put");
    return put != null
        ? new Put(source.position(), put.value("value"), put.textOrNull("contentType"))
        : new Get(source.position(), source.fields().fieldsOf("get").template("ref"));
  }

  @Override
  default String word() {
    return FORM.word();
  }

  /** A reference is made from the value. */
  @Override
  default Follows follows() {
    return Follows.SURELY;
  }

  /** Stores a value. */
  record Put(Position position, ValueTemplate value, @Nullable String contentType)
      implements ResourceStep {
    @Override
    public Stream<Template> templates() {
      return Templates.of(value);
    }

    @Override
    public Map<String, Object> run(StepRun step) {
      Object content = Guarded.<@Nullable Object>prepared(step, () -> value.value(step.scope()));
      boolean isText = content instanceof String;
      String text =
          content instanceof String already
              ? already
              : content == null ? "null" : Json.write(content);
      String type =
          contentType != null
              ? contentType
              : isText ? "text/plain; charset=utf-8" : "application/json";
      String ref = step.run().resource(step.id(), text.getBytes(StandardCharsets.UTF_8), type);
      step.kept().put(ref, text, type);
      return Map.of("ref", ref);
    }

    @Override
    public boolean canFail() {
      return false;
    }

    @Override
    public String description() {
      return "store as a resource";
    }
  }

  /** Reads a value. */
  record Get(Position position, Template ref) implements ResourceStep {
    @Override
    public Stream<Template> templates() {
      return Templates.of(ref);
    }

    @Override
    public @Nullable Object run(StepRun step) {
      String from = Guarded.prepared(step, () -> step.text(ref));
      try {
        RecentResources.Value own = step.kept().get(from);
        if (own != null) {
          return value(own.text(), own.contentType());
        }
        Resource stored = step.run().resource(from);
        return value(stored.text(), stored.contentType());
      } catch (ResourceNotFound | IllegalArgumentException e) {
        throw step.failed("resource-not-found", String.valueOf(e.getMessage()));
      }
    }

    private static @Nullable Object value(String text, String contentType) {
      return contentType.contains("json") ? Json.read(text, Object.class) : text;
    }

    @Override
    public boolean onlyReads() {
      return true;
    }

    @Override
    public String description() {
      return "load " + ref.plain();
    }
  }
}
