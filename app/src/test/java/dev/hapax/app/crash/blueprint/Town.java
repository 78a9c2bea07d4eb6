package dev.hapax.app.crash.blueprint;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.hapax.app.crash.blueprint.Visit.Answer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The outside systems, which live as long as the test. By a seed, one answer of five is lost after
 * the work was done; some come late, and some requests are refused with nothing done.
 */
final class Town implements AutoCloseable {
  private static final int LOST = 20;
  private static final int LATE = 24;
  private static final int REFUSED = 27;
  private static final int LATEST_MILLIS = 1_500;

  /** What is done with a request; null if it belongs to another. */
  interface Place {
    @Nullable Answer visit(Visit visit) throws InterruptedException;
  }

  private final HttpServer server;
  private final List<? extends Place> places;
  private final SplittableRandom random;
  final AtomicInteger visits = new AtomicInteger();
  final AtomicInteger lost = new AtomicInteger();

  Town(List<? extends Place> places, long seed) throws IOException {
    this.places = places;
    this.random = new SplittableRandom(seed);
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::answer);
    server.start();
  }

  String base() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  private synchronized int next(int bound) {
    return random.nextInt(bound);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      Visit visit = read(exchange);
      visits.incrementAndGet();
      int fault = next(100);
      if (fault >= LATE && fault < REFUSED) {
        say(exchange, new Answer(503, "{}"));
        return;
      }
      Answer answer = answerOf(visit);
      if (fault < LOST) {
        lost.incrementAndGet();
        return; // closing the connection is all that the caller sees
      }
      if (fault < LATE) {
        Thread.sleep(next(LATEST_MILLIS)); // some of them beyond the caller's timeout
      }
      say(exchange, answer);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Visit read(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    int end = path.indexOf('/', 1);
    return new Visit(
        path.substring(1, end),
        exchange.getRequestMethod(),
        path.substring(end),
        Objects.requireNonNullElse(exchange.getRequestURI().getQuery(), ""),
        Objects.requireNonNullElse(exchange.getRequestHeaders().getFirst("Idempotency-Key"), ""),
        new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
  }

  private Answer answerOf(Visit visit) throws InterruptedException {
    for (Place place : places) {
      Answer answer = place.visit(visit);
      if (answer != null) {
        return answer;
      }
    }
    throw new IllegalStateException("nobody knows " + visit);
  }

  private static void say(HttpExchange exchange, Answer answer) throws IOException {
    byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(answer.status(), body.length);
    exchange.getResponseBody().write(body);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
