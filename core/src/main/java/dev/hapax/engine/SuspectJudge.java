package dev.hapax.engine;

import dev.hapax.engine.parts.EngineParts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** Says of runs whose process is gone what is to be thought of them, and makes that durable. */
final class SuspectJudge {
  private static final int AT_ONCE = 500;

  private final EngineParts parts;
  private final SuspectNotes notes;

  SuspectJudge(EngineParts parts, SuspectNotes notes) {
    this.parts = parts;
    this.notes = notes;
  }

  /**
   * @param innocent runs that their process left in memory when it closed, or that this one had
   * @param suspects the others, with their new notes; those that are no longer ours are left out
   */
  record Judged(List<Long> innocent, Map<Long, SuspectNote> suspects) {}

  /**
   * @param isWhole whether these are all the runs that the processes that are gone had
   * @param isRecall whether runs that were this process's before are among them; without a note a
   *     run is believed to be one of these
   */
  Judged judge(List<Long> adopted, boolean isWhole, boolean isRecall) {
    Map<Long, SuspectNote> before = notes.all();
    List<Long> runs = ours(adopted);
    Long alone = LoneSuspect.of(runs, before, isWhole);
    String here = Long.toHexString(parts.owner());
    Map<Long, SuspectNote> after = new TreeMap<>();
    List<Long> innocent = new ArrayList<>();
    for (long run : runs) {
      SuspectNote note = before.get(run);
      if (note == null && isRecall) {
        innocent.add(run);
      } else if (note != null && !note.isSuspect()) {
        innocent.add(run);
        notes.removeSoon(run);
      } else {
        boolean isAlone = alone != null && alone == run;
        var end = new SuspectNote.Sighting(parts.clock().now(), here, isAlone);
        after.put(run, SuspectNote.after(note, end));
      }
    }
    notes.write(after);
    return new Judged(innocent, after);
  }

  /** Those that still belong to this process. */
  private List<Long> ours(List<Long> adopted) {
    List<Long> ours = new ArrayList<>();
    for (int from = 0; from < adopted.size(); from += AT_ONCE) {
      List<Long> some = adopted.subList(from, Math.min(adopted.size(), from + AT_ONCE));
      parts.store().runs(some).stream()
          .filter(run -> Objects.equals(run.owner(), parts.owner()))
          .forEach(run -> ours.add(run.number()));
    }
    return ours;
  }
}
