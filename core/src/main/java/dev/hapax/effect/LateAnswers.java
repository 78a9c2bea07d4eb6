package dev.hapax.effect;

import dev.hapax.store.Change;
import dev.hapax.store.Committer;
import dev.hapax.store.Group;
import dev.hapax.store.Head;
import dev.hapax.time.Clock;
import dev.hapax.time.IdSource;
import java.util.List;
import java.util.function.Consumer;

/**
 * Wakes a run whose effect is in review when the attempt in doubt finally reports success. The run
 * then settles its effect by that answer, unless a person has decided: then the answer is evidence.
 *
 * @param evidence takes every such answer, decided or not
 */
public record LateAnswers(
    Committer committer, Clock clock, IdSource ids, Consumer<LateAnswer> evidence) {
  /** Not awaited: if it is lost, the review stays, and a person decides. */
  void wake(long run) {
    var wake =
        new Group(
            ids.next(), clock.now(), new Head.NotEnded(run), List.of(new Change.Wake()), null);
    committer.submit(wake);
  }

  void heard(LateAnswer answer) {
    evidence.accept(answer);
  }
}
