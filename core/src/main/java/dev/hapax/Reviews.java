package dev.hapax;

import dev.hapax.flow.EffectFilter;
import dev.hapax.flow.EffectPast;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.HistoryEntry;
import dev.hapax.flow.ReviewCause;
import dev.hapax.flow.ReviewGroup;
import dev.hapax.flow.ReviewGroups;
import dev.hapax.flow.Run;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Effects that wait for a person, and what they have in common. {@code Hapax.settle} settles one of
 * them, and {@code Jobs} all of a cause.
 */
public final class Reviews {
  /** More reviews than this are not grouped; the answer says so. */
  private static final int MOST_GROUPED = 10_000;

  private static final int PAGE = 200;
  private static final int MOST_CAUSES = 200;
  private static final int MOST_EXAMPLES = 5;

  private final TenantRecords records;

  Reviews(TenantRecords records) {
    this.records = records;
  }

  /** Returns the effects in review, newest first. */
  public List<EffectRecord> list(EffectFilter filter) {
    return records.effects(filter.state(EffectState.REVIEW));
  }

  /**
   * Returns the entries of the history that are about the current revision of an effect, oldest
   * first; none if the record of its run has expired. Of very many, those in the middle are left
   * out; {@link #past} counts them.
   */
  public List<HistoryEntry> history(EffectRecord effect) {
    return past(effect).lines();
  }

  /** Returns what the history says about the current revision of an effect. */
  public EffectPast past(EffectRecord effect) {
    Run owner = records.find(effect.run());
    return owner == null ? EffectPast.NONE : EffectPastReader.of(records, owner, effect);
  }

  /**
   * Returns when each of these effects last came to a person, by its number; no entry if that is
   * not known. The history of each run is read once.
   */
  public Map<Long, Instant> since(List<EffectRecord> effects) {
    Map<Long, List<EffectRecord>> byRun = new LinkedHashMap<>();
    effects.forEach(
        effect -> byRun.computeIfAbsent(effect.run(), _ -> new ArrayList<>()).add(effect));
    Map<Long, Instant> since = new HashMap<>();
    byRun.forEach(
        (number, owned) -> {
          Run owner = records.find(number);
          if (owner != null) {
            EffectLines.each(
                records,
                owner,
                owned,
                (effect, line) -> {
                  if (EffectPastReader.comesToPerson(line)) {
                    since.put(effect.number(), line.at());
                  }
                });
          }
        });
    return since;
  }

  /** Groups the reviews by flow, step, destination and error. */
  public ReviewGroups causes() {
    return causes(_ -> true);
  }

  /**
   * As above, of some reviews.
   *
   * @param counted whether the reviews of this run count; null if the run's record has expired
   */
  public ReviewGroups causes(Predicate<@Nullable Run> counted) {
    Map<ReviewCause, Members> causes = new LinkedHashMap<>();
    EffectFilter filter = EffectFilter.of(records.tenant()).limit(PAGE);
    int read = 0;
    Long before = null;
    boolean isComplete = false;
    while (read < MOST_GROUPED && !isComplete) {
      List<EffectRecord> page = list(before == null ? filter : filter.before(before));
      for (EffectRecord row : page) {
        before = row.number();
        Run owner = records.find(row.run());
        if (counted.test(owner)) {
          causes.computeIfAbsent(ReviewCause.of(row, owner), _ -> new Members()).add(row);
        }
      }
      read += page.size();
      isComplete = page.size() < PAGE;
    }
    List<ReviewGroup> groups =
        causes.entrySet().stream()
            .map(entry -> entry.getValue().group(entry.getKey()))
            .sorted(Comparator.comparingLong(ReviewGroup::count).reversed())
            .limit(MOST_CAUSES)
            .toList();
    return new ReviewGroups(groups, isComplete && causes.size() <= MOST_CAUSES);
  }

  /** The reviews of one cause. */
  private static final class Members {
    private final List<String> examples = new ArrayList<>();
    private long count;
    private @Nullable Instant oldest;

    void add(EffectRecord row) {
      count++;
      Instant sent = row.firstSentAt();
      if (sent != null && (oldest == null || sent.isBefore(oldest))) {
        oldest = sent;
      }
      if (examples.size() < MOST_EXAMPLES) {
        examples.add(row.id());
      }
    }

    ReviewGroup group(ReviewCause cause) {
      return new ReviewGroup(cause, count, oldest, examples);
    }
  }
}
