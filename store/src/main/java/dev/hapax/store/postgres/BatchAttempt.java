package dev.hapax.store.postgres;

import dev.hapax.store.Batch;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.Obstacle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One batch on its way to the disk, over as many transactions as it needs. Remembers what it
 * learned from those that were rolled back, and how far the open one is.
 */
final class BatchAttempt {
  /** How many rivals may come between a look and an insert before the group counts as bad data. */
  private static final int MOST_RIVALS = 5;

  /** How often another transaction may be in the way before the batch is submitted again. */
  private static final int MOST_IN_THE_WAY = 10;

  private static final Duration NEARLY_NONE = Duration.ofMillis(2);

  private final Batch batch;
  private final Map<Long, GroupAnswer> decided = new HashMap<>();
  private final Set<Long> oneByOne = new HashSet<>();
  private final List<GroupAnswer> answers = new ArrayList<>();
  private int rivals;
  private int inTheWay;
  private boolean isHurried;

  BatchAttempt(Batch batch) {
    this.batch = batch;
  }

  Batch batch() {
    return batch;
  }

  /** Begins a transaction. */
  void begin() {
    answers.clear();
    passDecided();
  }

  boolean hasNext() {
    return answers.size() < batch.groups().size();
  }

  Group next() {
    return batch.groups().get(answers.size());
  }

  boolean nextIsPlain() {
    return isPlain(next());
  }

  private boolean isPlain(Group group) {
    return !decided.containsKey(group.op())
        && !oneByOne.contains(group.op())
        && PlainRows.isPlain(group);
  }

  boolean isAllPlain() {
    return !batch.groups().isEmpty() && batch.groups().stream().allMatch(this::isPlain);
  }

  /** Returns the next plain groups without a gap: groups are written in their order. */
  List<Group> nextPlain() {
    List<Group> plain = new ArrayList<>();
    for (int i = answers.size(); i < batch.groups().size(); i++) {
      Group group = batch.groups().get(i);
      if (!isPlain(group)) {
        break;
      }
      plain.add(group);
    }
    return plain;
  }

  /** Records that the next groups are written. */
  void landed(List<GroupAnswer> given) {
    answers.addAll(given);
    passDecided();
  }

  /** Skips groups that write nothing. */
  void passDecided() {
    while (hasNext()) {
      GroupAnswer answer = decided.get(next().op());
      if (answer == null) {
        return;
      }
      answers.add(answer);
    }
  }

  /** Records that the group writes nothing, in any transaction. */
  void decided(Group group, GroupAnswer answer) {
    decided.put(group.op(), answer);
  }

  /**
   * Another transaction has a lock that the group needs. The group leaves the batch, and so do
   * later groups of its run, which land in their order, and later groups that need the same lock.
   */
  void blocked(Group group, Obstacle obstacle) {
    var answer = new GroupAnswer.Blocked(obstacle);
    decided(group, answer);
    for (Group later : batch.groups().subList(answers.size() + 1, batch.groups().size())) {
      if ((group.run() != null && group.run().equals(later.run()))
          || Obstacle.before(later).contains(obstacle)) {
        decided.putIfAbsent(later.op(), answer);
      }
    }
  }

  /** How long the next statement may wait for a lock. */
  Duration patience() {
    return isHurried ? NEARLY_NONE : batch.patience();
  }

  /** Ends the patience: the batch has waited for a lock once, and all its groups waited along. */
  void hurry() {
    isHurried = true;
  }

  boolean isHurried() {
    return isHurried;
  }

  /** Writes these groups separately from now on. */
  void oneByOne(Collection<Group> groups) {
    groups.forEach(group -> oneByOne.add(group.op()));
  }

  boolean mayMeetRival() {
    return rivals++ < MOST_RIVALS;
  }

  boolean mayBeInTheWay() {
    return inTheWay++ < MOST_IN_THE_WAY;
  }

  /** Returns the answers of all groups, in their order. */
  List<GroupAnswer> answers() {
    return List.copyOf(answers);
  }
}
