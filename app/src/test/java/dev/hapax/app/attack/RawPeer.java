package dev.hapax.app.attack;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** A client that sends bytes as they are, and reads the answers. It connects again if it must. */
final class RawPeer implements AutoCloseable {
  private static final int PATIENCE_MILLIS = 20_000;

  private final URI server;
  private Socket socket;
  private InputStream in;

  RawPeer(URI server) throws IOException {
    this.server = server;
    connect();
  }

  /** An answer; status 0 if the server has disconnected instead. */
  record Answer(int status, Map<String, String> headers, String body) {}

  private void connect() throws IOException {
    socket = open(server);
    in = new BufferedInputStream(socket.getInputStream());
  }

  static Socket open(URI server) throws IOException {
    var socket = new Socket(InetAddress.getLoopbackAddress(), server.getPort());
    socket.setSoTimeout(PATIENCE_MILLIS);
    return socket;
  }

  /**
   * Sends a request without a body, on a connection that stays.
   *
   * @param headers each with its line break
   */
  Answer ask(String method, String target, String headers) throws IOException {
    return send(method + " " + target + " HTTP/1.1\r\n" + headers + "\r\n", method.equals("HEAD"));
  }

  Answer send(String text, boolean isHead) throws IOException {
    try {
      socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
      Answer answer = read(isHead);
      if ("close".equalsIgnoreCase(answer.headers().get("connection"))) {
        reconnect();
      }
      return answer;
    } catch (IOException e) {
      reconnect();
      return new Answer(0, Map.of(), "");
    }
  }

  private void reconnect() throws IOException {
    socket.close();
    connect();
  }

  private Answer read(boolean isHead) throws IOException {
    String first = line();
    Map<String, String> headers = new TreeMap<>();
    for (String line = line(); !line.isEmpty(); line = line()) {
      int colon = line.indexOf(':');
      headers.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
    }
    int status = Integer.parseInt(first.substring(9, 12));
    String length = headers.get("content-length");
    boolean hasBody = !isHead && status != 204 && status != 304 && length != null;
    byte[] body = hasBody ? in.readNBytes(Integer.parseInt(length)) : new byte[0];
    return new Answer(status, headers, new String(body, StandardCharsets.UTF_8));
  }

  private String line() throws IOException {
    var line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new EOFException();
      }
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
