package dev.hapax.app.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.hapax.app.TestServer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** The contract for queues of RabbitMQ. */
class RabbitQueueTest extends QueueContract {
  private static final int AMQP_HEADER = 8;

  private static @Nullable RabbitServer shared;

  /** One server for all tests of the class, each with a queue of its own. */
  private static RabbitServer shared() throws Exception {
    assumeThat(RabbitServer.obstacle()).as("RabbitMQ for tests").isNull();
    RabbitServer running = shared;
    if (running == null) {
      running = RabbitServer.start();
      shared = running;
    }
    return running;
  }

  @AfterAll
  static void stopServer() throws Exception {
    RabbitServer running = shared;
    shared = null;
    if (running != null) {
      running.close();
    }
  }

  @Override
  TestBroker open() throws Exception {
    return new RabbitTestBroker(shared(), true, Map.of());
  }

  private RabbitTestBroker rabbit() {
    return (RabbitTestBroker) broker;
  }

  /** RabbitMQ cannot go back; so they come again because acknowledgements are lost in a crash. */
  @Override
  @Test
  void messages_that_come_again_start_nothing() throws Exception {
    try (var proxy = new AckLossProxy(shared().port())) {
      connect(rabbit().connection(proxy.port()));
      goLive(orders());
      awaitThat("a consumer", () -> rabbit().consumers() == 1);
      proxy.loses(true);
      sendAll(0, 20);
      awaitThat("the runs", () -> runs().size() == 20);

      server.close();
      proxy.loses(false);
      server = new TestServer(folder);

      awaitThat(
          "all come again",
          () -> server.get("/api/queues/intake").body().path("duplicates").asLong() == 20);
      awaitThat("all are acknowledged", broker::isDrained);
      assertThat(started()).isEqualTo(orders(20));
      assertThat(events("conflicting")).isEmpty();
    }
  }

  @Test
  void a_message_without_an_id_is_invalid_and_kept() throws Exception {
    goLive(orders());
    rabbit().send("{\"order\": \"o-7\"}".getBytes(StandardCharsets.UTF_8), null);
    broker.flush();
    sendAll(0, 2);

    awaitRuns(2);
    awaitThat("it is shown", () -> events("invalid").size() == 1);

    assertThat(started()).isEqualTo(orders(2));
    assertThat(events("invalid").getFirst().path("detail").asString())
        .contains("the message has no id of its own");
  }

  @Test
  void a_message_without_an_id_starts_its_run_if_the_trigger_gives_it_one() throws Exception {
    goLive(flow("key: ${input.order}", ", event: \"${event.body.order}\"", "event.body.order"));

    for (int i = 0; i < 2; i++) {
      rabbit().send("{\"order\": \"o-0\"}".getBytes(StandardCharsets.UTF_8), null);
    }
    broker.flush();

    awaitThat("both come", () -> server.get("/api/queues/intake").at("/received").equals("2"));
    assertThat(started()).isEqualTo(orders(1));
  }

  @Test
  void a_quorum_queue_keeps_its_order() throws Exception {
    assertKeepsOrder(Map.of("x-queue-type", "quorum"));
  }

  @Test
  void a_queue_with_a_single_active_consumer_keeps_its_order() throws Exception {
    assertKeepsOrder(Map.of("x-single-active-consumer", true));
  }

  private void assertKeepsOrder(Map<String, Object> arguments) throws Exception {
    broker = new RabbitTestBroker(shared(), true, arguments);
    goLive(Ordered.flow(broker));
    for (int i = 0; i < 30; i++) {
      Ordered.send(broker, i);
    }
    broker.flush();

    awaitRuns(30);
    awaitThat("all have ended", () -> Ordered.haveSucceeded(runs()));

    Ordered.assertOrder(runs());
  }

  @Test
  void a_stream_is_refused_with_its_reason() throws Exception {
    broker = new RabbitTestBroker(shared(), true, Map.of("x-queue-type", "stream"));
    goLive(orders());

    awaitThat(
        "the problem",
        () -> {
          sendAll(0, 1); // only what comes after the consumer shows what the queue is
          return server.get("/api/queues/intake").at("/problem").contains("it is a stream");
        });
  }

