package dev.hapax.store;

import dev.hapax.run.journal.Answer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reports the runs that the groups of a batch have woken or displaced. */
final class WakeUps {
  private final Committer.Listener listener;

  WakeUps(Committer.Listener listener) {
    this.listener = listener;
  }

  void report(List<GroupAnswer> answers) {
    for (GroupAnswer answer : answers) {
      switch (answer) {
        case GroupAnswer.Landed(var heard, var woken) ->
            report(woken, heard.isEmpty() ? null : heard.getLast());
        case GroupAnswer.Queued(var queued, var woken) -> report(woken, queued);
        default -> {}
      }
    }
  }

  private void report(List<Long> woken, @Nullable Answer last) {
    if (!woken.isEmpty()) {
      listener.woken(woken);
    }
    if (last instanceof Answer.Queued(var _, var displaced) && !displaced.isEmpty()) {
      listener.displaced(displaced);
    }
  }
}
