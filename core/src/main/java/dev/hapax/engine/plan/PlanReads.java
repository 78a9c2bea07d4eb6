package dev.hapax.engine.plan;

import dev.hapax.flow.EffectKey;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.NotPossible;
import dev.hapax.flow.Run;
import dev.hapax.run.journal.ClaimAnswer;
import dev.hapax.run.journal.EffectEntry;
import dev.hapax.run.journal.JournalEntry;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.run.journal.RunEntry;
import dev.hapax.run.ledger.EffectClaim;
import dev.hapax.run.retention.EffectTombstone;
import dev.hapax.store.ForwardingStore;
import dev.hapax.store.Store;
import dev.hapax.store.StoredRun;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The store as the plans of some runs read it. Their journals, effects and the owners of these are
 * read in a few queries, however many runs there are; the store answers everything else. What it
 * holds may be older than the store by the time of a page: a plan is compared again before it is
 * carried out. Used by one thread.
 */
public final class PlanReads extends ForwardingStore {
  private static final int MOST_GUESSES = 5_000;

  private final Store store;
  private final Map<Long, Run> runs = new HashMap<>();
  private final Map<Long, List<JournalRow>> journals = new HashMap<>();
  private final Map<Long, EffectRecord> effects = new HashMap<>();
  private final Map<EffectKey, EffectRecord> byKey = new HashMap<>();
  private final Map<EffectKey, Set<Long>> guessed = new HashMap<>();
  private final Set<Long> forgotten = new HashSet<>();
  private long planned;
  private boolean isGuessing = true;
  private long bytes;

  public PlanReads(Store store, List<Run> page) {
    this.store = store;
    List<Long> numbers = page.stream().map(Run::number).toList();
    // The journals first: a run that moved on since its page was read has a longer journal, and
    // the plan is then stale.
    numbers.forEach(number -> journals.put(number, new ArrayList<>()));
    Set<Long> claimed = new HashSet<>();
    for (JournalRow row : store.journals(numbers)) {
      journals.computeIfAbsent(row.run(), _ -> new ArrayList<>()).add(row);
      bytes += row.entries().length();
      note(row, claimed);
    }
    for (EffectRecord effect : store.effects(List.copyOf(claimed))) {
      effects.put(effect.number(), effect);
      byKey.put(effect.key(), effect);
    }
    page.forEach(run -> runs.put(run.number(), run));
    Set<Long> owners = new HashSet<>();
    effects.values().forEach(effect -> owners.add(effect.run()));
    owners.removeAll(runs.keySet());
    if (!owners.isEmpty()) {
      store.runs(List.copyOf(owners)).forEach(run -> runs.put(run.number(), run));
    }
  }

  /**
   * Most keys that no run of the page has claimed belong to no effect at all. Asking for each of
   * them alone would cost most of the time of a plan. So they count as free at first, and are asked
   * for together by {@link #misjudged}.
   */
  public void planning(long run) {
    planned = run;
  }

  /**
   * Returns the runs whose plans counted a key as free that is not. Their plans are made again;
   * from now on each key is asked for.
   */
  public Set<Long> misjudged() {
    isGuessing = false;
    Set<Long> misjudged = new HashSet<>();
    Set<Long> owners = new HashSet<>();
    Map<ByteBuffer, Set<Long>> byHash = new HashMap<>(); // the key of a row may have been erased
    guessed.forEach((key, by) -> byHash.put(ByteBuffer.wrap(key.hash()), by));
    List<EffectKey> keys = List.copyOf(guessed.keySet());
    store.expiredOf(keys).forEach(key -> misjudged.addAll(guessed.getOrDefault(key, Set.of())));
    for (EffectRecord effect : store.effectsOf(keys)) {
      effects.put(effect.number(), effect);
      byKey.put(effect.key(), effect);
      misjudged.addAll(byHash.getOrDefault(ByteBuffer.wrap(effect.key().hash()), Set.of()));
      owners.add(effect.run());
    }
    owners.removeAll(runs.keySet());
    if (!owners.isEmpty()) {
      store.runs(List.copyOf(owners)).forEach(run -> runs.put(run.number(), run));
    }
    return misjudged;
  }

  private void note(JournalRow row, Set<Long> claimed) {
    for (JournalEntry entry : row.readEntries()) {
      switch (entry) {
        case EffectEntry.Claimed claim -> claimed.add(claim.effect());
        case RunEntry.KeyForgotten _ -> forgotten.add(row.run());
        default -> {}
      }
    }
  }

  /** About how many characters the journals have. */
  public long bytes() {
    return bytes;
  }

  /** Returns a run of the page with its journal. */
  public StoredRun stored(Run run) {
    if (forgotten.contains(run.number())) {
      throw new NotPossible(
          "the key of run %s was forgotten: start the flow again instead".formatted(run.id()));
    }
    List<JournalRow> whole = journal(run.number());
    return new StoredRun(
        run,
        whole.isEmpty() ? 0 : whole.getLast().seq(),
        whole.stream().filter(row -> row.item() == null).toList());
  }

  @Override
  protected Store to() {
    return store;
  }

  @Override
  public List<JournalRow> journal(long run) {
    List<JournalRow> known = journals.get(run);
    return known != null ? known : store.journal(run);
  }

  @Override
  public List<JournalRow> itemRows(long run, List<String> items) {
    List<JournalRow> known = journals.get(run);
    return known == null
        ? store.itemRows(run, items)
        : known.stream().filter(row -> row.item() != null && items.contains(row.item())).toList();
  }

  @Override
  public @Nullable Run run(long number) {
    Run known = runs.get(number);
    return known != null ? known : store.run(number);
  }

  @Override
  public @Nullable EffectRecord effect(long number) {
    EffectRecord known = effects.get(number);
    return known != null ? known : store.effect(number);
  }

  @Override
  public @Nullable EffectRecord effect(EffectKey key) {
    EffectRecord known = byKey.get(key);
    if (known == null && isGuessing && guessed.size() < MOST_GUESSES) {
      guessed.computeIfAbsent(key, _ -> new HashSet<>()).add(planned);
      return null;
    }
    return known != null ? known : store.effect(key);
  }

  @Override
  public @Nullable EffectTombstone expiredEffect(EffectKey key) {
    return isGuessed(key) ? null : store.expiredEffect(key);
  }

  @Override
  public @Nullable ClaimAnswer expiredAnswer(EffectClaim claim) {
    return isGuessed(claim.key()) ? null : store.expiredAnswer(claim);
  }

  private boolean isGuessed(EffectKey key) {
    return isGuessing && guessed.containsKey(key);
  }
}
