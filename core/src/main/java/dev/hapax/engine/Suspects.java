package dev.hapax.engine;

import dev.hapax.engine.parts.EngineParts;
import dev.hapax.flow.StoreUnavailable;
import dev.hapax.json.Text;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongConsumer;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The runs that were in memory when a process ended without closing. One of them may have ended it,
 * and would end this one too. So each has a durable note before it is loaded, and loses it when it
 * gets further than before. Runs that were in memory at two such ends in a row are taken up one at
 * a time, so that the next end shows which one it is. Safe for many threads.
 */
final class Suspects {
  private static final Logger log = LoggerFactory.getLogger(Suspects.class);

  /** In a row, of a run that is not a suspect: one may be another run's fault. */
  private static final int MOST_ERRORS = 3;

  private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

  private final EngineParts parts;
  private final SuspectNotes notes;
  private final Quarantine quarantine;
  private final SuspectJudge judge;
  private final SingleFile file;
  private final SuspectWatch watch;
  private final LongPredicate isHere;
  private final LongConsumer wake;
  private final ConcurrentMap<Long, SuspectNote> known = new ConcurrentHashMap<>();
  private final ConcurrentMap<Long, Integer> errors = new ConcurrentHashMap<>();
  // Adopted, and without a note as yet: nothing else may take these up meanwhile.
  private final Set<Long> unjudged = ConcurrentHashMap.newKeySet();
  // Guarded by the file: adopted before the other runs are taken up; null from then on.
  private @Nullable List<Adoption> early = new ArrayList<>();

  /** Runs whose process is gone; perhaps all that it had. */
  private record Adoption(List<Long> runs, boolean isWhole, boolean isRecall) {}

  /**
   * @param isHere whether this run has a place in memory
   * @param wake takes this run up
   */
  Suspects(
      EngineParts parts,
      SuspectNotes notes,
      Quarantine quarantine,
      LongPredicate isHere,
      LongConsumer wake) {
    this.parts = parts;
    this.notes = notes;
    this.quarantine = quarantine;
    this.isHere = isHere;
    this.wake = wake;
    this.judge = new SuspectJudge(parts, notes);
    this.file = new SingleFile(parts, wake);
    this.watch = new SuspectWatch(parts, this::lives);
  }

  /**
   * This process has adopted these runs: they are taken up behind their notes, after all others.
   *
   * @param isWhole whether these are all the runs that the processes that are gone had
   * @param isRecall whether runs that were this process's before are among them
   */
  void adopted(List<Long> runs, boolean isWhole, boolean isRecall) {
    // A run may be listed once more, or come back after it was in another node's memory.
    List<Long> fresh = runs.stream().filter(run -> !isHere.test(run) && unjudged.add(run)).toList();
    var adoption = new Adoption(fresh, isWhole, isRecall);
    synchronized (file) {
      if (early != null) {
        early.add(adoption);
        return;
      }
    }
    takeUpBeside(adoption);
  }

  /** All other runs that are due are on their way into memory. */
  void begin() {
    List<Adoption> before;
    synchronized (file) {
      before = early == null ? List.of() : early;
      early = null;
    }
    before.forEach(this::takeUpBeside);
  }

  private void takeUpBeside(Adoption adoption) {
    if (!adoption.runs().isEmpty()) {
      parts.guard().virtual("hapax-suspects", () -> takeUp(adoption));
    }
  }

  private void takeUp(Adoption adoption) {
    while (true) {
      try {
        judge(adoption);
        return;
      } catch (StoreUnavailable e) {
        log.warn("runs of a process that is gone are looked at again soon: {}", e.getMessage());
        parts.threads().signal().await(AFTER_FAILURE);
      }
    }
  }

  private void judge(Adoption adoption) {
    SuspectJudge.Judged judged =
        judge.judge(adoption.runs(), adoption.isWhole(), adoption.isRecall());
    judged.suspects().keySet().forEach(file::left);
    known.putAll(judged.suspects());
    adoption.runs().forEach(unjudged::remove);
    judged.innocent().forEach(wake::accept);
    arrange(judged.suspects());
  }

  private void arrange(Map<Long, SuspectNote> judged) {
    judged.forEach(
        (run, note) -> {
          if (note.isConvicted()) {
            holdBack(run, note);
          }
        });
    Map<Long, SuspectNote> inFile = new TreeMap<>();
    List<Long> free = new ArrayList<>();
    judged.forEach(
        (run, note) -> {
          if (!note.isInSingleFile()) {
            free.add(run);
          } else if (!note.isConvicted()) {
            inFile.put(run, note);
          }
        });
    file.add(inFile);
    file.follow(free);
  }

