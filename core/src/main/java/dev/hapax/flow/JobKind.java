package dev.hapax.flow;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What jobs of one kind act on, and how. The engine does the rest: pages, rate, pauses, results,
 * and going on after a restart. Safe for many threads.
 */
public interface JobKind {
  /** The word for it, such as {@code retry}. */
  String name();

  /**
   * Refuses a job that cannot be carried out.
   *
   * @param spec as JSON text
   * @throws IllegalArgumentException that says what was expected
   */
  void check(String tenant, String spec);

  /** Whether a person must see the items before the job acts on them. */
  default boolean needsPlan() {
    return false;
  }

  /**
   * Whether a job that acts without a plan finds its items before its request is answered, and
   * stores them in the commit that creates it. What they are bound to is then never newer than the
   * request.
   *
   * @param spec as JSON text
   */
  default boolean selectsAtOnce(String spec) {
    return false;
  }

  /**
   * Finds the next items, in any order. A page may be empty and still name a next one. It is called
   * again with the same place after a restart, and must then find the same items, or those that
   * still fit.
   *
   * @param place where the page before ended; null for the first page
   * @param limit the most items of a page
   */
  Page select(Job job, @Nullable String place, int limit);

  /**
   * Acts on one item. It may be called twice for an item if the process ends before the result is
   * recorded, so the second call must do no harm. An exception means that the item failed. {@link
   * NotPossible} and {@link NotFound} mean that it is no longer as it was, and was skipped.
   */
  Outcome act(Job job, JobItem item);

  /**
   * Says why an item of a plan can no longer be acted on; null if it can, or the kind cannot know
   * before it acts. A small plan of which nothing is left is refused when a person applies it.
   */
  default @Nullable String staleness(Job job, JobItem item) {
    return null;
  }

  /**
   * Items that were found.
   *
   * @param next the place of the next page; null after the last one
   */
  record Page(List<Selected> items, @Nullable String next) {
    public Page {
      items = List.copyOf(items);
    }
  }

  /**
   * An item that was found.
   *
   * @param detail for {@link #act} and for people, as JSON text
   * @param counts are added to the totals of the job
   * @param problem why the job will not act on it: it is skipped from the beginning; null if it
   *     will
   */
  record Selected(
      String subject,
      @Nullable String flow,
      @Nullable String key,
      @Nullable String detail,
      Map<String, Long> counts,
      @Nullable String problem) {
    public Selected {
      counts = Map.copyOf(counts);
    }

    public Selected(String subject, @Nullable String flow, @Nullable String key) {
      this(subject, flow, key, null, Map.of(), null);
    }

    public Selected detail(String json) {
      return new Selected(subject, flow, key, json, counts, problem);
    }

    public Selected counting(Map<String, Long> more) {
      return new Selected(subject, flow, key, detail, more, problem);
    }

    /** The same item, which the job does not act on. */
    public Selected skipped(String why) {
      return new Selected(subject, flow, key, detail, counts, why);
    }
  }

  /**
   * What came of an item.
   *
   * @param problem why it failed or was skipped
   * @param detail replaces the detail of the item, as JSON text; null keeps it
   */
  record Outcome(JobItemState state, @Nullable String problem, @Nullable String detail) {
    public static final Outcome DONE = new Outcome(JobItemState.DONE, null, null);

    public static Outcome skipped(String why) {
      return new Outcome(JobItemState.SKIPPED, why, null);
    }

    public static Outcome failed(String why) {
      return new Outcome(JobItemState.FAILED, why, null);
    }
  }
}
