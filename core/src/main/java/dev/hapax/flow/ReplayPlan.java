package dev.hapax.flow;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the replay of a run does with each effect, message and child run.
 *
 * @param run its id
 * @param release on which it goes on
 * @param differences of its steps from those of the run's own release; null if it stays on that one
 * @param ends why the plan ends before the run does; null if it does not. What comes after it is
 *     not in the plan, and is not sent
 * @param digest of what the plan was computed from
 */
public record ReplayPlan(
    String run,
    ReplayWish wish,
    int release,
    @Nullable List<StepDifference> differences,
    List<Item> items,
    @Nullable String ends,
    String digest) {

  public ReplayPlan {
    items = List.copyOf(items);
    differences = differences == null ? null : List.copyOf(differences);
  }

  /** What happens to an effect. */
  public enum Decision {
    /** It is not evaluated: the replay begins after it, or newer work has replaced it. */
    KEEP,
    /** The ledger answers. */
    REUSE,
    /** A new intent is sent. */
    SEND,
    /** It is open now: the run waits until it is settled. */
    DOUBT,
    /** The ledger answers, though the content differs. */
    CHANGED;

    @JsonValue
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** What a step sends. */
  public enum Type {
    /** An effect, which the ledger remembers. */
    EFFECT,
    /** A message of the outbox. */
    MESSAGE,
    /** A child run, whose own effects are not in the plan. */
    RUN;

    @JsonValue
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** Plans of older versions have only effects. */
    static Type orEffect(@Nullable Type type) {
      return type == null ? EFFECT : type;
    }
  }

  /**
   * An effect, a message or a child run.
   *
   * @param item of the loop that the step is in
   * @param name of the effect in the ledger; the destination of a message; the flow of a run
   * @param effect its id in the ledger; null if it has none yet
   * @param key null if it depends on an answer that is not there yet
   * @param revision that the run gets, or that is sent
   * @param firstRun the run that did it first, that delivers the message, or that is the child
   * @param request JSON text of what would be sent; null if it is not known, or nothing is sent
   * @param dependsOn the steps whose answers decide the request
   * @param note what a person should know about it
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Item(
      String step,
      @Nullable String item,
      Type type,
      Decision decision,
      String name,
      @Nullable String key,
      @Nullable String wireKey,
      @Nullable Integer revision,
      @Nullable String effect,
      @Nullable String firstRun,
      @Nullable String request,
      @Nullable List<String> dependsOn,
      @Nullable String note) {
    public Item {
      type = Type.orEffect(type);
    }
  }

  /** How many effects have each decision. */
  public record Totals(long keep, long reuse, long send, long doubt, long changed) {
    public static final Totals NONE = new Totals(0, 0, 0, 0, 0);

    /** Reads what {@link #counts} wrote; other counts do not matter. */
    public static Totals of(Map<String, Long> counts) {
      return new Totals(
          of(counts, Decision.KEEP),
          of(counts, Decision.REUSE),
          of(counts, Decision.SEND),
          of(counts, Decision.DOUBT),
          of(counts, Decision.CHANGED));
    }

    private static long of(Map<String, Long> counts, Decision decision) {
      return counts.getOrDefault(decision.word(), 0L);
    }

    /** The numbers by the words of the decisions. */
    public Map<String, Long> counts() {
      return Map.of(
          Decision.KEEP.word(), keep,
          Decision.REUSE.word(), reuse,
          Decision.SEND.word(), send,
          Decision.DOUBT.word(), doubt,
          Decision.CHANGED.word(), changed);
    }

    public Totals plus(Totals other) {
      return new Totals(
          keep + other.keep,
          reuse + other.reuse,
          send + other.send,
          doubt + other.doubt,
          changed + other.changed);
    }
  }

  public Totals totals() {
    return new Totals(
        count(Decision.KEEP),
        count(Decision.REUSE),
        count(Decision.SEND),
        count(Decision.DOUBT),
        count(Decision.CHANGED));
  }

  private long count(Decision decision) {
    return items.stream().filter(item -> item.decision() == decision).count();
  }
}
