package dev.hapax.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds the run that must have ended a process, because no other one could have. */
final class LoneSuspect {
  private LoneSuspect() {}

  /**
   * The run that was the only suspect in memory, or the only run at all; null if none was. New runs
   * may be in memory with a suspect of the single file, because they do not wait for suspects.
   *
   * @param runs those of the process that has ended
   * @param notes as that process left them
   * @param isWhole whether it had no other runs
   */
  static @Nullable Long of(List<Long> runs, Map<Long, SuspectNote> notes, boolean isWhole) {
    List<Long> inMemory = new ArrayList<>();
    List<Long> suspects = new ArrayList<>();
    boolean isAnyInFile = false;
    for (long run : runs) {
      SuspectNote note = notes.get(run);
      if (note == null || note.taken()) {
        inMemory.add(run);
      }
      if (note != null && note.taken()) {
        suspects.add(run);
        isAnyInFile |= note.isInSingleFile();
      }
    }
    if (suspects.size() == 1 && isAnyInFile) {
      return suspects.getFirst();
    }
    return isWhole && inMemory.size() == 1 ? inMemory.getFirst() : null;
  }
}
