package dev.hapax.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The destination of HTTP steps, in its own process; it answers every request at once. */
final class ShopProcess implements AutoCloseable {
  private static final String ANSWER = "{\"id\":\"x-1\",\"status\":\"succeeded\"}";

  private final Child process;
  private final URI address;

  private ShopProcess(Child process, URI address) {
    this.process = process;
    this.address = address;
  }

  static ShopProcess start() throws IOException {
    Child process = Child.start("the shop", List.of(ShopProcess.class.getName()));
    return new ShopProcess(process, URI.create("http://127.0.0.1:" + process.line()));
  }

  URI address() {
    return address;
  }

  /** Returns how many requests it has answered so far. */
  long requests() throws IOException {
    process.tell("requests");
    return Long.parseLong(process.line());
  }

  @Override
  public void close() {
    process.close();
  }

  /** Runs the process: prints its port, and the number of requests for each line that it reads. */
  public static void main(String[] args) throws IOException {
    try (var server = new PlainHttpServer(ANSWER);
        var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      System.out.println(server.port());
      while (lines.readLine() != null) {
        System.out.println(server.requests());
      }
    }
  }
}
