package dev.hapax.engine;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a run that was in memory when a process ended without closing. The store keeps
 * it with the run, so that the next process knows it, whichever node that is.
 *
 * @param ends at how many unclean ends in a row the run was in memory, and got nowhere between them
 * @param alone at how many of these, up to the last one, it was the only suspect in memory
 * @param taken whether it is in memory, or may be: the process that writes it takes it up next
 * @param lived for how many seconds at least it has been in memory since it was taken up
 * @param longest in seconds: it was in memory for less than this at each of its ends alone
 * @param seen the unclean ends
 */
record SuspectNote(
    int ends, int alone, boolean taken, int lived, int longest, List<Sighting> seen) {
  /** Evidence, not a log: the newest ones are enough. */
  private static final int MOST_SEEN = 10;

  /** From this many unclean ends in a row on, suspects are taken up one at a time. */
  private static final int ENDS_BEFORE_SINGLE_FILE = 2;

  private static final int ENDS_ALONE_BEFORE_QUARANTINE = 2;

  /** In seconds: the first time at which a run in memory is seen to live. */
  static final int FIRST_LOOK = 2;

  /**
   * An unclean end.
   *
   * @param at when the next process noticed it
   * @param by the process that noticed it
   * @param alone whether the run was the only suspect in memory
   */
  record Sighting(Instant at, String by, boolean alone) {
    @Override
    public String toString() {
      return "%s (noticed by process %s, %s)"
          .formatted(at, by, alone ? "the only suspect in memory" : "with others in memory");
    }
  }

  /** For a run that a process left in memory when it closed: that end says nothing about it. */
  static final SuspectNote CLOSED = new SuspectNote(0, 0, false, 0, 0, List.of());

  SuspectNote {
    seen = List.copyOf(seen);
  }

  /** The note after an unclean end of the process that had the run. */
  static SuspectNote after(@Nullable SuspectNote before, Sighting end) {
    SuspectNote known = before == null ? CLOSED : before;
    if (!known.seen.isEmpty() && known.seen.getLast().by.equals(end.by)) {
      return known.taken(false); // this process has counted that end, and did not learn that it had
    }
    if (before != null && !before.taken) {
      // It was held back, and the process ended without it: the run is not what ends processes.
      return new SuspectNote(known.ends, 0, false, 0, 0, known.seen);
    }
    List<Sighting> all = Stream.concat(known.seen.stream(), Stream.of(end)).toList();
    List<Sighting> newest = all.subList(Math.max(0, all.size() - MOST_SEEN), all.size());
    int longest = Math.max(known.longest, Math.max(FIRST_LOOK, 2 * known.lived));
    return new SuspectNote(
        known.ends + 1, end.alone ? known.alone + 1 : 0, false, 0, end.alone ? longest : 0, newest);
  }

  SuspectNote taken(boolean isTaken) {
    return new SuspectNote(ends, alone, isTaken, 0, longest, seen);
  }

  /** It has been in memory for this many seconds now. */
  SuspectNote lived(int seconds) {
    return new SuspectNote(ends, alone, taken, seconds, longest, seen);
  }

  @JsonIgnore
  boolean isSuspect() {
    return ends > 0;
  }

  /** Whether the run must be taken up while no other such run is in memory. */
  @JsonIgnore
  boolean isInSingleFile() {
    return ends >= ENDS_BEFORE_SINGLE_FILE;
  }

  /** Whether the run is not taken up any more if this process lives without it. */
  @JsonIgnore
  boolean isConvicted() {
    return alone >= ENDS_ALONE_BEFORE_QUARANTINE;
  }

  /**
   * How long a process must live without the run before that is quarantined: longer than any lived
   * with it. What ends processes from outside, at about the same pace, then quarantines no run.
   */
  @JsonIgnore
  Duration withoutIt() {
    return Duration.ofSeconds(Math.max(FIRST_LOOK, longest));
  }

  String evidence() {
    return "%d processes in a row ended without closing while this run was in memory, and it got nowhere between them; it was alone at the last %d. %s"
        .formatted(
            ends, alone, seen.stream().map(Objects::toString).collect(Collectors.joining("; ")));
  }
}
