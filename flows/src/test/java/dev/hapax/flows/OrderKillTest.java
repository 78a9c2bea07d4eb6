package dev.hapax.flows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.testkit.fault.ChildProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The file of the design's page against real servers, while its process is killed at any instant
 * and the answers of accounting are lost, delayed and doubled on their way.
 */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OrderKillTest {
  private static final Path FILE =
      Path.of(System.getProperty("basedir", "."))
          .resolve("../examples/flows/order-to-invoice.yaml");
  private static final int ORDERS = 12;
  private static final int KILLS = Integer.getInteger("hapax.kills", 6);
  private static final Pattern ORDER = Pattern.compile("order=(A-\\d+)|\"order\":\"(A-\\d+)\"");

  private final Map<String, List<String>> invoices = new ConcurrentHashMap<>();

  /** Makes an invoice of every request that arrives: duplicates are for the others to prevent. */
  private TestServer.Answer accounting(TestServer.Request request) {
    if (request.method().equals("PUT")) {
      return TestServer.Answer.json(200, "{}");
    }
    List<String> ofOrder =
        invoices.computeIfAbsent(
            orderIn(request.target() + request.body()), _ -> new ArrayList<>());
    synchronized (ofOrder) {
      if (request.method().equals("POST")) {
        ofOrder.add("i-" + orderIn(request.body()) + "-" + ofOrder.size());
        return TestServer.Answer.json(201, "{\"id\":\"%s\"}".formatted(ofOrder.getLast()));
      }
      return TestServer.Answer.json(
          200, ofOrder.isEmpty() ? "[]" : "[{\"id\":\"%s\"}]".formatted(ofOrder.getFirst()));
    }
  }

  private static String orderIn(String text) {
    Matcher order = ORDER.matcher(text);
    assertThat(order.find()).as(text).isTrue();
    return order.group(1) != null ? order.group(1) : order.group(2);
  }

  /** What a person sees who looks at the sinks: the id of what has happened, or nothing. */
  private TestServer.Answer desk(TestServer.Request request, TestMailServer mail)
      throws InterruptedException {
    Thread.sleep(300); // what was under way when its sender died has arrived by then
    String wireKey = request.target().substring(1, request.target().indexOf('?'));
    if (request.target().contains("/mail")) {
      return new TestServer.Answer(
          200, Map.of(), count(mail, wireKey) == 0 ? "" : "<" + wireKey + "@hapax>");
    }
    if (request.target().contains("invoice.create")) {
      String order = request.target().substring(request.target().indexOf("key=") + 4);
      List<String> ofOrder = invoices.getOrDefault(order, List.of());
      return new TestServer.Answer(200, Map.of(), ofOrder.isEmpty() ? "" : ofOrder.getFirst());
    }
    return new TestServer.Answer(200, Map.of(), ""); // the customer's data may be put again
  }

  private static long count(TestMailServer mail, String wireKey) {
    synchronized (mail.mails) {
      return mail.mails.stream().filter(one -> one.contains(wireKey)).count();
    }
  }

  private static String flow() throws IOException {
    return Files.readString(FILE)
        .replace("settle: 10s", "settle: 300ms")
        .replace(
            "    retry: {attempts: 6, delay: 1s",
            "    timeout: 2s\n    retry: {attempts: 50, delay: 100ms");
  }

  @Test
  void an_order_has_one_invoice_and_one_mail(@TempDir Path folder) throws Exception {
    long seed = Long.getLong("hapax.seed", System.nanoTime());
    var random = new Random(seed);
    Files.writeString(folder.resolve("flow.yaml"), flow());
    try (var mail = new TestMailServer("-", "");
        var accounting = new TestServer(this::accounting);
        var desk = new TestServer(request -> desk(request, mail));
        var proxy = new TroubledProxy(accounting.port(), seed)) {
      List<String> arguments =
          List.of(
              folder.toString(),
              "" + proxy.port(),
              "" + mail.connection().port(),
              "" + desk.port(),
              "" + ORDERS);

      for (int kill = 0; kill < KILLS; kill++) {
        try (var process = ChildProcess.start(folder, OrderProcess.class, List.of(), arguments)) {
          process.awaitLine(line -> line.equals("ready"), Duration.ofMinutes(1));
          Thread.sleep(random.nextInt(700));
        } // ended by SIGKILL
      }
      try (var process = ChildProcess.start(folder, OrderProcess.class, List.of(), arguments)) {
        process.awaitLine(line -> line.equals("done"), Duration.ofMinutes(2));
      }

      assertThat(invoices.keySet())
          .as("seed %d", seed)
          .containsExactlyInAnyOrderElementsOf(
              IntStream.range(0, ORDERS).mapToObj(i -> "A-" + i).toList());
      assertThat(invoices.values()).as("seed %d", seed).allMatch(all -> all.size() == 1);
      assertThat(mail.mails).as("seed %d", seed).hasSize(ORDERS);
      assertThat(proxy.lost.get() + proxy.delayed.get() + proxy.doubled.get()).isPositive();
    }
  }
}
