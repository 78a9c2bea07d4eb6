package dev.hapax.app.demo;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.KeyReused;
import dev.hapax.app.demo.LocalServer.Reply;
import dev.hapax.app.demo.LocalServer.Request;
import dev.hapax.flow.Flow;
import dev.hapax.json.Json;
import dev.hapax.run.Run;
import dev.hapax.run.RunStatus;
import dev.hapax.store.RunFilter;
import dev.hapax.store.StoreBroken;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The process that works the orders off and gets killed: Hapax on one file, behind a small door for
 * deliveries. It knows nothing of earlier kills; opening the file and registering the flow is all
 * there is to recovery.
 */
final class Worker {
  private static final Logger log = LoggerFactory.getLogger(Worker.class);

  static final String ORDERS = "/orders";
  static final String STATUS = "/status";
  static final String LEDGER = "/ledger";

  private final Hapax hapax;
  private final Flow<Order, OrderFlow.Receipt> flow;

  private Worker(Hapax hapax, Flow<Order, OrderFlow.Receipt> flow) {
    this.hapax = hapax;
    this.flow = flow;
  }

  /** The answer to a delivery: it is on disk, whoever brought it first. */
  record Accepted(String run, boolean duplicate) {}

  /**
   * Whether any run still has something to do by itself, and how many of the batch wait for a
   * person.
   */
  record Status(boolean busy, int inReview) {}

  public static void main(String[] args) throws IOException {
    var folder = new DataFolder(Path.of(args[0]));
    try (var _ = FileHold.take(folder.lockOf("worker"));
        var outside = new Outside(folder);
        var hapax =
            Hapax.open(
                folder.database(), HapaxOptions.DEFAULT.closeWithin(Duration.ofSeconds(3)))) {
      var flow = OrderFlow.over(outside);
      hapax.register(flow);
      try (var server = new Worker(hapax, flow).server().start()) {
        ParentProcess.tellReady(server.address());
        ParentProcess.awaitGone();
      }
    }
    System.exit(0);
  }

  private LocalServer server() throws IOException {
    return new LocalServer()
        .on(ORDERS, this::accept)
        .on(
            STATUS,
            request -> new Reply(200, Json.write(new Status(isBusy(), inReview(request.query())))))
        .on(LEDGER, request -> new Reply(200, Json.write(Ledger.read(hapax, request.query()))));
  }

  private Reply accept(Request request) {
    try {
      var run = hapax.start(flow, Json.read(request.body(), Order.class));
      return new Reply(
          run.isDuplicate() ? 200 : 201, Json.write(new Accepted(run.id(), run.isDuplicate())));
    } catch (KeyReused e) {
      return new Reply(409, String.valueOf(e.getMessage()));
    } catch (StoreBroken e) {
      log.error(
          "the worker ends, since what the store holds is unknown until it is opened again", e);
      Runtime.getRuntime().halt(1);
      throw e;
    }
  }

  /**
   * A hint only: a run may move from one status to another between two of these looks. The ledger
   * decides.
   */
  private boolean isBusy() {
    return Stream.of(RunStatus.QUEUED, RunStatus.RUNNING, RunStatus.WAITING)
        .anyMatch(status -> !hapax.runs(only(status)).isEmpty());
  }

  private RunFilter only(RunStatus status) {
    RunFilter all = hapax.runs();
    return new RunFilter(all.tenant(), null, null, status, null, 1);
  }

  private int inReview(String prefix) {
    List<Run> all = Ledger.runs(hapax, hapax.runs().status(RunStatus.REVIEW));
    return (int) all.stream().filter(run -> run.key().startsWith(prefix)).count();
  }
}
