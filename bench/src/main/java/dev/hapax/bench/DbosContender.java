package dev.hapax.bench;

import dev.dbos.transact.DBOS;
import dev.dbos.transact.StartWorkflowOptions;
import dev.dbos.transact.config.DBOSConfig;
import dev.dbos.transact.workflow.Workflow;
import dev.hapax.bench.OrderFlow.Order;
import dev.hapax.json.Json;

/** DBOS Transact for Java as its manual shows it: a workflow that records each step's result. */
final class DbosContender implements Contender {
  private final DBOS dbos;
  private final Orders orders;

  /** The interface that DBOS puts its proxy in front of. */
  public interface Orders {
    String order(String key);
  }

  /** The workflow. */
  public static final class ThreeSteps implements Orders {
    private final DBOS dbos;

    ThreeSteps(DBOS dbos) {
      this.dbos = dbos;
    }

    @Override
    @Workflow(name = "order")
    public String order(String key) {
      String last = "";
      for (String step : OrderFlow.STEPS) {
        last = dbos.runStep(() -> Json.write(OrderFlow.receipt(new Order(key, 4_200))), step);
      }
      return last;
    }
  }

  DbosContender(String url) {
    this.dbos =
        new DBOS(
            DBOSConfig.defaults("bench")
                .withDatabaseUrl(url)
                .withDbUser("hapax")
                .withDbPassword("")
                .withAppVersion("1"));
    this.orders = dbos.registerProxy(Orders.class, new ThreeSteps(dbos));
    dbos.launch();
  }

  @Override
  public void run(String key) {
    dbos.startWorkflow(() -> orders.order(key), new StartWorkflowOptions(key)).getResult();
  }

  @Override
  public void startAgain(String key) {
    dbos.startWorkflow(() -> orders.order(key), new StartWorkflowOptions(key));
  }

  @Override
  public void close() {
    dbos.shutdown();
  }
}
