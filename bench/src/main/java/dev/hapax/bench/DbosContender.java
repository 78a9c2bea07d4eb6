package dev.hapax.bench;

import com.zaxxer.hikari.HikariDataSource;
import dev.dbos.transact.DBOS;
import dev.dbos.transact.StartWorkflowOptions;
import dev.dbos.transact.config.DBOSConfig;
import dev.dbos.transact.database.SystemDatabase;
import dev.dbos.transact.workflow.Workflow;
import dev.hapax.bench.OrderFlow.Order;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** DBOS Transact for Java as its manual shows it: a workflow that records each step's result. */
final class DbosContender implements Contender {
  /** Connections of its pool; null for the default of DBOS. */
  private static final @Nullable Integer POOL = Integer.getInteger("dbos.pool");

  private final DBOS dbos;
  private final Orders orders;

  /** The interface that DBOS puts its proxy in front of. */
  public interface Orders {
    String order(String key) throws IOException;
  }

  /** The workflow. */
  public static final class ThreeSteps implements Orders {
    private final DBOS dbos;
    private final OrderStep work;

    ThreeSteps(DBOS dbos, OrderStep work) {
      this.dbos = dbos;
      this.work = work;
    }

    @Override
    @Workflow(name = "order")
    public String order(String key) throws IOException {
      String last = "";
      for (String step : OrderFlow.STEPS) {
        last = dbos.runStep(() -> work.send(step, new Order(key, 4_200)), step);
      }
      return last;
    }
  }

  DbosContender(String url, OrderStep work) {
    this.dbos = new DBOS(config(url));
    this.orders = dbos.registerProxy(Orders.class, new ThreeSteps(dbos, work));
    dbos.launch();
  }

  private static DBOSConfig config(String url) {
    DBOSConfig config =
        DBOSConfig.defaults("bench")
            .withDatabaseUrl(url)
            .withDbUser("hapax")
            .withDbPassword("")
            .withAppVersion("1");
    if (POOL == null) {
      return config;
    }
    HikariDataSource pool = SystemDatabase.createDataSource(config);
    pool.setMaximumPoolSize(POOL);
    return config.withDataSource(pool);
  }

  static String version() {
    return DBOS.version();
  }

  @Override
  public void run(String key) throws IOException {
    dbos.startWorkflow(() -> orders.order(key), new StartWorkflowOptions(key)).getResult();
  }

  @Override
  public void startAgain(String key) throws IOException {
    dbos.startWorkflow(() -> orders.order(key), new StartWorkflowOptions(key));
  }

  @Override
  public void close() {
    dbos.shutdown();
  }
}
