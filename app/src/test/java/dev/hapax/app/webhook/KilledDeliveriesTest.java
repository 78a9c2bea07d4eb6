package dev.hapax.app.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunStatus;
import dev.hapax.json.Json;
import dev.hapax.testkit.fault.ChildProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * 10,000 deliveries of 100 events, shuffled, on 64 connections, to a server that is killed twice: a
 * sender that hears nothing or an error sends again, as providers do.
 */
@Tag("crash")
class KilledDeliveriesTest {
  private static final int EVENTS = 100;
  private static final int TIMES = 100;
  private static final int CONNECTIONS = 64;
  private static final Duration LONGEST = Duration.ofSeconds(60);

  @TempDir Path folder;

  private final Queue<Integer> toDeliver = new ConcurrentLinkedQueue<>();
  private final Map<Integer, Set<String>> runsOf = new ConcurrentHashMap<>();
  private final Map<String, AtomicInteger> outcomes = new ConcurrentHashMap<>();
  private final AtomicInteger answered = new AtomicInteger();
  private volatile URI address = URI.create("http://nobody.invalid");

  @Test
  @Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void every_event_has_one_run_and_every_delivery_is_answered_with_it() throws Exception {
    shuffle();
    ChildProcess server = start();
    try (var client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        var senders = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < CONNECTIONS; i++) {
        senders.execute(() -> deliverAll(client));
      }
      for (int after : List.of(EVENTS * TIMES / 4, EVENTS * TIMES * 6 / 10)) {
        while (answered.get() < after) {
          LockSupport.parkNanos(1_000_000);
        }
        assertThat(server.kill()).isEqualTo(ChildProcess.KILLED);
        server = start();
      }
    } // waits for the senders
    server.kill();

    assertThat(answered).hasValue(EVENTS * TIMES);
    assertThat(outcomes.keySet()).isSubsetOf("accepted", "duplicate");
    assertThat(outcomes.getOrDefault("accepted", new AtomicInteger()).get())
        .isBetween(EVENTS - 2 * CONNECTIONS, EVENTS);
    try (Hapax hapax = Hapax.open(folder.resolve("hapax.db"), HapaxOptions.DEFAULT)) {
      Hapax acme = hapax.tenant("acme");
      List<Run> runs = acme.runs(acme.runs());
      assertThat(runs).hasSize(EVENTS);
      for (int event = 0; event < EVENTS; event++) {
        assertThat(runsOf.get(event)).containsExactly(acme.id("shop", "order-" + event));
      }
      assertThat(runs)
          .extracting(Run::status)
          .isSubsetOf(RunStatus.SUCCEEDED, RunStatus.RUNNING, RunStatus.QUEUED);
    }
  }

  private void shuffle() {
    List<Integer> all = new ArrayList<>();
    for (int i = 0; i < EVENTS * TIMES; i++) {
      all.add(i % EVENTS);
    }
    Collections.shuffle(all, new Random(42));
    toDeliver.addAll(all);
  }

  private ChildProcess start() throws IOException, InterruptedException {
    ChildProcess server =
        ChildProcess.start(
            folder, HookProcess.class, List.of(), List.of(folder.resolve("hapax.db").toString()));
    String line = server.awaitLine(said -> said.startsWith(HookProcess.LISTENS), LONGEST);
    address =
        URI.create(line.substring(HookProcess.LISTENS.length())).resolve("/hooks/acme/shop/orders");
    return server;
  }

  private void deliverAll(HttpClient client) {
    for (Integer event; (event = toDeliver.poll()) != null; ) {
      while (!isAnswered(client, event)) {
        LockSupport.parkNanos(20_000_000);
      }
    }
  }

  private boolean isAnswered(HttpClient client, int event) {
    String body =
        "{\"id\": \"evt-%1$d\", \"data\": {\"order\": \"order-%1$d\", \"total\": 40}}"
            .formatted(event);
    byte[] signature =
        Hmac.sha256(Hmac.bytes(HookProcess.SECRET), body.getBytes(StandardCharsets.UTF_8));
    HttpResponse<String> answer;
    try {
      answer =
          client.send(
              HttpRequest.newBuilder(address)
                  .timeout(Duration.ofSeconds(20))
                  .header("X-Shop-Signature", HexFormat.of().formatHex(signature))
                  .POST(BodyPublishers.ofString(body))
                  .build(),
              BodyHandlers.ofString());
    } catch (IOException e) {
      return false; // the server has just been killed
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    if (answer.statusCode() == 503) {
      return false;
    }
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    JsonNode json = Json.tree(answer.body());
    runsOf
        .computeIfAbsent(event, _ -> ConcurrentHashMap.newKeySet())
        .add(json.path("run").asString());
    outcomes
        .computeIfAbsent(json.path("outcome").asString(), _ -> new AtomicInteger())
        .incrementAndGet();
    answered.incrementAndGet();
    return true;
  }
}
