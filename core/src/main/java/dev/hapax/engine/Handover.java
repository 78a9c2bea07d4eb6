package dev.hapax.engine;

import dev.hapax.flow.Flow;
import dev.hapax.run.Run;
import dev.hapax.run.RunStatus;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.Head;
import dev.hapax.store.StoredRun;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a run becomes this process's own: the run row hands it over. One whose code is not here, or
 * that has not been let in yet, stays as it is.
 */
final class Handover {
  private static final Logger log = LoggerFactory.getLogger(Handover.class);

  private final Engine.Parts parts;
  private final Releases releases;
  private final ConcurrentMap<Releases.Release, ConcurrentLinkedQueue<Long>> withoutCode =
      new ConcurrentHashMap<>();

  Handover(Engine.Parts parts, Releases releases) {
    this.parts = parts;
    this.releases = releases;
  }

  /** A run that is ours, with the code of its release. */
  record Taken(StoredRun run, Flow<?, ?> flow) {}

  /** Makes the run ours, or finds that there is nothing to do. */
  @Nullable Taken take(long run) {
    while (true) {
      StoredRun stored = parts.store().load(run);
      if (stored == null || stored.run().status().isEnd()) {
        return null;
      }
      Flow<?, ?> flow = codeFor(stored.run());
      if (flow == null || waitsForSlot(stored.run())) {
        return null;
      }
      Long owner = stored.run().owner();
      if (owner != null) {
        return owner == parts.owner() ? new Taken(stored, flow) : null;
      }
      var group =
          new Group(
              parts.ids().next(),
              parts.clock().now(),
              new Head.Unowned(run, stored.seq()),
              List.of(new Change.Take(parts.owner())),
              null);
      if (parts.committer().submit(group).await() instanceof GroupAnswer.Landed) {
        return new Taken(stored, flow);
      }
    }
  }

  /** A run that is queued and not due has no slot yet; whoever lets it in wakes it. */
  private boolean waitsForSlot(Run run) {
    Instant due = run.dueAt();
    boolean waits =
        run.status() == RunStatus.QUEUED
            && run.owner() == null
            && (due == null || due.isAfter(parts.clock().now()));
    if (waits && due != null) {
      parts.timer().noteDue(run.number(), due); // its timeout goes on meanwhile
    }
    return waits;
  }

  /** A run whose code is not registered stays as it is, and goes on when it is. */
  private @Nullable Flow<?, ?> codeFor(Run run) {
    Flow<?, ?> flow = releases.find(run.flow(), run.release());
    if (flow != null) {
      return flow;
    }
    log.debug(
        "run {} waits for the code of flow '{}' release {}", run.id(), run.flow(), run.release());
    withoutCode
        .computeIfAbsent(
            new Releases.Release(run.flow(), run.release()), _ -> new ConcurrentLinkedQueue<>())
        .add(run.number());
    return releases.find(run.flow(), run.release()); // registered between the two looks
  }

  /** The runs that waited for this code, which is registered now. */
  Collection<Long> waitedFor(Flow<?, ?> flow) {
    var waited = withoutCode.remove(new Releases.Release(flow.name(), flow.release()));
    return waited == null ? List.of() : waited;
  }
}
