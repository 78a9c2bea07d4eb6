package dev.hapax.flows.check;

import dev.hapax.flows.expression.Template;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.FlowStep;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** {@code lock} in a step that holds none. */
final class LockOutsideLock implements Rule {
  private static final ScopedWord LOCK =
      new ScopedWord(
          "lock",
          step -> step.lock() != null,
          LockOutsideLock::beforeTheLock,
          "'lock' is known only in a step with lock, and in the steps inside it",
          "Add lock to step '%s', or to a step around it.");

  @Override
  public String id() {
    return "lock-outside-lock";
  }

  @Override
  public Level level() {
    return Level.ERROR;
  }

  @Override
  public void check(FlowFile flow, Report report) {
    LOCK.check(flow, report);
  }

  /** The lock's own key and the condition. */
  private static Stream<Template> beforeTheLock(FlowStep step) {
    Set<Template> before =
        Stream.of(step.when(), step.lock()).flatMap(Stream::ofNullable).collect(Collectors.toSet());
    return step.templates().filter(before::contains);
  }
}
