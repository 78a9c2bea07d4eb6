package dev.hapax.testkit.contract;

import dev.hapax.store.GroupAnswer;
import dev.hapax.store.GroupAnswer.Landed;
import dev.hapax.store.GroupAnswer.Queued;
import java.util.List;
import java.util.function.UnaryOperator;

/** Answers in the form in which they can be compared. */
final class Answers {
  private Answers() {}

  /** Sorts the woken runs, because their order means nothing. */
  static List<GroupAnswer> withWokenSorted(List<GroupAnswer> answers) {
    return withWoken(answers, woken -> woken.stream().sorted().toList());
  }

  /**
   * Removes the woken runs. A store need not remember which runs a group woke that has landed
   * before: they are due, and found by that.
   */
  static List<GroupAnswer> withoutWoken(List<GroupAnswer> answers) {
    return withWoken(answers, _ -> List.of());
  }

  private static List<GroupAnswer> withWoken(
      List<GroupAnswer> answers, UnaryOperator<List<Long>> change) {
    return answers.stream()
        .map(
            answer ->
                switch (answer) {
                  case Landed(var claims, var woken) -> new Landed(claims, change.apply(woken));
                  case Queued(var place, var woken) -> new Queued(place, change.apply(woken));
                  default -> answer;
                })
        .toList();
  }
}
