package dev.hapax.engine.replay;

import dev.hapax.flow.Failure;
import dev.hapax.flow.Step;
import dev.hapax.run.journal.Answer;
import dev.hapax.run.journal.KvAction;
import dev.hapax.run.journal.StepEntry;
import dev.hapax.run.value.KvRequest;
import org.jspecify.annotations.Nullable;

/** The failure of a step whose request the durable map refused. */
public final class KvFailure {
  private KvFailure() {}

  /** Returns null if the answer is no failure. */
  public static @Nullable Failure of(StepEntry.KvAsked asked, Answer.Kv answer) {
    if (asked.action() != KvAction.ADD || answer.written()) {
      return null;
    }
    Step step = asked.step();
    return Failure.of("not-a-number", KvRequest.notANumber(asked.key()), false).at(step);
  }
}
