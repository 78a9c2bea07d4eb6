package dev.hapax.app.crash;

import dev.hapax.flow.DestinationDatabase;
import dev.hapax.flow.NotApplied;
import dev.hapax.testkit.fault.SinkClient.Stage;
import dev.hapax.testkit.fault.SinkFaults;
import java.io.IOException;
import java.sql.Connection;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;

/**
 * A destination database whose commits can be refused, or succeed without anybody hearing of it.
 * Safe for many threads.
 */
final class LossyDestination implements DestinationDatabase<Connection> {
  private final DestinationDatabase<Connection> database;
  private final SinkFaults faults;
  private final Consumer<Stage> observer;
  private final ConcurrentMap<String, Integer> calls = new ConcurrentHashMap<>();

  LossyDestination(
      DestinationDatabase<Connection> database, SinkFaults faults, Consumer<Stage> observer) {
    this.database = database;
    this.faults = faults;
    this.observer = observer;
  }

  @Override
  public String once(String marker, Work<Connection> work) throws Exception {
    SinkFaults.Fault fault = faults.of("TRANSACTION", marker, calls.merge(marker, 1, Integer::sum));
    if (fault == SinkFaults.Fault.REFUSED) {
      throw new NotApplied("refused before the transaction began");
    }
    observer.accept(Stage.BEFORE);
    String result =
        database.once(
            marker,
            connection -> {
              String written = work.in(connection);
              observer.accept(Stage.HALF_WRITTEN);
              return written;
            });
    observer.accept(Stage.WRITTEN);
    observer.accept(Stage.ANSWERED);
    if (fault == SinkFaults.Fault.LOST || fault == SinkFaults.Fault.BROKEN) {
      throw new IOException("the connection broke after the commit");
    }
    return result;
  }
}
