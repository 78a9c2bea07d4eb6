package dev.hapax.store.postgres;

import dev.hapax.store.Batch;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One batch on its way to the disk, over as many transactions as it takes: what was learnt from
 * those that were rolled back, and where the open one stands.
 */
final class BatchAttempt {
  /** How often a rival may come between a look and an insert, before it is taken for bad data. */
  private static final int MOST_RIVALS = 5;

  /** How often a transaction may be in another one's way before its batch is submitted again. */
  private static final int MOST_IN_THE_WAY = 10;

  private final Batch batch;
  private final HeldKeys held;
  private final Map<Long, GroupAnswer> decided = new HashMap<>();
  private final Set<Long> oneByOne = new HashSet<>();
  private final List<GroupAnswer> answers = new ArrayList<>();
  private int rivals;
  private int inTheWay;

  BatchAttempt(Batch batch, HeldKeys held) {
    this.batch = batch;
    this.held = held;
  }

  Batch batch() {
    return batch;
  }

  /** A transaction begins. */
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
        && !held.isHeld(group)
        && PlainRows.isPlain(group);
  }

  boolean isAllPlain() {
    return !batch.groups().isEmpty() && batch.groups().stream().allMatch(this::isPlain);
  }

  /** As many as follow one another: groups are written in their order. */
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

  /** The next ones are written. */
  void landed(List<GroupAnswer> given) {
    answers.addAll(given);
    passDecided();
  }

  private void passDecided() {
    while (hasNext()) {
      GroupAnswer answer = decided.get(next().op());
      if (answer == null) {
        return;
      }
      answers.add(answer);
    }
  }

  /** The group writes nothing, in whichever transaction. */
  void decided(Group group, GroupAnswer answer) {
    decided.put(group.op(), answer);
  }

  /** These are not written together with others any more. */
  void oneByOne(Collection<Group> groups) {
    groups.forEach(group -> oneByOne.add(group.op()));
  }

  boolean mayMeetRival() {
    return rivals++ < MOST_RIVALS;
  }

  boolean mayBeInTheWay() {
    return inTheWay++ < MOST_IN_THE_WAY;
  }

  /** Of all groups, in their order. */
  List<GroupAnswer> answers() {
    return List.copyOf(answers);
  }
}
