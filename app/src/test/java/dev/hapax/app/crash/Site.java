package dev.hapax.app.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.testkit.fault.ChildProcess;
import dev.hapax.testkit.fault.SinkFaults;
import dev.hapax.testkit.fault.SinkProcess;
import dev.hapax.testkit.fault.Strace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A store, a destination database and a sink that live as long as a test, while one process after
 * another dies between them. Keeps the client's log: every acknowledgement that a process gave
 * before it died. For one thread.
 */
public final class Site implements AutoCloseable {
  private static final Duration LONGEST = Duration.ofSeconds(60);

  private final SiteFiles files;
  private final SinkFaults faults;
  private final SinkProcess sink;
  private final @Nullable String url;
  private final Set<String> acknowledgedAsNew = new TreeSet<>();
  private final Map<String, Set<String>> acknowledged = new TreeMap<>();
  private final Set<String> madeAgain = new TreeSet<>();
  private int boots;

  private Site(SiteFiles files, SinkFaults faults, SinkProcess sink, @Nullable String url) {
    this.files = files;
    this.faults = faults;
    this.sink = sink;
    this.url = url;
  }

  static Site open(Path directory, SinkFaults faults)
      throws IOException, SQLException, InterruptedException {
    return open(directory, directory, faults);
  }

  /** With the store on a disk of its own, whose faults do not reach the witnesses. */
  public static Site open(Path directory, Path disk, SinkFaults faults)
      throws IOException, SQLException, InterruptedException {
    return open(new SiteFiles(directory, disk), faults, null);
  }

  /** With a store in this database, which several processes use at the same time. */
  static Site shared(Path directory, String url, SinkFaults faults)
      throws IOException, SQLException, InterruptedException {
    return open(new SiteFiles(directory, directory), faults, url);
  }

  private static Site open(SiteFiles files, SinkFaults faults, @Nullable String url)
      throws IOException, SQLException, InterruptedException {
    rehearse(files.directory());
    files.books().create();
    SinkProcess sink = SinkProcess.start(files.directory(), files.sinkLog(), faults);
    return new Site(files, faults, sink, url);
  }

  /** A build starts hundreds of these processes. */
  private static void rehearse(Path directory)
      throws IOException, SQLException, InterruptedException {
    if (ChildProcess.isRehearsed(OrderProcess.class)) {
      return;
    }
    Path folder = Files.createTempDirectory(directory, "rehearsal");
    var files = new SiteFiles(folder, folder);
    files.books().create();
    SinkFaults none = SinkFaults.none();
    try (SinkProcess sink = SinkProcess.start(folder, files.sinkLog(), none)) {
      var orders = new OrderArguments(files, sink.port(), none, 1, Order.Workload.MIXED, 0, 20);
      ChildProcess.rehearse(folder, OrderProcess.class, orders.words(), _ -> {});
    }
  }

  /**
   * A process that starts these orders. Only one may live at a time, since one process owns a
   * store, unless that is shared.
   */
  public ChildProcess start(Order.Workload workload, int from, int to, String... options)
      throws IOException {
    return ChildProcess.start(files.directory(), command(workload, from, to, options));
  }

  /** As above, with a disk that fails as strace makes it. */
  public ChildProcess startUnder(Strace strace, Order.Workload workload, int from, int to)
      throws IOException {
    return ChildProcess.start(files.directory(), strace.around(command(workload, from, to)));
  }

  private List<String> command(Order.Workload workload, int from, int to, String... options) {
    var arguments = new OrderArguments(files, sink.port(), faults, ++boots, workload, from, to);
    var all = new ArrayList<>(List.of(options));
    if (url != null) {
      all.addAll(List.of("-D" + OrderProcess.URL + "=" + url, "-Xmx128m"));
    }
    return ChildProcess.command(files.directory(), OrderProcess.class, all, arguments.words());
  }

  /**
   * Starts these orders again, as a user does who does not know what became of them, and waits
   * until all have settled.
   */
  public void settle(Order.Workload workload, int to) throws IOException, InterruptedException {
    settle(workload, 0, to);
  }

  /** As above for some orders; what else was accepted goes on by itself. */
  public void settle(Order.Workload workload, int from, int to)
      throws IOException, InterruptedException {
    try (ChildProcess child = start(workload, from, to)) {
      int exit = child.awaitExit(LONGEST);
      hear(child);
      assertThat(exit).as("exit code of %s", child).isZero();
      assertThat(child.lines()).as("%s", child).contains(OrderProcess.FINISHED);
      assertThat(child.firstLine(line -> line.startsWith(OrderProcess.PROBLEM)))
          .as("%s", child)
          .isEmpty();
    }
  }

  /** Writes into the client's log what this process has acknowledged. */
  public void hear(ChildProcess child) {
    for (String line : child.lines()) {
      if (line.startsWith(OrderProcess.ACCEPTED)) {
        List<String> word = List.of(line.split(" ", -1));
        String key = word.get(1);
        // Of processes that live together a later one may be heard before.
        boolean isNew = word.get(3).equals(OrderProcess.NEW);
        boolean wasThere =
            url == null ? acknowledged.containsKey(key) : acknowledgedAsNew.contains(key);
        if (isNew && wasThere) {
          madeAgain.add(key);
        }
        if (isNew) {
          acknowledgedAsNew.add(key);
        }
        acknowledged.computeIfAbsent(key, _ -> new TreeSet<>()).add(word.get(2));
      }
    }
  }

  public int acknowledgedOrders() {
    return acknowledged.size();
  }

  public Path store() {
    return files.store();
  }

  /** What all who saw something have to say; no process may be alive. */
  public Witnesses witnesses() throws IOException, SQLException {
    return Witnesses.of(files, url, acknowledged, madeAgain);
  }

  @Override
  public void close() {
    sink.close();
  }
}
