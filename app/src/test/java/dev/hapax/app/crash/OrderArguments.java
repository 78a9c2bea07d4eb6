package dev.hapax.app.crash;

import dev.hapax.testkit.fault.SinkFaults;
import java.nio.file.Path;
import java.util.List;

/**
 * The arguments of an {@link OrderProcess}.
 *
 * @param port of the sink
 * @param faults of the destination database, which has no process of its own to have them
 * @param boot counts the processes of one test
 * @param from the first order to start
 * @param to the first order not to start
 */
public record OrderArguments(
    SiteFiles site,
    int port,
    SinkFaults faults,
    int boot,
    Order.Workload workload,
    int from,
    int to) {
  /** For a process that goes on until it is killed. */
  public static final int ENDLESS = Integer.MAX_VALUE;

  boolean isEndless() {
    return to == ENDLESS;
  }

  List<String> words() {
    return List.of(
        site.directory().toString(),
        site.disk().toString(),
        Integer.toString(port),
        faults.word(),
        Integer.toString(boot),
        workload.name(),
        Integer.toString(from),
        Integer.toString(to));
  }

  static OrderArguments of(String[] words) {
    return new OrderArguments(
        new SiteFiles(Path.of(words[0]), Path.of(words[1])),
        Integer.parseInt(words[2]),
        SinkFaults.of(words[3]),
        Integer.parseInt(words[4]),
        Order.Workload.valueOf(words[5]),
        Integer.parseInt(words[6]),
        Integer.parseInt(words[7]));
  }
}
