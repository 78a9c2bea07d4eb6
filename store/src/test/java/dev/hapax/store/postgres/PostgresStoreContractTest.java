package dev.hapax.store.postgres;

import dev.hapax.store.Store;
import dev.hapax.testkit.contract.AllContracts;
import dev.hapax.testkit.contract.NodeContract;
import dev.hapax.time.Ports;
import javax.sql.DataSource;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;

/** The PostgreSQL store keeps the contract of all stores, and that of nodes. */
@Tag("server")
@Order(1)
class PostgresStoreContractTest extends AllContracts {
  @Override
  protected Store newStore() {
    return open(TestDatabase.empty(PostgresStoreContractTest.class));
  }

  private static Store open(DataSource database) {
    return new PostgresStore(database::getConnection, Ports.system().threads());
  }

  @Nested
  class Nodes extends NodeContract {
    private DataSource database = TestDatabase.empty(NodeContract.class);

    @Override
    protected Store open() {
      database = TestDatabase.empty(NodeContract.class);
      return PostgresStoreContractTest.open(database);
    }

    @Override
    protected Store another() {
      return PostgresStoreContractTest.open(database);
    }
  }
}
