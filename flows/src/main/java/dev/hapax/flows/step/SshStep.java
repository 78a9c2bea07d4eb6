package dev.hapax.flows.step;

import dev.hapax.flow.RunContext;
import dev.hapax.flows.expression.Position;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.expression.ValueTemplate;
import dev.hapax.flows.yaml.Fields;
import dev.hapax.flows.yaml.Shape;
import dev.hapax.flows.yaml.Types;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A command on another machine; it can be read and checked, and cannot run yet. */
record SshStep(Position position, String connection, String command, @Nullable ValueTemplate args)
    implements SendingStep {
  static final StepForm FORM =
      StepForm.mapping(
              "ssh",
              "A command on another machine.",
              SshStep::read,
              Shape.of("ssh", "ssh")
                  .must("connection", Types.CONNECTION, "The machine.")
                  .must("run", Types.TEXT, "The command; a constant text.")
                  .may("args", Types.VALUE, "The arguments; Hapax quotes them.")
                  .build())
          .orCompensation("A command.");

  private static SshStep read(StepSource source) {
    Fields ssh = source.fields();
    return new SshStep(
        source.position(), ssh.text("connection"), ssh.text("run"), ssh.valueOrNull("args"));
  }

  @Override
  public String word() {
    return FORM.word();
  }

  @Override
  public Stream<Template> templates() {
    return Templates.of(args);
  }

  @Override
  public @Nullable Object run(StepRun step) {
    return step.notSupported();
  }

  @Override
  public RunContext.Action undoing(StepRun step, FlowStep.Compensate compensate) {
    throw new IllegalStateException(
        "a compensation of kind %s cannot be carried out".formatted(word()));
  }

  @Override
  public String insteadOfIt() {
    return "Call a service on the machine with http, or use call with a handler in Java.";
  }

  @Override
  public boolean writes() {
    return true;
  }

  @Override
  public String description() {
    return "%s: %s".formatted(connection, command);
  }
}
