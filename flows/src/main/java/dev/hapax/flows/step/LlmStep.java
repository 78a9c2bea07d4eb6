package dev.hapax.flows.step;

import dev.hapax.flows.expression.Position;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.expression.ValueTemplate;
import dev.hapax.flows.yaml.Fields;
import dev.hapax.flows.yaml.JsonSchema;
import dev.hapax.flows.yaml.Shape;
import dev.hapax.flows.yaml.Type;
import dev.hapax.flows.yaml.Types;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A call to a language model; it can be read and checked, and cannot run yet. */
record LlmStep(
    Position position,
    String connection,
    Template model,
    ValueTemplate messages,
    @Nullable JsonSchema schema,
    String cache)
    implements FlowStepKind {
  static final StepForm FORM =
      StepForm.mapping(
          "llm",
          "A call of a language model.",
          LlmStep::read,
          Shape.of("llm", "llm")
              .must("connection", Types.CONNECTION, "The provider.")
              .must("model", Types.TEMPLATE, "The name of the model at the provider.")
              .must("messages", Types.VALUE, "The messages to the model.")
              .may("schema", new Type.Schema(), "JSON Schema of the answer.")
              .may(
                  "cache",
                  Types.words("run", "flow", "tenant", "none"),
                  "The scope in which an answer is reused.")
              .build());

  private static LlmStep read(StepSource source) {
    Fields llm = source.fields();
    return new LlmStep(
        source.position(),
        llm.text("connection"),
        llm.template("model"),
        llm.value("messages"),
        llm.schema("schema"),
        llm.text("cache", "run"));
  }

  @Override
  public String word() {
    return FORM.word();
  }

  @Override
  public Stream<Template> templates() {
    return Templates.of(model, messages);
  }

  @Override
  public @Nullable Object run(StepRun step) {
    return step.notSupported();
  }

  @Override
  public String insteadOfIt() {
    return "Call the model's API with http, or with call and a handler in Java.";
  }

  @Override
  public boolean onlyReads() {
    return true;
  }

  @Override
  public boolean isWrittenByModel() {
    return true;
  }

  @Override
  public boolean keepsItsAnswer() {
    return !cache.equals("none");
  }

  @Override
  public String description() {
    return "ask model " + model.plain();
  }
}
