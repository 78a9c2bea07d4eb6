package dev.hapax;

import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.HistoryEntry;
import dev.hapax.flow.HistoryPage;
import dev.hapax.flow.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** The lines of a run's history that are about one effect. */
final class EffectLines {
  private static final int PAGE = 500;
  private static final int MOST_PAGES = 40;
  private static final int MOST_LINES = 500;
  private static final Set<String> BY_PEOPLE = Set.of("settled", "answered-late", "step-settled");

  private EffectLines() {}

  /**
   * Returns the lines about the current revision of the effect, oldest first. Bounded: of a run
   * with a very long history, the first part is read.
   */
  static List<HistoryEntry> of(TenantRecords records, Run owner, EffectRecord effect) {
    var lines = new ArrayList<HistoryEntry>();
    long after = 0;
    for (int page = 0; page < MOST_PAGES && lines.size() < MOST_LINES; page++) {
      HistoryPage read = records.history(owner.id().toString(), after, PAGE);
      for (HistoryEntry line : read.entries()) {
        after = line.seq();
        if (isAbout(owner, effect, line)) {
          lines.add(line);
        }
      }
      if (!read.hasMore() || read.entries().isEmpty()) {
        break;
      }
    }
    return lines;
  }

  /**
   * A decision about an item of a loop is in the run's own part, which does not know its key. In a
   * run that was erased, no line knows one.
   */
  private static boolean isAbout(Run owner, EffectRecord effect, HistoryEntry line) {
    boolean isSameStep =
        effect.step().name().equals(line.step())
            && Objects.equals(effect.step().item(), line.item());
    boolean isSameRevision = line.revision() == null || line.revision() == effect.revision();
    return effect.wireKey().equals(line.wireKey())
        || (line.wireKey() == null
            && isSameStep
            && isSameRevision
            && (BY_PEOPLE.contains(line.type()) || (owner.isErased() && line.revision() != null)));
  }
}
