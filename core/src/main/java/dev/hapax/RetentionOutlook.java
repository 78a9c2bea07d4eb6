package dev.hapax;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What of one tenant will be deleted, what is held, and what was deleted lately.
 *
 * @param at when it was read
 * @param days how far it looks ahead and back
 * @param paused why nothing is deleted now; null if deletion goes on
 * @param tombstoneLife how long the remains of runs and effects are kept
 * @param eventLife how long received events are remembered
 * @param keep how long the runs of each flow are kept after their end, for flows with runs that go
 * @param leaving what goes in the next days if nothing holds it, and what is due already
 * @param held ended runs whose retention is over and that are kept, with the reasons; at most 200
 * @param gone what was deleted in the last days and left a tombstone
 * @param exports where records go before they are deleted; null if they are not exported
 */
public record RetentionOutlook(
    Instant at,
    int days,
    @Nullable String paused,
    Duration tombstoneLife,
    Duration eventLife,
    SortedMap<String, Duration> keep,
    List<Group> leaving,
    List<Held> held,
    List<Group> gone,
    @Nullable Exports exports) {
  public RetentionOutlook {
    keep = Collections.unmodifiableSortedMap(new TreeMap<>(keep));
    leaving = List.copyOf(leaving);
    held = List.copyOf(held);
    gone = List.copyOf(gone);
  }

  /**
   * Records of one kind that go on one day, or went.
   *
   * @param kind {@code run}, {@code effect}, {@code run-tombstone}, {@code effect-tombstone} or
   *     {@code event}
   * @param name of the flow, the effect or the source of events; empty for tombstones
   * @param day in UTC
   */
  public record Group(String kind, String name, LocalDate day, long count) {}

  /**
   * Exports of this tenant's records, by the engine that was asked.
   *
   * @param place for people, for example a folder
   * @param runs how many were exported since the engine was opened, like effects and events
   * @param last when one was exported; null if none was
   * @param problem why nothing can be exported now, and so nothing is deleted; null if all is well
   * @param problemSince null if all is well
   */
  public record Exports(
      String place,
      long runs,
      long effects,
      long events,
      @Nullable Instant last,
      @Nullable String problem,
      @Nullable Instant problemSince) {}

  /** An ended run that is kept longer than its retention. */
  public record Held(String run, String flow, String key, Kept kept) {}
}
