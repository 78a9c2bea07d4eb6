package dev.hapax.bench;

import dev.hapax.testkit.fault.PostgresServer;
import java.util.List;

/**
 * The load three-http with Hapax and DBOS Transact, both as libraries in this process. The callers
 * run here too, so their processor time counts as the engine's.
 */
record HttpBesideDbos(PostgresServer server, Rotation turns, Report report) {
  private static final List<ThreeHttp.Cpu> PARTS =
      List.of(
          new ThreeHttp.Cpu("cpu-us-per-run", done -> done.outcome().cpuMicrosPerCall()),
          ThreeHttp.Cpu.metered("postgres-cpu-us-per-run"));

  /** The meter is the whole server: the backends of the other engine are idle meanwhile. */
  private record OnServer(Contender contender, PostgresServer server)
      implements Rotation.Contestant {
    @Override
    public void call() throws Exception {
      contender.run(OrderFlow.randomOrder().id());
    }

    @Override
    public long meter() {
      return CpuTime.nanos(server.pid());
    }
  }

  void measure() throws Exception {
    String theirs = server.newDatabase();
    String ours = server.newDatabase();
    try (var shop = ShopProcess.start();
        var client = new ShopClient(shop.address());
        Contender dbos = new DbosContender(theirs, (step, order) -> client.post(step, order.id()));
        Contender hapax = new HapaxContender(ours, OrderFlow.overHttp(client))) {
      new ThreeHttp("postgres", "dbos", shop, turns, report)
          .measure(new OnServer(dbos, server), new OnServer(hapax, server), PARTS);
      double reference = ServerWork.connections(theirs);
      report.add(
          Figure.of(
                  "three-http.postgres.connections",
                  ServerWork.connections(ours),
                  "connections to the database")
              .against(_ -> reference));
    }
  }
}
