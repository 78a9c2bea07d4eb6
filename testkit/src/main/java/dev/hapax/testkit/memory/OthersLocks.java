package dev.hapax.testkit.memory;

import dev.hapax.flow.Hold;
import dev.hapax.flow.Subject;
import dev.hapax.store.Batch;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.Obstacle;
import dev.hapax.store.Store;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Locks held by open transactions of other programs, as in a database: a group that needs one of
 * them does not land, and neither do later groups of its run.
 */
final class OthersLocks {
  /**
   * How many transactions hold each lock: in a database one would wait for the other, here they
   * share it.
   */
  private final Map<Obstacle, Integer> held = new HashMap<>();

  void take(Obstacle lock) {
    held.merge(lock, 1, Integer::sum);
  }

  void giveBack(Obstacle lock) {
    held.computeIfPresent(lock, (_, times) -> times == 1 ? null : times - 1);
  }

  /** Commits the groups that need none of the locks. */
  List<GroupAnswer> commit(
      Batch batch, Store present, Function<Batch, List<GroupAnswer>> everything) {
    if (held.isEmpty()) {
      return everything.apply(batch);
    }
    Map<Long, GroupAnswer> blocked = new HashMap<>();
    Map<Long, GroupAnswer> blockedRuns = new HashMap<>();
    List<Group> free = new ArrayList<>();
    for (Group group : batch.groups()) {
      Long run = group.run();
      GroupAnswer before = run == null ? null : blockedRuns.get(run);
      Obstacle obstacle = before == null ? obstacle(group, present) : null;
      GroupAnswer answer = obstacle == null ? before : new GroupAnswer.Blocked(obstacle);
      if (answer == null) {
        free.add(group);
        continue;
      }
      blocked.put(group.op(), answer);
      if (run != null) {
        blockedRuns.put(run, answer);
      }
    }
    List<GroupAnswer> landed =
        free.isEmpty() ? List.of() : everything.apply(new Batch(free, batch.patience()));
    List<GroupAnswer> answers = new ArrayList<>();
    int next = 0;
    for (Group group : batch.groups()) {
      GroupAnswer answer = blocked.get(group.op());
      answers.add(answer != null ? answer : landed.get(next++));
    }
    return answers;
  }

  private @Nullable Obstacle obstacle(Group group, Store present) {
    Set<Obstacle> needed = new LinkedHashSet<>(Obstacle.before(group));
    needed.add(Obstacle.rowOf(group));
    Long run = group.run();
    if (run != null && group.changes().stream().anyMatch(Change.End.class::isInstance)) {
      linesOf(run, present).forEach(line -> needed.add(Obstacle.line(line)));
    }
    return needed.stream().filter(held::containsKey).findFirst().orElse(null);
  }

  /** Returns the lines that a run leaves when it ends. */
  private static List<Subject> linesOf(long number, Store present) {
    var run = present.run(number);
    return run == null
        ? List.of()
        : present.holds(run.tenant(), null).stream()
            .filter(hold -> hold.run() == number)
            .map(Hold::line)
            .map(line -> line.subject())
            .toList();
  }
}
