package dev.hapax.testkit.simulation;

import dev.hapax.flow.Run;
import dev.hapax.run.journal.Answer;
import dev.hapax.store.Batch;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.Head;
import dev.hapax.store.HeartbeatReply;
import dev.hapax.store.NodeReport;
import dev.hapax.testkit.promise.Observation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Watches a store that nodes share, by true time, and records which node holds which run. It does
 * not ask the store about leases.
 */
final class NodeWitness {
  private final Scheduler scheduler;
  private final Function<Head, @Nullable Run> runs;
  private final Tally tally;
  private final List<Observation> observations = new ArrayList<>();
  private final Map<Long, Holding> nodes = new HashMap<>();
  private final Map<Long, Long> owners = new HashMap<>();
  private final Map<Long, Integer> adoptions = new HashMap<>();
  private final Map<Long, Integer> landed = new HashMap<>();
  private final Set<SimulatedNode> shutOut = new HashSet<>();
  private final Set<Long> lost = new HashSet<>();

  /** The known state of a node, by the number of its start. */
  private static final class Holding {
    long until;
    boolean isReplaced;
    boolean hasLeft;
  }

  /**
   * Creates a witness that can read runs.
   *
   * @param runs the run that a group is about, as it is stored now
   */
  NodeWitness(Scheduler scheduler, Function<Head, @Nullable Run> runs, Tally tally) {
    this.scheduler = scheduler;
    this.runs = runs;
    this.tally = tally;
  }

  List<Observation> observations() {
    return observations;
  }

  /** The node has renewed its lease, and has perhaps taken over runs of others. */
  void heartbeat(NodeReport report, HeartbeatReply heard) {
    long owner = report.owner();
    if (known(owner).isReplaced) {
      observations.add(new Observation.WrittenByReplaced(owner, "its lease"));
    }
    known(owner).until = scheduler.nanos() + report.lease().toNanos();
    for (long run : heard.adopted()) {
      Long former = owners.put(run, owner);
      if (former != null && former != owner) {
        replaces(owner, former, run);
      }
    }
    if (report.recall()) {
      tally.count("node: asked for all its runs");
    }
    if (!heard.canceled().isEmpty()) {
      tally.count("node: heard of a cancel");
    }
  }

  private void replaces(long owner, long former, long run) {
    Holding other = known(former);
    if (lost.add(former)) { // to the others this is an end, too
      observations.add(
          new Observation.ProcessEnded("lease", null, landed.size(), Integer.MAX_VALUE));
    }
    if (!other.hasLeft && other.until > scheduler.nanos()) {
      Duration rest = Duration.ofNanos(other.until - scheduler.nanos());
      observations.add(new Observation.TakenFromLiving(run, former, owner, rest));
    }
    other.isReplaced = true;
    tally.count(other.hasLeft ? "node: took what was left behind" : "node: took over");
    if (adoptions.merge(run, 1, Integer::sum) == 2) {
      tally.count("node: a run went to a third one");
    }
  }

  /** Another server has taken over: the owners of runs by the last writes are no longer valid. */
  void failedOver(int lost) {
    owners.clear();
    tally.count("node: standby took over");
    if (lost > 0) {
      tally.count("node: lost its last writes");
    }
  }

  /** The node has written. */
  void wrote(long owner, Batch batch, List<GroupAnswer> answers) {
    for (int i = 0; i < answers.size(); i++) {
      if (answers.get(i) instanceof GroupAnswer.Landed
          || answers.get(i) instanceof GroupAnswer.Queued) {
        wrote(owner, batch.groups().get(i));
      }
    }
  }

  /** The batch is in the store. */
  void landed(Batch batch, List<GroupAnswer> answers) {
    for (int i = 0; i < answers.size(); i++) {
      Group group = batch.groups().get(i);
      if (answers.get(i) instanceof GroupAnswer.Landed(var heard, var _)) {
        landed.putIfAbsent(group.op(), landed.size());
        noteCancel(group, heard);
      } else if (answers.get(i) instanceof GroupAnswer.Queued) {
        landed.putIfAbsent(group.op(), landed.size());
      } else if (answers.get(i) instanceof GroupAnswer.Blocked
          && group.changes().stream().anyMatch(Change.Kv.class::isInstance)) {
        observations.add(new Observation.NoteHeldUp(landed.size()));
      }
    }
  }

  /** A process has ended, or has closed its engine; what is under way may still land. */
  void ended(String machine, @Nullable String killer, long owner) {
    lost.add(owner);
    observations.add(
        new Observation.ProcessEnded(machine, killer, landed.size(), Integer.MAX_VALUE));
    if (killer != null) {
      tally.count("poison: ended a process");
    }
  }

  /** The machine has a process again: nothing of the one before lands any more. */
  void begins(String machine) {
    observations.replaceAll(
        one ->
            one instanceof Observation.ProcessEnded(var where, var killer, long after, long until)
                    && where.equals(machine)
                    && until == Integer.MAX_VALUE
                ? new Observation.ProcessEnded(machine, killer, after, landed.size())
                : one);
  }

  private void noteCancel(Group group, List<Answer> heard) {
    Long canceled =
        switch (group.head()) {
          case Head.NotEnded(long run) -> run;
          case Head.Owned(long run, long owner, long _) when owner == Run.QUARANTINE -> run;
          default -> null;
        };
    if (canceled != null && heard.stream().anyMatch(Answer.Canceling.class::isInstance)) {
      observations.add(new Observation.CancelAccepted(canceled, group.op()));
    }
    if (heard.contains(new Answer.NotEnded())) {
      tally.count("cancel: an end was refused");
    }
  }

  /** Returns the place of an operation in the order in which they landed. */
  long landed(long op) {
    Integer place = landed.get(op);
    return place == null ? op : place;
  }

  private void wrote(long owner, Group group) {
    if (known(owner).isReplaced || known(owner).hasLeft) {
      observations.add(new Observation.WrittenByReplaced(owner, group.head().toString()));
    }
    if (group.head() instanceof Head.NotEnded) {
      return; // a write beside a run says nothing about its owner
    }
    Run written = runs.apply(group.head());
    if (written == null || written.owner() == null || written.isQuarantined()) {
      return; // in no node's memory
    }
    Long former = owners.put(written.number(), written.owner());
    if (former == null || former.equals(written.owner())) {
      return;
    }
    if (group.head() instanceof Head.Unowned) {
      tally.count(
          known(former).hasLeft ? "node: went on with what was handed back" : "node: took up");
    } else {
      replaces(written.owner(), former, written.number());
    }
  }

  /** The store has refused a write of the node. */
  void refused(String what) {
    tally.count("node: " + what + " of a zombie refused");
  }

  /** The node has given its lease back. */
  void left(long owner) {
    known(owner).hasLeft = true;
    tally.count("node: left");
  }

  /** Another process has opened its file. */
  void shutOut(SimulatedNode node) {
    shutOut.add(node);
  }

  /** Whether another node may carry out the runs of this one. */
  boolean mayBeReplaced(SimulatedNode node) {
    Holding holding = nodes.get(node.owner);
    return shutOut.contains(node) || (holding != null && holding.until < scheduler.nanos());
  }

  private Holding known(long owner) {
    return nodes.computeIfAbsent(owner, _ -> new Holding());
  }
}