  private void holdBack(long run, SuspectNote note) {
    log.warn(
        "run {} was alone in memory at {} ends of processes in a row; it is held back, and"
            + " quarantined if this process lives for {} without it",
        run,
        note.alone(),
        note.withoutIt());
    file.awaitVerdict(run);
    later(note.withoutIt(), () -> convict(run, note));
  }

  private void convict(long run, SuspectNote note) {
    parts.guard().virtual("hapax-quarantine", () -> quarantine(run, note));
  }

  private void quarantine(long run, SuspectNote note) {
    if (parts.draining().getAsBoolean()) {
      return;
    }
    known.remove(run); // before: a person may resume it at once
    try {
      quarantine.putConvicted(run, note.evidence());
      file.verdict(run);
    } catch (StoreUnavailable e) {
      log.warn("run {} is quarantined soon: {}", run, e.getMessage());
      known.put(run, note);
      later(AFTER_FAILURE, () -> convict(run, note));
    }
  }

  /**
   * Taking up this run threw an Error. A suspect is quarantined at once, another run when it has
   * happened again and again. False if the run is as it was.
   */
  boolean threw(long run, Error error) {
    SuspectNote note = known.getOrDefault(run, SuspectNote.CLOSED);
    if (errors.merge(run, 1, Integer::sum) < MOST_ERRORS && !note.isSuspect()) {
      return false;
    }
    String evidence =
        "taking it up threw %s at %s in process %s."
            .formatted(Text.of(error), parts.clock().now(), Long.toHexString(parts.owner()));
    known.remove(run); // before: a person may resume it at once
    boolean isPut = isPut(run, evidence);
    if (isPut) {
      errors.remove(run);
    } else if (note.isSuspect()) {
      known.put(run, note.taken(false));
    }
    watch.end(run);
    file.left(run);
    return isPut;
  }

  private boolean isPut(long run, String evidence) {
    try {
      return quarantine.put(run, evidence);
    } catch (StoreUnavailable e) {
      log.warn("run {} could not be quarantined; it is tried again: {}", run, e.getMessage());
      return false;
    }
  }

  /** Whether the run may not come into memory now; it is taken up when its turn comes. */
  boolean holdsBack(long run) {
    if (unjudged.contains(run)) {
      return true;
    }
    SuspectNote note = known.get(run);
    if (note == null) {
      return false;
    }
    return note.isConvicted()
        || file.isHeldBack(run)
        || (note.isInSingleFile() && !file.isTurnOf(run, note));
  }

  /** Whether there is a note about the run. */
  boolean isSuspect(long run) {
    return known.containsKey(run);
  }

  /** Called before anything of the run is read; makes it durable that the run is in memory. */
  void isTakenUp(long run) {
    SuspectNote note = known.get(run);
    if (note != null && !note.taken()) {
      SuspectNote taken = note.taken(true);
      notes.write(Map.of(run, taken));
      known.replace(run, note, taken);
      watch.begin(run, taken.isInSingleFile() || taken.alone() > 0);
    }
  }

  /** The run was looked at and cannot go on now, for example because its code is not here. */
  void isNotTakenUp(long run) {
    SuspectNote note = known.get(run);
    if (note != null) {
      SuspectNote put = note.taken(false);
      known.replace(run, note, put);
      notes.writeSoon(run, put);
      watch.end(run);
      file.left(run);
    }
  }

  /** The run got further than before, or has left memory alive: it is a suspect no more. */
  void gotFurther(long run) {
    errors.remove(run);
    if (known.remove(run) != null) {
      notes.removeSoon(run);
      watch.end(run);
      file.left(run);
    }
  }

  /** The run has been in memory for this many seconds; a long time acquits it. */
  private void lives(long run, int seconds) {
    SuspectNote note = known.get(run);
    if (note == null || !note.taken() || !isHere.test(run)) {
      return;
    }
    if (seconds >= SuspectWatch.LONG) {
      gotFurther(run);
    } else if (known.replace(run, note, note.lived(seconds))) {
      notes.writeSoon(run, note.lived(seconds));
    }
  }

  /**
   * The process closes while these runs are in memory: that is no unclean end. Does not wait for
   * the store, which may be why they are still there.
   */
  void closesWith(List<Long> runs) {
    runs.forEach(run -> notes.writeSoon(run, SuspectNote.CLOSED));
  }

  private void later(Duration delay, Runnable what) {
    Instant at = parts.clock().now().plus(delay);
    parts.timer().alarm(at, parts.ids().next(), what);
  }
}
