package dev.hapax;

import dev.hapax.engine.Engine;
import dev.hapax.engine.RetentionExport;
import dev.hapax.engine.RetentionOptions;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.Flow;
import dev.hapax.flow.NotFound;
import dev.hapax.flow.Restored;
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
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Shows which records are kept, until when and why, and how many were deleted. Read only. */
public final class Retention {
  private static final int MOST_NAMED = 10;

  private static final int MOST_GROUPS = 10_000;
  private static final int MOST_HELD = 200;
  private static final int MOST_DAYS = 90;

  private final Hapax hapax;
  private final TenantRecords records;
  private final Engine engine;
  private final Store store;
  private final RetentionReads reads;
  private final RetentionOptions lives;
  private final String tenant;

  Retention(Hapax hapax, TenantRecords records, Engine engine, Store store, HapaxOptions options) {
    this.hapax = hapax;
    this.records = records;
    this.engine = engine;
    this.store = store;
    this.reads = store.retention();
    this.lives = options.retentionOptions();
    this.tenant = options.tenant();
  }

  /**
   * Returns what of this tenant will be deleted in the next days, what is held and why, and what
   * was deleted in as many days before. Reads every row that goes: ask it rarely.
   *
   * @param days 1 to 90
   */
  public RetentionOutlook outlook(int days) {
    if (days < 1 || days > MOST_DAYS) {
      throw new IllegalArgumentException(
          "days: expected 1 to %d, got %d".formatted(MOST_DAYS, days));
    }
    Instant now = engine.clock().now();
    Duration span = Duration.ofDays(days);
    List<RetentionReads.Leaving> leaving =
        reads.leaving(tenant, Instant.EPOCH, now.plus(span), lives.events(), MOST_GROUPS);
    Restored restored = engine.hold().restored();
    return new RetentionOutlook(
        now,
        days,
        paused(restored),
        lives.tombstones(),
        lives.events(),
        keeps(leaving),
        leaving.stream().map(one -> group(one, Duration.ZERO)).toList(),
        held(now),
        gone(now, span),
        exports());
  }

  private @Nullable String paused(@Nullable Restored restored) {
    if (restored != null) {
      return restored.text();
    }
    RetentionExport export = engine.export();
    RetentionExport.Trouble trouble = export == null ? null : export.trouble();
    if (export == null || trouble == null) {
      return null;
    }
    return "deleted records cannot be exported to %s since %s: %s. Make room or correct the folder; what is due is deleted then"
        .formatted(export.place(), trouble.since(), trouble.problem());
  }

  private RetentionOutlook.@Nullable Exports exports() {
    RetentionExport export = engine.export();
    if (export == null) {
      return null;
    }
    RetentionExport.Count count = export.count(tenant);
    RetentionExport.Trouble trouble = export.trouble();
    return new RetentionOutlook.Exports(
        export.place(),
        count.runs(),
        count.effects(),
        count.events(),
        count.last(),
        trouble == null ? null : trouble.problem(),
        trouble == null ? null : trouble.since());
  }

  /** Returns why nothing is exported and deleted at present; null if all is well. */
  public @Nullable String exportProblem() {
    hapax.refuseInPart("the exports of other tenants");
    return paused(null);
  }

  private SortedMap<String, Duration> keeps(List<RetentionReads.Leaving> leaving) {
    var keeps = new TreeMap<String, Duration>();
    leaving.stream()
        .filter(one -> one.kind() == RetentionReads.LeavingKind.RUN)
        .forEach(one -> keeps.computeIfAbsent(one.name(), flow -> reads.keep(tenant, flow)));
    return keeps;
  }

  private static RetentionOutlook.Group group(RetentionReads.Leaving one, Duration earlier) {
    return new RetentionOutlook.Group(
        one.kind().name().toLowerCase(Locale.ROOT).replace('_', '-'),
        one.name(),
        one.day().minusDays(earlier.toDays()),
        one.count());
  }

  /** A run that is kept only because its flow once had a longer retention is not held. */
  private List<RetentionOutlook.Held> held(Instant now) {
    var held = new ArrayList<RetentionOutlook.Held>();
    for (long number : reads.late(tenant, now, MOST_HELD)) {
      Run run = store.run(number);
      if (run != null) {
        Kept kept = explain(run);
        if (kept.because().size() > 1) {
          held.add(new RetentionOutlook.Held(run.id().toString(), run.flow(), run.key(), kept));
        }
      }
    }
    return held;
  }

  /** What has a tombstone was deleted one life of a tombstone before that goes. */
  private List<RetentionOutlook.Group> gone(Instant now, Duration span) {
    Instant end = now.plus(lives.tombstones());
    return reads
        .leaving(tenant, end.minus(span), end.plusMillis(1), lives.events(), MOST_GROUPS)
        .stream()
        .filter(
            one ->
                one.kind() == RetentionReads.LeavingKind.RUN_TOMBSTONE
                    || one.kind() == RetentionReads.LeavingKind.EFFECT_TOMBSTONE)
        .map(
            one ->
                new RetentionReads.Leaving(
                    one.kind() == RetentionReads.LeavingKind.RUN_TOMBSTONE
                        ? RetentionReads.LeavingKind.RUN
                        : RetentionReads.LeavingKind.EFFECT,
                    one.name(),
                    one.day(),
                    one.count()))
        .map(one -> group(one, lives.tombstones()))
        .toList();
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
    return explain(hapax.run(runId));
  }

  private Kept explain(Run run) {
    Instant until = reads.runKeptUntil(run.number());
    Instant endedAt = run.endedAt();
    if (until == null || endedAt == null) {
      String text = "it has not ended: it is %s".formatted(run.status().word());
      return new Kept(null, List.of(new Kept.Reason("open", text, null)));
    }
    var because = new ArrayList<Kept.Reason>();
    Duration keep = reads.keep(run.tenant(), run.flow());
    Instant byFlow = endedAt.plus(keep);
    because.add(
        new Kept.Reason(
            "retention",
            "flow '%s' keeps its runs for %s after their end".formatted(run.flow(), keep),
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
    if (row.isImported() && lastEnd.equals(Instant.MIN)) {
      because.add(new Kept.Reason("imported", "it was imported, and no run has reused it", null));
    }
    because.add(life(row, lastEnd));
    return new Kept(latest(because), because);
  }

  /**
   * Returns the runs that still refer to an effect, at most this many: the one that owns it, and
   * those that took its result instead of sending it.
   */
  public List<Run> runsOf(String effectId, int limit) {
    EffectRecord row = store.effect(EffectRecord.number(effectId));
    if (row == null || !row.key().tenant().equals(tenant)) {
      throw new NotFound("there is no effect %s; it may have expired".formatted(effectId));
    }
    return records.runsOf(row, limit);
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
        reads.uses(row.key().tenant(), row.key().name()).stream()
            .max(Comparator.comparing(EffectUse::life))
            .orElse(new EffectUse("", Flow.DEFAULT_RETENTION, Duration.ZERO));
    boolean byFlow = longest.life().equals(longest.retention());
    String text =
        "%s keeps effects named '%s' for %s after the end of their last run"
            .formatted(shown(longest.flow()), row.key().name(), longest.life());
    return new Kept.Reason(byFlow ? "retention" : "window", text, lifeEnds(row, lastEnd, longest));
  }

  /** Names a flow only to its own tenant; uses of older stores may be another tenant's. */
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
