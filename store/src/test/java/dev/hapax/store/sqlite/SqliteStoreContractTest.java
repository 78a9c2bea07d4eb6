package dev.hapax.store.sqlite;

import dev.hapax.store.Store;
import dev.hapax.testkit.contract.AllContracts;
import dev.hapax.time.Ports;
import java.nio.file.Path;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The SQLite store keeps the contract of all stores. With tiny generations, so that keys are on
 * their way into the index all the time. Each test has a file of its own, so several run at once.
 */
@Execution(ExecutionMode.CONCURRENT)
@Order(1)
class SqliteStoreContractTest extends AllContracts {
  @TempDir Path folder;

  @Override
  protected Store newStore() {
    return new SqliteStore(folder.resolve("store.db"), Ports.system().threads(), 2);
  }
}
