package dev.hapax.testkit.fault;

import dev.hapax.testkit.fault.SinkFaults.Fault;
import dev.hapax.testkit.fault.SinkFaults.First;
import dev.hapax.testkit.fault.SinkRequest.Mode;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The outside world of a crash test, and its witness: a destination in a separate process that
 * knows what happened, no matter how the sender ends. It answers, loses, breaks, refuses and delays
 * by {@link SinkFaults}, and logs every arrival before it answers. A thread per connection, one
 * request at a time inside.
 */
public final class Sink {
  /** The beginning of the line that names the port. */
  public static final String PORT = "port ";

  private static final Duration DELAY = Duration.ofMillis(30);

  private final SinkFaults faults;
  private final SinkLog log;
  // Guarded by this.
  private final Map<String, Integer> requestsByKey = new HashMap<>();
  private final Map<String, String> firstReceipts = new HashMap<>();
  private long arrivals;

  private Sink(SinkFaults faults, SinkLog log) {
    this.faults = faults;
    this.log = log;
  }

  /**
   * Takes two arguments: the log's path and the faults' word. Prints the port that it listens on,
   * and stays until it is killed.
   */
  public static void main(String[] arguments) throws IOException {
    ChildProcess.endWithParent();
    var sink = new Sink(SinkFaults.of(arguments[1]), new SinkLog(Path.of(arguments[0])));
    try (var server = new ServerSocket(0, 1024, InetAddress.getLoopbackAddress())) {
      System.out.println(PORT + server.getLocalPort());
      while (true) {
        Socket socket = server.accept();
        Thread.ofVirtual().name("sink").start(() -> sink.serve(socket));
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      SinkRequest request = SinkRequest.read(socket.getInputStream());
      Answer answer = take(request);
      if (answer.fault == Fault.DELAYED) {
        Thread.sleep(DELAY);
      }
      if (answer.fault != Fault.LOST) {
        new DataOutputStream(socket.getOutputStream()).writeUTF(answer.text());
      }
    } catch (EOFException | SocketException e) {
      // The sender died in the middle of its request or before our answer. A request that arrived
      // in full is in the log.
    } catch (IOException e) {
      // Without its log the sink is no witness, and a test must not mistake its silence for
      // success.
      e.printStackTrace();
      Runtime.getRuntime().halt(1);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * The answer to the sender: an error, or the receipt of what was applied or found; null if
   * nothing was found.
   */
  private record Answer(Fault fault, @Nullable String receipt) {
    String text() {
      return switch (fault) {
        case BROKEN -> SinkClient.BROKEN;
        case REFUSED -> SinkClient.REFUSED;
        default -> receipt == null ? SinkClient.ABSENT : receipt;
      };
    }
  }

  private synchronized Answer take(SinkRequest request) throws IOException {
    String what = request.mode() + " " + request.key();
    int ordinal = requestsByKey.merge(what, 1, Integer::sum);
    if (request.mode() == Mode.FIND) {
      Fault fault = faults.first(First.BY_CHANCE).of(request.mode().name(), request.key(), ordinal);
      return new Answer(fault, firstReceipts.get(Mode.LOOKUP + " " + request.key()));
    }
    Fault fault = faults.of(request.mode().name(), request.key(), ordinal);
    String once = request.mode() == Mode.KEYED ? Mode.KEYED + " " + request.wireKey() : what;
    boolean repeat = request.mode() == Mode.KEYED && firstReceipts.containsKey(once);
    boolean applied = fault != Fault.REFUSED && !repeat;
    var arrival =
        new Arrival(
            ++arrivals,
            Instant.now(),
            request.mode(),
            request.key(),
            request.wireKey(),
            hash(request.payload()),
            applied,
            fault);
    log.append(arrival);
    if (applied) {
      firstReceipts.putIfAbsent(once, arrival.receipt());
    }
    return new Answer(fault, repeat ? firstReceipts.get(once) : arrival.receipt());
  }

  /** Returns a payload's hash as it is in the log. */
  public static String hash(String payload) {
    try {
      byte[] bytes = payload.getBytes(StandardCharsets.UTF_8);
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
