package dev.hapax.app;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.hapax.json.Json;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Destinations that repeat the secret that they were given, in every form, wherever they can. */
final class Destinations implements AutoCloseable {
  private static final int LARGE_BYTES = 400_000;

  private final HttpServer http;
  private final ServerSocket database;
  private final Map<String, List<String>> formsOf;

  /**
   * Starts them.
   *
   * @param formsOf the forms of a secret, by the first part of the path under which it is used
   */
  Destinations(Map<String, List<String>> formsOf) throws IOException {
    this.formsOf = formsOf;
    InetAddress here = InetAddress.getLoopbackAddress();
    this.http = HttpServer.create(new InetSocketAddress(here, 0), 0);
    http.createContext("/", this::answer);
    http.start();
    this.database = new ServerSocket(0, 10, here);
    Thread.ofVirtual().start(this::refuseAll);
  }

  String http(String name) {
    return "http://127.0.0.1:%d/%s".formatted(http.getAddress().getPort(), name);
  }

  int database() {
    return database.getLocalPort();
  }

  /** {@code /NAME/HOW}: how is a status, or one of json, text, large and broken. */
  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      exchange.getRequestBody().readAllBytes();
      String[] path = exchange.getRequestURI().getPath().split("/", -1);
      String how = path.length < 3 ? "400" : path[2];
      String echo = String.join(" ", formsOf.getOrDefault(path[1], List.of())) + " ";
      exchange.getResponseHeaders().set("X-Echo", echo.replaceAll("[^ -~]", "?"));
      switch (how) {
        case "json" -> send(exchange, 200, "application/json", Json.write(Map.of("echo", echo)));
        case "text" -> send(exchange, 200, "text/plain; charset=utf-8", echo);
        case "large" ->
            send(
                exchange,
                200,
                "application/json",
                Json.write(Map.of("echo", echo.repeat(LARGE_BYTES / echo.length()))));
        case "broken" -> exchange.getResponseHeaders().set("X-Nothing", "follows");
        default -> {
          exchange.getResponseHeaders().set("Location", "/" + echo.replaceAll("[^!-~]", ""));
          send(exchange, Integer.parseInt(how), "text/plain; charset=utf-8", echo);
        }
      }
    }
  }

  private static void send(HttpExchange exchange, int status, String type, String text)
      throws IOException {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
  }

  private void refuseAll() {
    while (!database.isClosed()) {
      try (Socket client = database.accept()) {
        refuse(client);
      } catch (IOException e) {
        // it has gone, or the test is over
      }
    }
  }

  /** As PostgreSQL: asks for the password in the clear, and repeats it in its refusal. */
  private static void refuse(Socket client) throws IOException {
    var in = new DataInputStream(client.getInputStream());
    var out = new DataOutputStream(client.getOutputStream());
    in.readNBytes(in.readInt() - Integer.BYTES); // who wants what
    out.writeByte('R');
    out.writeInt(2 * Integer.BYTES);
    out.writeInt(3);
    in.readUnsignedByte();
    String password =
        new String(in.readNBytes(in.readInt() - Integer.BYTES - 1), StandardCharsets.UTF_8);
    byte[] words =
        "SFATAL\0C28P01\0Mno entry with %s\0\0"
            .formatted(password)
            .getBytes(StandardCharsets.UTF_8);
    out.writeByte('E');
    out.writeInt(Integer.BYTES + words.length);
    out.write(words);
    in.readAllBytes();
  }

  @Override
  public void close() throws IOException {
    http.stop(0);
    database.close();
  }
}
