package dev.hapax.bench;

import java.io.IOException;
import java.util.List;

/**
 * The load three-http with Hapax's server, which sends the requests itself, and with Restate, whose
 * service sends them.
 */
record HttpBesideRestate(ShopProcess shop, Rotation turns, Report report) {

  /** The meter is the time of all processes of the engine; the callers are not among them. */
  private record Served(ServedRuns.Runner runner, List<Long> processes)
      implements Rotation.Contestant {
    @Override
    public void call() throws IOException {
      runner.run(OrderFlow.randomOrder());
    }

    @Override
    public long meter() {
      return processes.stream().mapToLong(CpuTime::nanos).sum();
    }
  }

  void measure(RestateProcess restate, ServerProcess hapax) throws Exception {
    hapax.releaseHttp(shop.address());
    new ThreeHttp("server", "restate", shop, turns, report)
        .measure(
            new Served(restate::runOverHttp, restate.pids()),
            new Served(hapax::runOverHttp, List.of(hapax.pid())),
            List.of(ThreeHttp.Cpu.metered("cpu-us-per-run")));
  }
}
