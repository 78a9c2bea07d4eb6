package dev.hapax.testkit.mutant;

import static dev.hapax.testkit.mutant.EngineMutants.core;
import static dev.hapax.testkit.mutant.EngineMutants.mixed;
import static dev.hapax.testkit.mutant.EngineMutants.nodes;

import java.util.List;

/** Of what nodes and restarts need: the timer, the committer, hand-over, leases. */
final class NodeMutants {
  private NodeMutants() {}

  static List<Mutant> all() {
    return List.of(
        nodes(
            "an accepted cancel does not hold back a success",
            "dev.hapax.run.CancelRule",
            "case SUCCEEDED, PARTIAL -> true;",
            "case SUCCEEDED, PARTIAL -> false;"),
        core(
            "the first run that is due is left out",
            "dev.hapax.engine.parts.Timer",
            "due.forEach(one -> wake.accept(one.run()));",
            "due.stream().skip(1).forEach(one -> wake.accept(one.run()));"),
        core(
            "the next time is not read",
            "dev.hapax.engine.parts.Timer",
            "noteNext(nextAfter(now));",
            ""),
        core(
            "wake-ups of a batch that was submitted again are lost",
            "dev.hapax.store.Committer",
            "if (again) { listener.wakeUpsMayBeMissing(); }",
            ""),
        core(
            "a commit whose outcome is unknown is taken as done",
            "dev.hapax.store.Committer",
            "pause(PAUSE_WHEN_UNKNOWN, e); } catch (StoreFull e) { boolean isNews",
            "return List.of(); } catch (StoreFull e) { boolean isNews"),
        mixed(
            "a run that a commit wakes is not notified",
            "dev.hapax.store.WakeUps",
            "if (!woken.isEmpty()) { listener.woken(woken); }",
            ""),
        nodes(
            "runs of a node that is gone are adopted and left",
            "dev.hapax.engine.Heartbeat",
            "node.adopted(heard.adopted(), isWhole && !isRecall, isRecall);",
            ""));
  }
}
