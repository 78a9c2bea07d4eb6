package dev.hapax.testkit.fault;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Sends to the {@link Sink}, once per call, over a plain socket: a library's client could send
 * again by itself, and could not be stopped in the middle of a request. A {@code ConnectException}
 * means that nothing was sent. Safe for many threads.
 */
public final class SinkClient {
  static final String BROKEN = "!broken";
  static final String REFUSED = "!refused";
  static final String ABSENT = "!absent";

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final int port;
  private final Consumer<Stage> observer;

  /** How far a request has come; a test can end the process there. */
  public enum Stage {
    BEFORE,
    HALF_WRITTEN,
    WRITTEN,
    ANSWERED
  }

  /**
   * @param observer gets the stages of every request that changes something, on the sending thread
   */
  public SinkClient(int port, Consumer<Stage> observer) {
    this.port = port;
    this.observer = observer;
  }

  /** The destination refused, and nothing was applied. */
  public static final class Refused extends IOException {
    private static final long serialVersionUID = 1L;

    Refused() {
      super("refused before anything was applied");
    }
  }

  /** Sends a request that changes something, and returns its receipt. */
  public String send(SinkRequest request) throws IOException {
    String answer = ask(request, observer);
    if (answer.equals(REFUSED)) {
      throw new Refused();
    }
    return checked(answer);
  }

  /** Reads the receipt that a {@code LOOKUP} request has left under this business key. */
  public Optional<String> find(String key) throws IOException {
    String answer = ask(new SinkRequest(SinkRequest.Mode.FIND, key, "", ""), _ -> {});
    return answer.equals(ABSENT) ? Optional.empty() : Optional.of(checked(answer));
  }

  private static String checked(String answer) throws IOException {
    if (answer.startsWith("!")) {
      throw new IOException("the destination answered with " + answer.substring(1));
    }
    return answer;
  }

  private String ask(SinkRequest request, Consumer<Stage> told) throws IOException {
    byte[] bytes = request.bytes();
    told.accept(Stage.BEFORE);
    try (var socket = new Socket()) {
      socket.setTcpNoDelay(true);
      socket.connect(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), port), (int) PATIENCE.toMillis());
      socket.setSoTimeout((int) PATIENCE.toMillis());
      OutputStream output = socket.getOutputStream();
      output.write(bytes, 0, bytes.length / 2);
      output.flush();
      told.accept(Stage.HALF_WRITTEN);
      output.write(bytes, bytes.length / 2, bytes.length - bytes.length / 2);
      output.flush();
      told.accept(Stage.WRITTEN);
      String answer = new DataInputStream(socket.getInputStream()).readUTF();
      told.accept(Stage.ANSWERED);
      return answer;
    }
  }
}
