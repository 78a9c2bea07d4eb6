package dev.hapax.testkit;

import dev.hapax.json.Json;
import dev.hapax.run.journal.JournalEntry;
import dev.hapax.store.Batch;
import dev.hapax.store.Group;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Says what a commit writes: {@code it writes: effect done 'charge', claimed 'ship'}. */
final class CommitText {
  private static final int MOST = 6;

  private CommitText() {}

  static String of(Batch batch) {
    List<String> facts = new ArrayList<>();
    for (Group group : batch.groups()) {
      String entries = group.entries();
      if (entries == null) {
        group.changes().forEach(change -> facts.add(words(change)));
      } else {
        for (JournalEntry entry : Json.read(entries, JournalEntry[].class)) {
          facts.add(fact(entry));
        }
      }
    }
    if (facts.isEmpty()) {
      return "it writes nothing";
    }
    String shown = String.join(", ", facts.subList(0, Math.min(MOST, facts.size())));
    return "it writes: "
        + (facts.size() > MOST ? shown + " and %d more".formatted(facts.size() - MOST) : shown);
  }

  private static String fact(JournalEntry entry) {
    var step = entry.step();
    return step == null
        ? words(entry)
        : "%s '%s'%s"
            .formatted(
                words(entry), step.name(), step.item() == null ? "" : " item " + step.item());
  }

  /** Returns {@code effect done} for an EffectDone. */
  private static String words(Object fact) {
    return fact.getClass()
        .getSimpleName()
        .replaceAll("(?<=[a-z])(?=[A-Z])", " ")
        .toLowerCase(Locale.ROOT);
  }
}
