package dev.hapax.app.crash;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.RunFailed;
import dev.hapax.RunHandle;
import dev.hapax.RunInReview;
import dev.hapax.RunUnfinished;
import dev.hapax.flow.Flow;
import dev.hapax.flow.StoreBroken;
import dev.hapax.flow.StoreFull;
import dev.hapax.flow.StoreRefused;
import dev.hapax.store.Store;
import dev.hapax.store.StoreProvider;
import dev.hapax.testkit.fault.ChildProcess;
import dev.hapax.testkit.fault.SinkClient;
import dev.hapax.testkit.fault.SinkClient.Stage;
import dev.hapax.time.Ports;
import dev.hapax.time.Threads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * The process that dies: a program as a user would write it, which starts orders, reports each
 * accepted one to its client, and waits for their ends.
 */
public final class OrderProcess {
  /**
   * Followed by the key, the run's id and whether it is new; once this line is out, the run must
   * never be lost.
   */
  public static final String ACCEPTED = "accepted ";

  static final String NEW = "new";
  static final String KNOWN = "known";

  /** Followed by the key of an order that was refused because the disk is full. */
  public static final String FULL = "full ";

  /** Followed by the key of an order that was refused because the store is broken. */
  public static final String BROKEN = "broken ";

  /** Followed by what all numbers that this process makes have in common. */
  static final String MARK = "mark ";

  /** The address of a database, where several processes share one. */
  static final String URL = "hapax.store.url";

  static final Duration LEASE = Duration.ofSeconds(1);

  public static final String PROBLEM = "problem ";
  public static final String FINISHED = "finished";

  /** A library never ends its host, so the program does it when its store is broken. */
  public static final int EXIT_BROKEN = 74;

  private static final int CLIENTS = 8;

  /** Then a client goes on to the next order, so that many are under way. */
  private static final Duration PATIENCE = Duration.ofMillis(100);

  private static final Duration LONGEST = Duration.ofSeconds(45);
  private static final Duration PAUSE_WHEN_FULL = Duration.ofMillis(50);

  /** Standbys that are promoted here have everything. */
  private static final HapaxOptions OPTIONS =
      HapaxOptions.DEFAULT.lease(LEASE).failoversLoseNothing(true);

  private final OrderArguments arguments;
  private final CrashPoint crash;
  private final AtomicInteger next;
  private final Queue<RunHandle<String>> unfinished = new ConcurrentLinkedQueue<>();
  private volatile boolean broken;

  private OrderProcess(OrderArguments arguments, CrashPoint crash) {
    this.arguments = arguments;
    this.crash = crash;
    this.next = new AtomicInteger(arguments.from());
  }

  public static void main(String[] arguments) throws InterruptedException {
    ChildProcess.endWithParent();
    var process = new OrderProcess(OrderArguments.of(arguments), CrashPoint.fromProperty());
    try {
      process.run();
    } catch (StoreRefused | StoreBroken e) {
      say(BROKEN + "before the first order: " + e.getMessage());
      System.exit(EXIT_BROKEN);
    }
  }

  private void run() throws InterruptedException {
    Consumer<Stage> observer = stage -> crash.gather(Boundary.point(stage));
    var sink = new SinkClient(arguments.port(), observer);
    var books = new LossyDestination(arguments.site().destination(), arguments.faults(), observer);
    Flow<Order, String> flow = new OrderFlow(arguments.boot(), sink, books).flow();
    Store store = crashingStore();
    say(MARK + store.mark());
    try (Hapax hapax = Hapax.open(store, OPTIONS)) {
      hapax.register(flow);
      var clients = new ArrayList<Thread>();
      for (int i = 0; i < CLIENTS; i++) {
        clients.add(Thread.ofVirtual().name("client").start(() -> startOrders(hapax, flow)));
      }
      for (Thread client : clients) {
        client.join();
      }
      awaitUnfinished();
      if (broken) {
        mustNotStart(hapax, flow);
      }
    }
    if (broken) {
      System.exit(EXIT_BROKEN);
    }
    say(FINISHED);
  }

  private Store crashingStore() {
    Threads threads = Ports.system().threads();
    String url = System.getProperty(URL);
    Store store =
        StoreProvider.open(
            provider ->
                url == null
                    ? provider.open(arguments.site().store(), threads)
                    : provider.open(url, threads));
    return new CrashingStore(store, crash);
  }

  private void startOrders(Hapax hapax, Flow<Order, String> flow) {
    for (int number; (number = next.getAndIncrement()) < arguments.to(); ) {
      Order order = arguments.workload().order(number);
      try {
        RunHandle<String> run = startWhenThereIsSpace(hapax, flow, order);
        if (!hasSettled(run, PATIENCE) && !arguments.isEndless()) {
          unfinished.add(run);
        }
      } catch (StoreBroken e) {
        broken = true;
        say(BROKEN + order.id());
        return;
      } catch (RuntimeException e) {
        say(PROBLEM + order.id() + " " + e);
      }
    }
  }

  private RunHandle<String> startWhenThereIsSpace(
      Hapax hapax, Flow<Order, String> flow, Order order) {
    while (true) {
      try {
        return start(hapax, flow, order);
      } catch (StoreFull e) {
        say(FULL + order.id());
        LockSupport.parkNanos(PAUSE_WHEN_FULL.toNanos());
      }
    }
  }

  private RunHandle<String> start(Hapax hapax, Flow<Order, String> flow, Order order) {
    RunHandle<String> run = hapax.start(flow, order);
    crash.gather(Boundary.ACKNOWLEDGE);
    say(ACCEPTED + order.id() + " " + run.id() + " " + (run.isDuplicate() ? KNOWN : NEW));
    return run;
  }

  private void awaitUnfinished() {
    for (RunHandle<String> run; (run = unfinished.poll()) != null; ) {
      try {
        if (!hasSettled(run, LONGEST)) {
          say(PROBLEM + run.id() + " has not ended: " + run.run() + " " + run.history().getLast());
        }
      } catch (StoreBroken e) {
        broken = true;
        return;
      }
    }
  }

  private static boolean hasSettled(RunHandle<String> run, Duration atMost) {
    try {
      run.await(atMost);
      return true;
    } catch (RunInReview | RunFailed e) {
      return true; // what it has come to is for the oracle to judge
    } catch (RunUnfinished e) {
      return false;
    }
  }

  /** Once broken, always broken, also if the disk has only failed once. */
  private void mustNotStart(Hapax hapax, Flow<Order, String> flow) {
    Order order = arguments.workload().order(next.getAndIncrement());
    try {
      start(hapax, flow, order);
      say(PROBLEM + order.id() + " was accepted by a store that had broken");
    } catch (StoreBroken e) {
      say(BROKEN + order.id());
    }
  }

  private static synchronized void say(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
