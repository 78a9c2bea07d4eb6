package dev.hapax.engine;

import dev.hapax.engine.code.FlowRelease;
import dev.hapax.engine.parts.EngineParts;
import dev.hapax.flow.Run;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.run.journal.MissingCodeRule;
import dev.hapax.run.journal.RunEntry;
import dev.hapax.store.Group;
import dev.hapax.store.Head;
import dev.hapax.store.StoredRun;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The releases whose code this process needed and did not have. Flows are registered after the
 * engine was opened, so a release is reported only when its code is still missing a while later:
 * once in the log, and once in the history of each run that waits for it. Safe for many threads.
 */
final class MissingCode {
  private static final Logger log = LoggerFactory.getLogger(MissingCode.class);

  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /** Another node may have the code, and learns only at its next heartbeat that the run is due. */
  private static final Duration PATIENCE_WITH_OTHERS = Duration.ofSeconds(15);

  private final EngineParts parts;
  private final BooleanSupplier isShared;
  private final Consumer<FlowRelease> lookAgain;
  private final ConcurrentMap<FlowRelease, Absence> absences = new ConcurrentHashMap<>();

  /** The absence of one release's code, since it was first needed. */
  private static final class Absence {
    private final AtomicBoolean isLogged = new AtomicBoolean();
    private volatile boolean isLong;
  }

  /**
   * @param lookAgain wakes the runs that wait for this release
   */
  MissingCode(EngineParts parts, BooleanSupplier isShared, Consumer<FlowRelease> lookAgain) {
    this.parts = parts;
    this.isShared = isShared;
    this.lookAgain = lookAgain;
  }

  /** The run cannot go on; called by the thread that has the run's place. Reads and writes. */
  void found(Run run) {
    FlowRelease release = FlowRelease.of(run);
    Absence absence = absences.get(release);
    if (absence == null) {
      begin(release);
    } else if (absence.isLong) {
      logOnce(release, absence, run);
      tellOnce(run.number());
    }
  }

  private void begin(FlowRelease release) {
    var absence = new Absence();
    if (absences.putIfAbsent(release, absence) == null) {
      parts
          .timer()
          .alarm(
              parts.clock().now().plus(patience()),
              parts.ids().next(),
              () -> {
                absence.isLong = true;
                lookAgain.accept(release);
              });
    }
  }

  private Duration patience() {
    return isShared.getAsBoolean() ? PATIENCE_WITH_OTHERS : PATIENCE;
  }

  private static void logOnce(FlowRelease release, Absence absence, Run run) {
    if (absence.isLogged.compareAndSet(false, true)) {
      log.warn(
          "runs wait for the code of flow '{}' release {}, which is not registered; run {} of tenant"
              + " '{}' is one of them. Register the release, and they continue",
          release.flow(),
          release.number(),
          run.id(),
          run.tenant());
    }
  }

  private void tellOnce(long number) {
    StoredRun stored = parts.store().load(number);
    if (stored == null
        || stored.run().status().isEnd()
        || MissingCodeRule.isTold(stored.journal())) {
      return;
    }
    Long owner = stored.run().owner();
    if (owner != null && owner != parts.owner()) {
      return; // another node has the code
    }
    Head head =
        owner == null
            ? new Head.Unowned(number, stored.seq())
            : new Head.Owned(number, owner, stored.seq());
    var entry = new RunEntry.CodeMissing(stored.run().release());
    var group =
        new Group(
            parts.ids().next(),
            parts.clock().now(),
            head,
            List.of(),
            JournalRow.write(List.of(entry)));
    parts.committer().submit(group).await(); // if it is lost, the run has changed and goes on
  }

  /** Whether code of this release was needed here and has not been found since. */
  boolean knows(FlowRelease release) {
    return absences.containsKey(release);
  }

  /**
   * Whether the run waits in vain, as far as this node knows. If the store is shared, other nodes
   * have had enough time to take it up.
   */
  boolean holdsUp(Run run) {
    boolean isEnded = run.status().isEnd();
    return !isEnded && (!isShared.getAsBoolean() || isLeftByAll(run));
  }

  private boolean isLeftByAll(Run run) {
    return run.owner() == null
        && run.dueAt() != null
        && run.dueAt().plus(PATIENCE_WITH_OTHERS).isBefore(parts.clock().now());
  }

  /** Forgets releases whose code is there now, or may be. */
  void forget(Predicate<FlowRelease> isThere) {
    absences.keySet().removeIf(isThere);
  }
}
