package dev.hapax.app.crash;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.RunFailed;
import dev.hapax.RunHandle;
import dev.hapax.RunInReview;
import dev.hapax.RunUnfinished;
import dev.hapax.flow.Flow;
import dev.hapax.store.Store;
import dev.hapax.store.StoreProvider;
import dev.hapax.testkit.fault.ChildProcess;
import dev.hapax.testkit.fault.SinkClient;
import dev.hapax.testkit.fault.SinkClient.Stage;
import java.util.ArrayList;
import java.util.ServiceLoader;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * The process that dies: a program as a user would write it, which starts orders, tells its client
 * of each one that was accepted, and waits for their ends.
 */
final class OrderProcess {
  /** Followed by the key and the run's id; once this line is out, the run must never be lost. */
  static final String ACCEPTED = "accepted ";

  static final String PROBLEM = "problem ";
  static final String FINISHED = "finished";

  private static final int CLIENTS = 8;

  private final OrderArguments arguments;
  private final CrashPoint crash;
  private final AtomicInteger next;

  private OrderProcess(OrderArguments arguments, CrashPoint crash) {
    this.arguments = arguments;
    this.crash = crash;
    this.next = new AtomicInteger(arguments.from());
  }

  public static void main(String[] arguments) throws InterruptedException {
    ChildProcess.endWithParent();
    new OrderProcess(OrderArguments.of(arguments), CrashPoint.fromProperty()).run();
  }

  private void run() throws InterruptedException {
    Consumer<Stage> observer = stage -> crash.gather(Boundary.point(stage));
    var sink = new SinkClient(arguments.port(), observer);
    var books = new LossyDestination(arguments.site().destination(), arguments.faults(), observer);
    Flow<Order, String> flow = new OrderFlow(arguments.boot(), sink, books).flow();
    try (Hapax hapax = Hapax.open(crashingStore(), HapaxOptions.DEFAULT)) {
      hapax.register(flow);
      var clients = new ArrayList<Thread>();
      for (int i = 0; i < CLIENTS; i++) {
        clients.add(Thread.ofVirtual().name("client").start(() -> startOrders(hapax, flow)));
      }
      for (Thread client : clients) {
        client.join();
      }
    }
    say(FINISHED);
  }

  private Store crashingStore() {
    StoreProvider provider = ServiceLoader.load(StoreProvider.class).findFirst().orElseThrow();
    Store store = provider.open(arguments.site().store(), HapaxOptions.DEFAULT.ports().threads());
    return new CrashingStore(store, crash);
  }

  private void startOrders(Hapax hapax, Flow<Order, String> flow) {
    for (int number; (number = next.getAndIncrement()) < arguments.to(); ) {
      Order order = arguments.workload().order(number);
      try {
        start(hapax, flow, order);
      } catch (RuntimeException e) {
        say(PROBLEM + order.id() + " " + e);
      }
    }
  }

  private void start(Hapax hapax, Flow<Order, String> flow, Order order) {
    RunHandle<String> run = hapax.start(flow, order);
    crash.gather(Boundary.ACKNOWLEDGE);
    say(ACCEPTED + order.id() + " " + run.id());
    try {
      run.await(arguments.patience());
    } catch (RunInReview | RunFailed e) {
      // What it has come to is for the oracle to judge.
    } catch (RunUnfinished e) {
      if (!arguments.isEndless()) {
        throw e;
      }
    }
  }

  private static synchronized void say(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
