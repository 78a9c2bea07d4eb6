package dev.hapax.flows.step;

import dev.hapax.flows.expression.Position;
import dev.hapax.flows.expression.Template;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A step that could not be read. It keeps its id known to the rules, and is never run. */
record UnreadStep(Position position) implements FlowStepKind {
  @Override
  public String word() {
    return "unread";
  }

  @Override
  public Stream<Template> templates() {
    return Stream.empty();
  }

  @Override
  public @Nullable Object run(StepRun step) {
    throw new IllegalStateException("a file with errors is not run");
  }

  /** Any answer may come from it. */
  @Override
  public boolean awaitsCallback() {
    return true;
  }

  @Override
  public String description() {
    return "not read";
  }

  @Override
  public boolean isRead() {
    return false;
  }

  @Override
  public boolean asksPeople() {
    return true; // it may
  }
}
