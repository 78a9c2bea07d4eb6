package dev.hapax;

import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.Flow;
import dev.hapax.flow.NotFound;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunFilter;
import dev.hapax.store.EffectUse;
import dev.hapax.store.RetentionReads;
import dev.hapax.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Shows which records are kept, until when and why, and how many were deleted. Read only. */
public final class Retention {
  private static final int MOST_NAMED = 10;

  private final Hapax hapax;
  private final Store store;
  private final RetentionReads reads;
  private final String tenant;

  Retention(Hapax hapax, Store store, String tenant) {
    this.hapax = hapax;
    this.store = store;
    this.reads = store.retention();
    this.tenant = tenant;
  }

  /**
   * Returns the earliest time at which a run's full record can be deleted; null if it has not
   * ended.
   */
  public @Nullable Instant keptUntil(String runId) {
    return reads.runKeptUntil(hapax.run(runId).number());
  }

  /** Returns why the full record of a run is still kept. */
  public Kept explainRun(String runId) {
    Run run = hapax.run(runId);
    Instant until = reads.runKeptUntil(run.number());
    Instant endedAt = run.endedAt();
    if (until == null || endedAt == null) {
      String text = "it has not ended: it is %s".formatted(run.status().word());
      return new Kept(null, List.of(new Kept.Reason("open", text, null)));
    }
    var because = new ArrayList<Kept.Reason>();
    Instant byFlow = endedAt.plus(reads.keep(run.flow()));
    because.add(
        new Kept.Reason(
            "retention",
            "flow '%s' keeps its runs for %s after their end"
                .formatted(run.flow(), reads.keep(run.flow())),
            byFlow));
    Long parent = run.parent();
    Run caller = parent == null ? null : store.run(parent);
    if (caller != null) {
      because.add(
          new Kept.Reason(
              "parent", "its parent, run %s, is still kept".formatted(caller.id()), null));
    }
    for (long effect : reads.openEffects(run.number())) {
      EffectRecord row = store.effect(effect);
      if (row != null) {
        because.add(
            new Kept.Reason(
                "effect",
                "it owns effect %s %s, which is %s"
                    .formatted(row.id(), row.key(), row.state().word()),
                null));
      }
    }
    return new Kept(until, because);
  }

  /** Returns why the ledger row of an effect is still kept. */
  public Kept explainEffect(String effectId) {
    EffectRecord row = store.effect(EffectRecord.number(effectId));
    if (row == null || !row.key().tenant().equals(tenant)) {
      throw new NotFound("there is no effect %s; it may have expired".formatted(effectId));
    }
    var because = new ArrayList<Kept.Reason>();
    String state = row.state().word();
    if (row.state().isOpen()) {
      because.add(new Kept.Reason(state, "it is " + state, null));
    }
    Instant lastEnd = Instant.MIN;
    for (long number : reads.referring(row.number(), MOST_NAMED)) {
      Run run = store.run(number);
      if (run != null) { // otherwise it was just deleted
        because.add(reference(row, run));
        Instant endedAt = run.endedAt();
        lastEnd = endedAt == null ? Instant.MAX : later(lastEnd, endedAt);
      }
    }
    because.add(life(row, lastEnd));
    return new Kept(latest(because), because);
  }

  private Kept.Reason reference(EffectRecord row, Run run) {
    String text =
        "run %s %s it and is %s"
            .formatted(
                run.id(), run.number() == row.run() ? "owns" : "refers to", run.status().word());
    return new Kept.Reason("referred", text, reads.runKeptUntil(run.number()));
  }

  /** Returns the longest time that any flow with effects of this name asks for. */
  private Kept.Reason life(EffectRecord row, Instant lastEnd) {
    EffectUse longest =
        reads.uses(row.key().name()).stream()
            .max(Comparator.comparing(EffectUse::life))
            .orElse(new EffectUse("", Flow.DEFAULT_RETENTION, Duration.ZERO));
    boolean byFlow = longest.life().equals(longest.retention());
    String text =
        "%s keeps effects named '%s' for %s after the end of their last run"
            .formatted(shown(longest.flow()), row.key().name(), longest.life());
    return new Kept.Reason(byFlow ? "retention" : "window", text, lifeEnds(row, lastEnd, longest));
  }

  /** Names a flow only to its own tenant; the longest time of all tenants' flows counts. */
  private String shown(String flow) {
    boolean isOurs = !store.runs(new RunFilter(tenant, flow, null, null, null, 1)).isEmpty();
    return isOurs ? "flow '%s'".formatted(flow) : "a flow";
  }

  private @Nullable Instant lifeEnds(EffectRecord row, Instant lastEnd, EffectUse longest) {
    if (lastEnd.equals(Instant.MAX)) {
      return null; // it begins when the last run that refers to it has ended
    }
    Instant known = reads.effectKeptUntil(row.number());
    if (lastEnd.equals(Instant.MIN)) {
      return known;
    }
    Instant byLife = lastEnd.plus(longest.life());
    return known == null ? byLife : later(known, byLife);
  }

  private static @Nullable Instant latest(List<Kept.Reason> because) {
    Instant latest = Instant.MIN;
    for (Kept.Reason reason : because) {
      Instant until = reason.until();
      if (until == null) {
        return null;
      }
      latest = later(latest, until);
    }
    return latest;
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  /** Returns how many records of all tenants were deleted since the store was created. */
  public Deleted deleted() {
    hapax.refuseInPart("the deletions of other tenants");
    RetentionReads.Counts counts = reads.counts();
    return new Deleted(
        counts.runs(), counts.tombstones(), counts.effects(), counts.effectTombstones());
  }

  /** How many records were deleted. */
  public record Deleted(long runs, long tombstones, long effects, long effectTombstones) {}
}
