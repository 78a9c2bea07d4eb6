package dev.hapax.flows.step;

import dev.hapax.flows.expression.Durations;
import dev.hapax.flows.expression.Position;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.yaml.Fields;
import dev.hapax.flows.yaml.FileProblem;
import dev.hapax.flows.yaml.JsonSchema;
import dev.hapax.flows.yaml.Shape;
import dev.hapax.flows.yaml.Type;
import dev.hapax.flows.yaml.Types;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A pause: for a length of time, until a time, or until an external caller answers. */
sealed interface WaitStep extends FlowStepKind {
  StepForm FORM =
      StepForm.mapping(
          "wait",
          "A pause.",
          WaitStep::read,
          Shape.of("wait", "wait")
              .either("for", Types.TEMPLATE, "A duration.")
              .either("until", Types.TEMPLATE, "A point in time.")
              .either("callback", new Type.Of("callback"), "An answer from outside.")
              .build(),
          Shape.of("callback", "wait.callback")
              .may("expires", Types.TIME, "How long the callback can be answered.")
              .may(
                  "schema",
                  new Type.Schema(),
                  "JSON Schema of the answer; an answer that does not match is refused.")
              .build());

  private static WaitStep read(StepSource source) {
    Fields wait = source.fields();
    if (wait.has("for")) {
      return pause(source, wait.template("for"));
    }
    if (wait.has("until")) {
      return new Until(source.position(), wait.template("until"));
    }
    Fields callback = wait.fieldsOf("callback");
    return new Callback(source.position(), callback.time("expires"), callback.schema("schema"));
  }

  private static For pause(StepSource source, Template length) {
    if (length.isConstant() && Durations.parse(length.source()) == null) {
      source.problem(
          FileProblem.TYPE,
          length.position(),
          "for: expected a duration such as 10s, 5m, 24h, 30d, got '%s'".formatted(length.source()),
          "Write a number and a unit.");
    }
    return new For(source.position(), length);
  }

  @Override
  default String word() {
    return FORM.word();
  }

  @Override
  default Look look() {
    return Look.WAIT;
  }

  @Override
  default boolean canFail() {
    return false;
  }

  @Override
  default Waiting waiting() {
    return new Waiting("time", "the clock", description());
  }

  /** A pause for a duration. */
  record For(Position position, Template length) implements WaitStep {
    @Override
    public Stream<Template> templates() {
      return Templates.of(length);
    }

    @Override
    public @Nullable Object run(StepRun step) {
      String text = Guarded.prepared(step, () -> step.text(length));
      Duration pause = Durations.parse(text);
      if (pause == null) {
        throw step.failed(
            "expression",
            "%s for: expected a duration such as 10m, got '%s'".formatted(length.position(), text));
      }
      step.run().sleep(step.id(), pause);
      return null;
    }

    @Override
    public String description() {
      return "wait " + length.plain();
    }
  }

  /** A pause until a time. */
  record Until(Position position, Template time) implements WaitStep {
    @Override
    public Stream<Template> templates() {
      return Templates.of(time);
    }

    @Override
    public @Nullable Object run(StepRun step) {
      String text = Guarded.prepared(step, () -> step.text(time));
      Instant end;
      try {
        end = OffsetDateTime.parse(text).toInstant();
      } catch (DateTimeException e) {
        throw step.failed(
            "expression",
            "%s until: expected a time such as 2026-11-15T10:00:00Z, got '%s'"
                .formatted(time.position(), text));
      }
      step.run().sleepUntil(step.id(), end);
      return null;
    }

    @Override
    public String description() {
      return "wait until " + time.plain();
    }
  }

  /** A pause until an external caller answers. */
  record Callback(Position position, @Nullable Duration expires, @Nullable JsonSchema answerSchema)
      implements WaitStep {
    @Override
    public Stream<Template> templates() {
      return Stream.empty();
    }

    @Override
    public @Nullable Object run(StepRun step) {
      return step.run().awaitCallback(step.id(), expires, Object.class);
    }

    @Override
    public boolean awaitsCallback() {
      return true;
    }

    @Override
    public Waiting waiting() {
      return new Waiting(
          "callback",
          "a system with its address",
          expires == null
              ? "it waits without a limit"
              : "after %s the run fails with expired".formatted(Durations.text(expires)));
    }

    @Override
    public boolean canFail() {
      return expires != null;
    }

    @Override
    public String description() {
      return "wait for an answer" + (expires == null ? "" : ", at most " + Durations.text(expires));
    }
  }
}
