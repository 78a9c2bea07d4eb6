package dev.hapax.effect;

import dev.hapax.store.Change;
import dev.hapax.store.Committer;
import dev.hapax.store.Group;
import dev.hapax.store.Head;
import dev.hapax.time.Clock;
import dev.hapax.time.IdSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Records in the store which flows use effects of which name, and how long to remember them: the
 * ledger keeps a row as long as the longest of them asks. Each use is noted once, before its first
 * claim. Safe for many threads.
 */
public final class EffectUses {
  /** There are few names; if they are made from data after all, they are noted more than once. */
  private static final int MOST_KNOWN = 10_000;

  private final Committer committer;
  private final Clock clock;
  private final IdSource ids;
  private final ConcurrentMap<Use, Duration> told = new ConcurrentHashMap<>();
  private final ConcurrentMap<String, Duration> redelivered = new ConcurrentHashMap<>();

  /** A use that was noted before a failover may be lost. */
  private record Use(String tenant, String name, String flow, int failovers) {}

  public EffectUses(Committer committer, Clock clock, IdSource ids) {
    this.committer = committer;
    this.clock = clock;
    this.ids = ids;
  }

  /** Triggers of this flow may be delivered again for this long. */
  public void redelivered(String flow, Duration window) {
    redelivered.merge(flow, window, EffectUses::longer);
  }

  void note(String tenant, String name, String flow, Duration window, int failovers) {
    Duration longest = longer(window, redelivered.getOrDefault(flow, Duration.ZERO));
    var use = new Use(tenant, name, flow, failovers);
    Duration before = told.get(use);
    if (before != null && before.compareTo(longest) >= 0) {
      return;
    }
    Change change = new Change.KeepEffects(tenant, name, flow, longest);
    committer.submit(new Group(ids.next(), clock.now(), new Head.Always(), List.of(change), null));
    if (told.size() >= MOST_KNOWN) {
      told.clear();
    }
    told.put(use, longest); // only now: a run that finds it here claims after it
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) >= 0 ? one : other;
  }
}
