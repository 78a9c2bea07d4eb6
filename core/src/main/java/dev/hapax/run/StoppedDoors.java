package dev.hapax.run;

import dev.hapax.flow.StoppedDuplicate;
import dev.hapax.flow.StoppedDuplicate.Door;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** By which doors the stopped duplicates of a run came in. Pure. */
public final class StoppedDoors {
  private StoppedDoors() {}

  /**
   * Divides the count by door. Notes exist only for the last duplicates; the others count for the
   * door that most of the noted ones used.
   *
   * @param notes as {@link StoppedNotes} writes them; null for old counts without notes
   */
  public static Map<Door, Long> of(long count, @Nullable String notes) {
    var doors = new EnumMap<Door, Long>(Door.class);
    long noted = 0;
    for (StoppedDuplicate one : StoppedNotes.read(notes)) {
      if (noted < count) {
        doors.merge(one.door(), 1L, Long::sum);
        noted++;
      }
    }
    Door usual = Door.START;
    for (Map.Entry<Door, Long> entry : doors.entrySet()) {
      if (entry.getValue() > doors.getOrDefault(usual, 0L)) {
        usual = entry.getKey();
      }
    }
    if (noted < count) {
      doors.merge(usual, count - noted, Long::sum);
    }
    return doors;
  }
}
