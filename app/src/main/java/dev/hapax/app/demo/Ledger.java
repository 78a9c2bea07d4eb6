package dev.hapax.app.demo;

import dev.hapax.Hapax;
import dev.hapax.history.HistoryEntry;
import dev.hapax.run.EffectRecord;
import dev.hapax.run.Run;
import dev.hapax.run.RunStatus;
import dev.hapax.store.EffectFilter;
import dev.hapax.store.RunFilter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What Hapax knows, as the worker tells it to the demo: every run of the file with its effects, and
 * how the doubts of one batch were settled.
 */
record Ledger(List<Line> lines, Stops stops) {

  /**
   * One run. The effects are the words of their states by name; one that was never claimed is
   * missing.
   */
  record Line(String order, String run, String status, Map<String, String> effects) {
    boolean sentToReview() {
      return status.equals(RunStatus.REVIEW.word());
    }

    /** Whether it still has something to do by itself. */
    boolean goesOn() {
      return !sentToReview() && !RunStatus.of(status).isEnd();
    }
  }

  /**
   * How often something could have gone wrong twice and did not, by what stopped it.
   *
   * @param busy requests of which the outside said that nothing happened; they were sent again
   * @param byKey lost answers of payment, sent again with the same key
   * @param foundByLookup lost answers of accounting where the invoice was there
   * @param absentByLookup lost answers of accounting where it was proved not to be there, and sent
   *     again
   */
  record Stops(int busy, int byKey, int foundByLookup, int absentByLookup) {}

  static Ledger read(Hapax hapax, String prefix) {
    Map<String, Map<String, String>> effects = effects(hapax);
    var lines = new ArrayList<Line>();
    var entries = new ArrayList<HistoryEntry>();
    for (Run run : runs(hapax, hapax.runs())) {
      lines.add(
          new Line(
              run.key(),
              run.id().toString(),
              run.status().word(),
              effects.getOrDefault(run.key(), Map.of())));
      if (run.key().startsWith(prefix)) {
        entries.addAll(hapax.history(run.id().toString()));
      }
    }
    return new Ledger(lines, stops(entries));
  }

  /** All runs that the filter lets through, page by page. */
  static List<Run> runs(Hapax hapax, RunFilter filter) {
    var all = new ArrayList<Run>();
    List<Run> page = hapax.runs(filter);
    while (!page.isEmpty()) {
      all.addAll(page);
      long last = page.getLast().number();
      page =
          hapax.runs(
              new RunFilter(
                  filter.tenant(),
                  filter.flow(),
                  filter.key(),
                  filter.status(),
                  last,
                  filter.limit()));
    }
    return all;
  }

  private static Map<String, Map<String, String>> effects(Hapax hapax) {
    var all = new HashMap<String, Map<String, String>>();
    EffectFilter filter = hapax.effects();
    List<EffectRecord> page = hapax.effects(filter);
    while (!page.isEmpty()) {
      for (EffectRecord effect : page) {
        all.computeIfAbsent(effect.key().key(), _ -> new HashMap<>())
            .put(effect.key().name(), effect.state().word());
      }
      long last = page.getLast().number();
      page =
          hapax.effects(
              new EffectFilter(
                  filter.tenant(),
                  filter.name(),
                  filter.key(),
                  filter.state(),
                  last,
                  filter.limit()));
    }
    return all;
  }

  private static Stops stops(List<HistoryEntry> entries) {
    int busy = 0;
    int byKey = 0;
    int found = 0;
    int absent = 0;
    for (HistoryEntry entry : entries) {
      switch (entry.type()) {
        case "not-applied" -> busy++;
        case "doubt" -> byKey += "keyed".equals(entry.guard()) ? 1 : 0;
        case "absent" -> absent++;
        case "done" -> found += "found by lookup".equals(entry.decision()) ? 1 : 0;
        default -> {}
      }
    }
    return new Stops(busy, byKey, found, absent);
  }
}
