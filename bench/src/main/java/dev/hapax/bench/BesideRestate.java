package dev.hapax.bench;

import dev.hapax.bench.OrderFlow.Order;
import java.nio.file.Path;
import java.util.List;

/** Hapax's server and Restate's, each called over HTTP from this process, in turns. */
record BesideRestate(Path program, Rotation turns, Report report) {
  private static final int[] CALLERS = {1, 32, 256};
  private static final int DUPLICATE_CALLERS = 32;

  void measure(Workspace workspace) throws Exception {
    try (var shop = ShopProcess.start();
        var restate = RestateProcess.start(program, workspace.file("restate"), shop.address());
        var hapax = ServerProcess.start(workspace.file("hapax"))) {
      for (int callers : CALLERS) {
        runs(callers, restate, hapax);
      }
      duplicates(restate, hapax);
      new HttpBesideRestate(shop, turns, report).measure(restate, hapax);
    }
  }

  private void runs(int callers, RestateProcess restate, ServerProcess hapax) throws Exception {
    List<Callers.Outcome> both =
        measure(
            callers,
            () -> restate.run(OrderFlow.randomOrder()),
            () -> hapax.run(OrderFlow.randomOrder()));
    Callers.Outcome peer = both.getFirst();
    Callers.Outcome ours = both.getLast();
    String name = "server-runs.%d.".formatted(callers);
    beside(name + "runs-per-s", "runs/s", ours.perSecond(), peer.perSecond());
    double half = ours.percentileMillis(50);
    beside(name + "p50-ms", "ms", half, peer.percentileMillis(50));
    beside(name + "p99-ms", "ms", ours.percentileMillis(99), peer.percentileMillis(99));
    Figure pace = Figure.of(name + "ratio-to-restate", ours.perSecond() / peer.perSecond(), "x");
    Figure halves = Figure.of(name + "p50-ratio-to-restate", half / peer.percentileMillis(50), "x");
    report.add(callers == 1 ? pace : pace.aims(Goal.atLeast(2, 4)));
    report.add(callers == 1 ? halves.aims(Goal.atMost(0.5, 0.25)) : halves);
  }

  private void duplicates(RestateProcess restate, ServerProcess hapax) throws Exception {
    List<Order> orders = ServedRuns.ran(restate::run, hapax::run);
    List<Callers.Outcome> both =
        measure(
            DUPLICATE_CALLERS,
            () -> restate.run(ServedRuns.one(orders)),
            () -> hapax.startAgain(ServedRuns.one(orders)));
    double theirs = both.getFirst().perSecond();
    double ours = both.getLast().perSecond();
    String name = "server-duplicates.%d.".formatted(DUPLICATE_CALLERS);
    beside(name + "per-s", "starts/s", ours, theirs);
    report.add(Figure.of(name + "ratio-to-restate", ours / theirs, "x").aims(Goal.atLeast(2, 4)));
  }

  private List<Callers.Outcome> measure(
      int callers, Rotation.Contestant restate, Rotation.Contestant hapax) throws Exception {
    List<Rotation.Contestant> both = List.of(restate, hapax);
    turns.warmUp(callers, both);
    return turns.measure(callers, both).stream().map(Rotation.Done::outcome).toList();
  }

  private void beside(String name, String unit, double ours, double theirs) {
    report.add(Figure.of(name, ours, unit).against(_ -> theirs));
  }
}
