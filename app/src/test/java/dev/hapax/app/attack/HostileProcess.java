package dev.hapax.app.attack;

import dev.hapax.app.ServerCalls;
import dev.hapax.testkit.fault.ChildProcess;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * {@link HostileTraffic} in a process of its own: attackers share no memory, no compiler and no
 * HTTP client with the honest callers whose time is measured.
 */
final class HostileProcess implements AutoCloseable {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final String BEGIN = "begin";
  private static final String ATTEMPTS = "attempts ";

  private final ChildProcess process;

  /** Starts it; the attacks do not begin yet. */
  HostileProcess(Path folder, ServerCalls server) throws Exception {
    this.process =
        ChildProcess.start(
            folder,
            HostileProcess.class,
            List.of("-XX:TieredStopAtLevel=4", "-Xmx512m"),
            List.of(server.address().toString(), server.token()));
    process.awaitLine("ready"::equals, LONG);
  }

  /** The process; it lives until it is killed, or its parent ends. */
  public static void main(String[] arguments) throws Exception {
    var server = new ServerCalls(URI.create(arguments[0]), arguments[1]);
    var traffic = new HostileTraffic(server);
    System.out.println("ready");
    ChildProcess.endWithParent(told -> obey(traffic, told));
    new CountDownLatch(1).await();
  }

  private static void obey(HostileTraffic traffic, String told) {
    if (told.equals(BEGIN)) {
      traffic.begin();
    } else {
      traffic.close();
      System.out.println(ATTEMPTS + traffic.attempts());
    }
  }

  void begin() {
    process.say(BEGIN);
  }

  /** Ends the attacks, and returns how many were made. */
  int end() throws InterruptedException {
    process.say("end");
    String answer = process.awaitLine(line -> line.startsWith(ATTEMPTS), LONG);
    return Integer.parseInt(answer.substring(ATTEMPTS.length()));
  }

  long pid() {
    return process.pid();
  }

  @Override
  public void close() {
    process.close();
  }
}
