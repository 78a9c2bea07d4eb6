package dev.hapax.store;

import dev.hapax.flow.RunId;
import dev.hapax.flow.Subject;
import dev.hapax.run.Gate;
import dev.hapax.run.NewRun;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A lock of another transaction that keeps a group from landing. Groups with the same obstacle wait
 * for the same lock.
 */
public record Obstacle(String name) {

  /** Another run enters this line, or leaves it. */
  public static Obstacle line(Subject subject) {
    return new Obstacle("line %016x%016x".formatted(subject.high(), subject.low()));
  }

  /** Another start of this run is under way. */
  public static Obstacle key(RunId id) {
    return new Obstacle("key " + id);
  }

  /** Some row that the group writes, when it is not known which one. */
  public static Obstacle rowOf(Group group) {
    if (group.head() instanceof Head.Insert(var run, var _)) {
      return key(run.id());
    }
    Long run = group.run();
    return new Obstacle(run == null ? "group " + group.op() : "run " + run);
  }

  /** The locks that the group certainly needs, as far as the group itself shows. */
  public static List<Obstacle> before(Group group) {
    List<Obstacle> before = new ArrayList<>();
    if (group.head() instanceof Head.Insert(var run, var _)) {
      add(before, run);
    }
    for (Change change : group.changes()) {
      switch (change) {
        case Change.Lock lock -> before.add(line(lock.line().subject()));
        case Change.Unlock unlock -> before.add(line(unlock.line().subject()));
        case Change.Spawn spawn -> add(before, spawn.run());
        case Change.Call call -> add(before, call.child());
        case Change.Receive receive -> add(before, receive.run());
        case Change.FireSchedule fire -> fire.due().forEach(due -> add(before, due.run()));
        default -> {}
      }
    }
    return before;
  }

  private static void add(List<Obstacle> before, @Nullable NewRun run) {
    if (run != null) {
      before.add(key(run.id()));
      Gate gate = run.gate();
      if (gate != null) {
        before.add(line(gate.lineOf(run.tenant(), run.flow(), run.release()).subject()));
      }
    }
  }
}
