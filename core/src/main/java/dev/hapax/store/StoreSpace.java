package dev.hapax.store;

import dev.hapax.time.Clock;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Whether the store has space, and which groups do not wait for it. The committer's thread notes
 * what it sees; any thread may read it.
 */
final class StoreSpace {
  /** After this long without a try, a start tries whether there is space again. */
  private static final Duration MISSING_FOR = Duration.ofSeconds(2);

  private final Clock clock;
  private volatile boolean missing;
  private volatile long missingSince;

  StoreSpace(Clock clock) {
    this.clock = clock;
  }

  /** Whether new starts should be refused. */
  boolean isMissing() {
    return missing && clock.nanos() - missingSince < MISSING_FOR.toNanos();
  }

  /** The store was full; false if it was full before. */
  boolean ranOut() {
    missingSince = clock.nanos();
    boolean isNews = !missing;
    missing = true;
    return isNews;
  }

  /** The store has taken a batch; true if it was full before. */
  boolean isBack() {
    boolean isNews = missing;
    missing = false;
    return isNews;
  }

  /**
   * Withdraws groups that the full store has not taken. Those from outside that have certainly not
   * landed before leave the batch for good, so that their callers learn at once that they are not
   * accepted. Writes of accepted runs stay.
   */
  static void withdraw(List<Committer.Ticket> tickets) {
    Set<Long> runs = new HashSet<>();
    for (Committer.Ticket ticket : List.copyOf(tickets)) {
      Group group = ticket.group();
      Long run = group.run();
      boolean isNotAccepted = ticket.isFromOutside() && !ticket.mayHaveLanded();
      if (isNotAccepted || (run != null && runs.contains(run))) {
        if (run != null && group.head() instanceof Head.Insert) {
          runs.add(run); // nothing of it can land without its first group
        }
        tickets.remove(ticket);
        ticket.answer(new GroupAnswer.NoSpace());
      }
    }
  }

  /** Whether it is a new run or an event: its submitter can try again, no matter who it is. */
  static boolean asksForMore(Group group) {
    return group.head() instanceof Head.Insert
        || group.changes().stream().anyMatch(Change.Receive.class::isInstance);
  }
}
