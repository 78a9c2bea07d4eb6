package dev.hapax.testkit.fault;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Passes messages between clients and a PostgreSQL server and knows where they begin, so that it
 * can answer in the server's place: the statement is carried out, and the client gets an error.
 * Connections must be neither encrypted nor negotiated ({@code
 * sslmode=disable&gssEncMode=disable}).
 */
public final class PostgresProxy implements AutoCloseable {
  private static final String ANSWERS = "12TDCIns";
  private static final int READY = 'Z';
  private static final int LENGTH_BYTES = 4;

  private final ServerSocket listening;
  private final int target;
  private final AtomicReference<@Nullable String> next = new AtomicReference<>();
  private final AtomicInteger given = new AtomicInteger();

  private PostgresProxy(ServerSocket listening, int target) {
    this.listening = listening;
    this.target = target;
  }

  public static PostgresProxy before(int port) throws IOException {
    var proxy = new PostgresProxy(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), port);
    Thread.ofVirtual().name("postgres-proxy").start(proxy::accept);
    return proxy;
  }

  public int port() {
    return listening.getLocalPort();
  }

  /** Answers the next statement, on any connection, with an error with this SQLSTATE. */
  public void answerWith(String state) {
    next.set(state);
  }

  /** Stops answering with errors. */
  public void disarm() {
    next.set(null);
  }

  /** Returns how many errors were given. */
  public int given() {
    return given.get();
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        Socket client = listening.accept();
        var server = new Socket(InetAddress.getLoopbackAddress(), target);
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
        Thread.ofVirtual().start(() -> passRequests(client, server));
        Thread.ofVirtual().start(() -> passAnswers(server, client));
      } catch (IOException e) {
        // Closed, or the server is away.
      }
    }
  }

  private static void passRequests(Socket client, Socket server) {
    try (client;
        server) {
      client.getInputStream().transferTo(server.getOutputStream());
    } catch (IOException e) {
      return; // one side is closed: the other is closed too
    }
  }

  private void passAnswers(Socket server, Socket client) {
    try (server;
        client) {
      var in = new DataInputStream(new BufferedInputStream(server.getInputStream()));
      var out = new DataOutputStream(client.getOutputStream());
      boolean isSkipping = false;
      for (int type; (type = in.read()) >= 0; ) {
        byte[] body = in.readNBytes(in.readInt() - LENGTH_BYTES);
        String error = ANSWERS.indexOf(type) < 0 || isSkipping ? null : next.getAndSet(null);
        if (error != null) {
          given.incrementAndGet();
          send(out, 'E', error(error));
          isSkipping = true;
        }
        if (type == READY) {
          if (isSkipping && body[0] == 'T') {
            body[0] = 'E'; // as after a real error
          }
          isSkipping = false;
        }
        if (!isSkipping) {
          send(out, type, body);
        }
      }
    } catch (IOException e) {
      return; // one side is closed: the other is closed too
    }
  }

  private static void send(DataOutputStream out, int type, byte[] body) throws IOException {
    byte[] message = new byte[1 + LENGTH_BYTES + body.length];
    var buffer = ByteBuffer.wrap(message);
    buffer.put((byte) type).putInt(body.length + LENGTH_BYTES).put(body);
    out.write(message);
    out.flush();
  }

  private static byte[] error(String state) {
    String fields = "SERROR\0VERROR\0C" + state + "\0Mmade by a test\0\0";
    return fields.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void close() throws IOException {
    listening.close();
  }
}