  @Test
  void a_seek_is_refused_with_its_reason() throws Exception {
    goLive(orders());

    var sought = server.post("/api/queues/intake/seek", "{\"since\": \"2026-11-15T10:00:00Z\"}");

    assertThat(sought.status()).isEqualTo(409);
    assertThat(sought.raw().body()).contains("RabbitMQ keeps no message that was acknowledged");
  }

  @Test
  void a_queue_that_is_missing_is_said_to_be_missing() throws Exception {
    goLive(orders().replace(rabbit().queue(), "nowhere"));

    awaitThat(
        "the problem",
        () ->
            server
                .get("/api/queues/intake")
                .at("/problem")
                .contains("queue 'nowhere' cannot be read: NOT_FOUND"));
  }

  @Test
  void a_published_message_comes_back_through_the_queue() throws Exception {
    server.release(sender(rabbit().queue()));
    goLive(orders());

    for (int i = 0; i < 5; i++) {
      server.post("/api/flows/sender/runs", "{\"order\": \"o-%d\"}".formatted(i));
    }

    awaitRuns(5);
    assertThat(started()).isEqualTo(orders(5));
    String id = events("accepted").getFirst().path("id").asString();
    String payload = server.get("/api/inbox/" + id).body().path("payload").toString();
    assertThat(payload)
        .contains("\"hapax-id\":", "\"hapax-type\":\"order.paid\"", "\"trace\":\"t-1\"");
  }

  @Test
  void a_broker_that_does_not_answer_delays_no_message_to_another_one() throws Exception {
    try (var silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      silent.setSoTimeout(60_000);
      String other = rabbit().connection(silent.getLocalPort());
      assertThat(server.put("/api/connections/silent", other).status()).isEqualTo(200);
      server.release(sender(rabbit().queue()));
      server.release(
          sender("orders").replace("flow: sender", "flow: lost").replace(": broker,", ": silent,"));
      server.post("/api/flows/lost/runs", "{\"order\": \"o-9\"}");
      try (Socket waiting = silent.accept()) {
        waiting.getInputStream().readNBytes(AMQP_HEADER); // and it gets no answer

        server.post("/api/flows/sender/runs", "{\"order\": \"o-0\"}");
        awaitThat("it is published", () -> broker.waiting() == 1);

        waiting.setSoTimeout(1);
        assertThatThrownBy(() -> waiting.getInputStream().read())
            .as("the first still waits for its answer")
            .isInstanceOf(SocketTimeoutException.class);
      }
    }
  }

  @Test
  void a_message_that_no_queue_gets_is_refused() throws Exception {
    server.release(sender("nowhere"));

    server.post("/api/flows/sender/runs", "{\"order\": \"o-0\"}");

    awaitThat(
        "the refusal",
        () -> {
          String id = pages("/api/outbox").getFirst().path("id").asString();
          return server
              .get("/api/outbox/" + id)
              .raw()
              .body()
              .contains("no queue of the broker gets messages for 'nowhere'");
        });
    assertThat(pages("/api/outbox").getFirst().path("state").asString()).isEqualTo("dead");
  }

  @Test
  void a_test_of_the_connection_logs_in() {
    assertThat(server.post("/api/connections/broker/test", "{}").raw().body())
        .contains("RabbitMQ 3.");
  }

  @Test
  void a_wrong_password_is_said_to_be_wrong_and_not_shown() throws Exception {
    server.put("/api/secrets/rabbit", "{\"value\": \"wrong-password\"}");
    connect(
        rabbit()
            .connection()
            .replace("\"tls\"", "\"user\": \"guest\", \"secret\": \"rabbit\", \"tls\""));
    goLive(orders());

    awaitThat(
        "the problem",
        () ->
            server
                .get("/api/queues/intake")
                .at("/problem")
                .contains("RabbitMQ refused the login of user 'guest'"));
    assertThat(server.get("/api/queues/intake").raw().body()).doesNotContain("wrong-password");
  }
}
