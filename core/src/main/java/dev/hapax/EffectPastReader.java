package dev.hapax;

import dev.hapax.flow.EffectPast;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.HistoryEntry;
import dev.hapax.flow.Run;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Gathers what the history says about one effect. It hears every line and keeps the first and the
 * last ones, and the last decisions of people: memory is bounded, and the rest is counted.
 */
final class EffectPastReader {
  private static final int MOST_AT_AN_END = 250;
  private static final int MOST_BY_PEOPLE = 100;
  private static final Set<String> COMES_TO_PERSON =
      Set.of("review", "review-first", "abandoned-before");

  private final List<HistoryEntry> first = new ArrayList<>();
  private final Deque<HistoryEntry> byPeople = new ArrayDeque<>();
  private final Deque<HistoryEntry> last = new ArrayDeque<>();
  private long leftOut;
  private @Nullable Instant since;
  private boolean wasInDoubt;
  private boolean isContradicted;

  private EffectPastReader() {}

  static EffectPast of(TenantRecords records, Run owner, EffectRecord effect) {
    var reader = new EffectPastReader();
    EffectLines.each(records, owner, List.of(effect), (_, line) -> reader.hear(line));
    return reader.past();
  }

  /** Whether the effect has come to a person with this line. */
  static boolean comesToPerson(HistoryEntry line) {
    return COMES_TO_PERSON.contains(line.type());
  }

  private void hear(HistoryEntry line) {
    since = comesToPerson(line) ? line.at() : since;
    wasInDoubt |= line.type().equals("doubt");
    isContradicted |=
        line.type().equals("answered-late")
            && !String.valueOf(line.decision()).startsWith("happened");
    if (first.size() < MOST_AT_AN_END) {
      first.add(line);
    } else if (EffectLines.BY_PEOPLE.contains(line.type())) {
      add(byPeople, line, MOST_BY_PEOPLE);
    } else {
      add(last, line, MOST_AT_AN_END);
    }
  }

  private void add(Deque<HistoryEntry> kept, HistoryEntry line, int most) {
    kept.add(line);
    if (kept.size() > most) {
      kept.remove();
      leftOut++;
    }
  }

  private EffectPast past() {
    List<HistoryEntry> lines =
        Stream.of(first, byPeople, last)
            .flatMap(part -> part.stream())
            .sorted(Comparator.comparingLong(HistoryEntry::seq))
            .toList();
    return new EffectPast(lines, leftOut, since, wasInDoubt, isContradicted);
  }
}
