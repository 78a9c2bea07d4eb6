package dev.hapax.app.mcp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

/**
 * A door before a server that adds a token to each request, for a client that cannot send one. All
 * other headers pass as they are, the Host too. It serves one request per connection.
 */
final class TokenDoor implements AutoCloseable {
  private static final String END = "\r\n";

  private final int port;
  private final String token;
  private final ServerSocket door;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<String> answersToOtherHosts = new CopyOnWriteArrayList<>();

  TokenDoor(int port, String token) throws IOException {
    this.port = port;
    this.token = token;
    this.door = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
    threads.execute(this::accept);
  }

  URI address() {
    return URI.create("http://127.0.0.1:" + door.getLocalPort());
  }

  /** Returns the first lines of the answers to requests whose Host is not this machine. */
  List<String> answersToOtherHosts() {
    return List.copyOf(answersToOtherHosts);
  }

  private void accept() {
    try {
      while (true) {
        Socket client = door.accept();
        threads.execute(() -> serve(client));
      }
    } catch (IOException e) {
      // it was closed
    }
  }

  private void serve(Socket client) {
    try (client;
        var server = new Socket(InetAddress.getLoopbackAddress(), port)) {
      var in = new BufferedInputStream(client.getInputStream());
      List<String> head = head(in);
      server.getOutputStream().write(withToken(head).getBytes(ISO_8859_1));
      server.getOutputStream().flush();
      threads.execute(() -> pass(in, server));
      var answer = new BufferedInputStream(server.getInputStream());
      List<String> answered = head(answer);
      if (!isHere(head)) {
        answersToOtherHosts.add(answered.getFirst());
      }
      client.getOutputStream().write((String.join(END, answered) + END + END).getBytes(ISO_8859_1));
      answer.transferTo(client.getOutputStream());
    } catch (IOException e) {
      // one of them has ended
    }
  }

  private static boolean isHere(List<String> head) {
    return head.stream()
        .map(line -> line.toLowerCase(Locale.ROOT))
        .filter(line -> line.startsWith("host:"))
        .map(line -> line.substring("host:".length()).strip())
        .anyMatch(host -> host.startsWith("127.0.0.1") || host.startsWith("localhost"));
  }

  private String withToken(List<String> head) {
    Stream<String> kept =
        head.stream().filter(line -> !line.toLowerCase(Locale.ROOT).startsWith("connection:"));
    Stream<String> more = Stream.of("Authorization: Bearer " + token, "Connection: close", "", "");
    return String.join(END, Stream.concat(kept, more).toList());
  }

  private static List<String> head(InputStream in) throws IOException {
    var bytes = new ByteArrayOutputStream();
    while (!bytes.toString(ISO_8859_1).endsWith(END + END)) {
      int one = in.read();
      if (one < 0) {
        throw new EOFException("it ended in its headers");
      }
      bytes.write(one);
    }
    return bytes.toString(ISO_8859_1).strip().lines().toList();
  }

  private static void pass(InputStream from, Socket to) {
    try {
      from.transferTo(to.getOutputStream());
    } catch (IOException e) {
      end(to);
    }
  }

  private static void end(Closeable socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // it is closed
    }
  }

  @Override
  public void close() {
    end(door);
    threads.shutdownNow();
  }
}
