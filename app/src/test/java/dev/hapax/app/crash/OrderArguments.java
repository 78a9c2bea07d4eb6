package dev.hapax.app.crash;

import dev.hapax.testkit.fault.SinkFaults;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What an {@link OrderProcess} is told by its parent.
 *
 * @param port of the sink
 * @param faults of the destination database, which has no process of its own to have them
 * @param boot counts the processes of one test
 * @param from the first order to start
 * @param to the first order not to start
 */
record OrderArguments(
    SiteFiles site,
    int port,
    SinkFaults faults,
    int boot,
    Order.Workload workload,
    int from,
    int to) {
  /** For a process that goes on until it is killed. */
  static final int ENDLESS = Integer.MAX_VALUE;

  boolean isEndless() {
    return to == ENDLESS;
  }

  /** A process that will be killed goes on to new orders, so that it dies with many under way. */
  Duration patience() {
    return isEndless() ? Duration.ofMillis(100) : Duration.ofSeconds(45);
  }

  List<String> words() {
    return List.of(
        site.directory().toString(),
        Integer.toString(port),
        faults.word(),
        Integer.toString(boot),
        workload.name(),
        Integer.toString(from),
        Integer.toString(to));
  }

  static OrderArguments of(String[] words) {
    return new OrderArguments(
        new SiteFiles(Path.of(words[0])),
        Integer.parseInt(words[1]),
        SinkFaults.of(words[2]),
        Integer.parseInt(words[3]),
        Order.Workload.valueOf(words[4]),
        Integer.parseInt(words[5]),
        Integer.parseInt(words[6]));
  }
}
