package dev.hapax.app.reconcile;

import dev.hapax.Hapax;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.HistoryEntry;
import dev.hapax.flow.Repetition;
import dev.hapax.flow.RunContext;
import dev.hapax.flows.step.EffectLookup;
import dev.hapax.json.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The second part of a reconciliation that is to repair: it looks up each effect that is missing
 * once more, and plans how to send it again. "Not found" proves nothing until the timeout of an
 * attempt and the time to settle have passed since this process knows of it.
 */
final class MissingCheck {
  static final String CONFIRM = "confirm";
  private static final int MOST_ROUNDS = 100_000;

  private final Hapax hapax;
  private final ReconcileWish wish;
  private final ReconcileSources sources;
  private final LedgerLookups lookups;
  private final AbsenceWatch watch;
  private final RecordedItems<ReconciledPage.Finding> findings;

  MissingCheck(
      Hapax hapax,
      ReconcileWish wish,
      ReconcileSources sources,
      LedgerLookups lookups,
      AbsenceWatch watch,
      RecordedItems<ReconciledPage.Finding> findings) {
    this.hapax = hapax;
    this.wish = wish;
    this.sources = sources;
    this.lookups = lookups;
    this.watch = watch;
    this.findings = findings;
  }

  /**
   * What a round found out; the journal has it.
   *
   * @param next where the next round begins; null after the last one
   * @param restMillis how long to wait before it is asked again; null if it was asked
   */
  record Confirmed(
      List<RepairPlan> plans, RecordedItems.@Nullable Place next, @Nullable Long restMillis) {}

  void run(RunContext run) {
    Duration proof = proofAfter();
    watch.begin(run.id());
    // A sleep also makes the pages durable, which are read from the journal below.
    run.sleep("settle", proof.plusMillis(1));
    var _ =
        run.repeat(
            "missing",
            MOST_ROUNDS,
            (round, _, before) -> {
              RecordedItems.Place place = before == null ? RecordedItems.Place.FIRST : before;
              return round(run, round, place, proof);
            },
            RecordedItems.Place.class);
    watch.end(run.id());
    findings.end(run.id());
  }

  private Repetition<RecordedItems.Place> round(
      RunContext run, RunContext round, RecordedItems.Place place, Duration proof) {
    CallPace pace = CallPace.of(wish.rate(), null);
    Confirmed confirmed =
        round.read(
            CONFIRM,
            ReconcileFlow.PATIENT,
            () -> confirm(run, round, place, proof, pace.calls()),
            Confirmed.class);
    if (confirmed.restMillis() != null) {
      round.sleep("rest", Duration.ofMillis(confirmed.restMillis()));
      return Repetition.again(place);
    }
    if (confirmed.next() == null) {
      return Repetition.done(null);
    }
    pace.rest(round, pace.calls());
    return Repetition.again(confirmed.next());
  }

  private Duration proofAfter() {
    Duration longest = Duration.ZERO;
    for (ReconcileWish.Target target : wish.targets()) {
      EffectLookup lookup = lookupOf(target.step());
      if (lookup != null && lookup.proofAfter().compareTo(longest) > 0) {
        longest = lookup.proofAfter();
      }
    }
    return longest;
  }

  private @Nullable EffectLookup lookupOf(String step) {
    return sources.lookup(wish.tenant(), wish.flow(), wish.release(), step);
  }

  private Confirmed confirm(
      RunContext run, RunContext round, RecordedItems.Place place, Duration proof, int most)
      throws Exception {
    Duration rest = watch.restOf(run.id(), proof);
    if (!rest.isZero()) {
      return new Confirmed(List.of(), place, rest.toMillis() + 1);
    }
    RecordedItems.Some<ReconciledPage.Finding> missing =
        findings.from(hapax, run.id(), place, most);
    var planner = new RepairPlanner(hapax, run.id());
    var plans = new ArrayList<RepairPlan>();
    Map<String, List<EffectRecord>> rows = new LinkedHashMap<>();
    for (RecordedItems.Item<ReconciledPage.Finding> item : missing.items()) {
      ReconciledPage.Finding finding = item.value();
      String effect = Objects.requireNonNull(finding.effect());
      int revision = Objects.requireNonNullElse(finding.revision(), 0);
      EffectRecord row = planner.unchanged(effect, revision);
      if (row == null) {
        plans.add(RepairPlan.impossible(effect, revision, "it has changed since it was missed"));
      } else if (lookupOf(finding.step()) == null) {
        plans.add(
            RepairPlan.impossible(
                effect,
                revision,
                "a list that lacks it proves nothing, and the effect has no lookup: force it by a replay if you know that it is not there"));
      } else {
        rows.computeIfAbsent(finding.step(), _ -> new ArrayList<>()).add(row);
      }
    }
    for (Map.Entry<String, List<EffectRecord>> one : rows.entrySet()) {
      plans.addAll(lookedUp(round, place, one.getKey(), one.getValue(), planner, proof));
    }
    return new Confirmed(List.copyOf(plans), missing.next(), null);
  }

  private List<RepairPlan> lookedUp(
      RunContext round,
      RecordedItems.Place place,
      String step,
      List<EffectRecord> rows,
      RepairPlanner planner,
      Duration proof)
      throws Exception {
    EffectLookup lookup = Objects.requireNonNull(lookupOf(step));
    Map<Long, EffectLookup.Answer> answers =
        lookups.ask(hapax, round, "%s/%s".formatted(step, place), lookup, wish.flow(), rows);
    return rows.stream()
        .map(
            row ->
                switch (answers.get(row.number())) {
                  case EffectLookup.Answer.Absent _ ->
                      planner.plan(
                          row, "a lookup did not find it, more than %s later".formatted(proof));
                  case EffectLookup.Answer.Present _ ->
                      RepairPlan.impossible(
                          row.id(), row.revision(), "a later lookup found it: it is there");
                  case EffectLookup.Answer.Unasked unasked ->
                      RepairPlan.impossible(row.id(), row.revision(), unasked.why());
                  case null ->
                      RepairPlan.impossible(row.id(), row.revision(), "it was not looked up");
                })
        .toList();
  }

  /** Returns the effects that are missing by the page that the entry records; empty if none. */
  static List<ReconciledPage.Finding> missingIn(Hapax hapax, HistoryEntry entry) {
    String recorded = ReconcileFlow.pageIn(hapax, entry);
    return recorded == null
        ? List.of()
        : Json.read(recorded, ReconciledPage.class).findings().stream()
            .filter(finding -> finding.result().equals("missing"))
            .toList();
  }

  /** Returns the plans that the entry records; empty for any other entry. */
  static List<RepairPlan> plansIn(Hapax hapax, HistoryEntry entry) {
    String output =
        "step-done".equals(entry.type()) && CONFIRM.equals(entry.step())
            ? hapax.ledger().json(entry.output())
            : null;
    return output == null ? List.of() : Json.read(output, Confirmed.class).plans();
  }
}
