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
            "dev.hapax.engine.Timer",
            "due.forEach(one -> wake.accept(one.run()));",
            "due.stream().skip(1).forEach(one -> wake.accept(one.run()));"),
        core(
            "the next time is not read", "dev.hapax.engine.Timer", "noteNext(nextAfter(now));", ""),
        core(
            "wake-ups of a batch that was submitted again are lost",
            "dev.hapax.store.Committer",
            "if (again) { listener.wakeUpsMayBeMissing(); }",
            ""),
        core(
            "a commit whose outcome is unknown is taken as done",
            "dev.hapax.store.Committer",
            "pause(PAUSE_WHEN_UNKNOWN, e); } catch (StoreFull e) { fullSince",
            "return List.of(); } catch (StoreFull e) { fullSince"),
        mixed(
            "who is woken by a commit is not told so",
            "dev.hapax.store.Committer",
            "if (!woken.isEmpty()) { listener.woken(woken); }",
            ""),
        nodes(
            "runs of a node that is gone are adopted and left",
            "dev.hapax.engine.Heartbeat",
            "heard.adopted().forEach(node::wake);",
            ""));
  }
}
