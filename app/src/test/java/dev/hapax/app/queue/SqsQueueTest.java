package dev.hapax.app.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.hapax.app.TestServer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** The contract for queues of SQS. */
class SqsQueueTest extends QueueContract {
  private static @Nullable ElasticMq shared;

  /** One server for all tests of the class, each with a queue of its own. */
  private static ElasticMq shared() throws Exception {
    assumeThat(ElasticMq.obstacle()).as("ElasticMQ for tests").isNull();
    ElasticMq running = shared;
    if (running == null) {
      running = ElasticMq.start();
      shared = running;
    }
    return running;
  }

  @AfterAll
  static void stopServer() throws Exception {
    ElasticMq running = shared;
    shared = null;
    if (running != null) {
      running.close();
    }
  }

  @Override
  TestBroker open() throws Exception {
    return new SqsTestBroker(shared(), true, true);
  }

  /** SQS cannot go back; so they come again because their deletion is lost, and after a crash. */
  @Override
  @Test
  void messages_that_come_again_start_nothing() throws Exception {
    try (var proxy = new LossyProxy(shared().address())) {
      connect(((SqsTestBroker) broker).connection(proxy.port()));
      proxy.loses(true);
      goLive(orders());
      sendAll(0, 20);
      awaitThat("the runs", () -> runs().size() == 20);
      assertThat(broker.waiting()).isEqualTo(20);

      server.close();
      proxy.loses(false);
      server = new TestServer(folder);

      awaitThat("all are acknowledged", broker::isDrained);
      assertThat(started()).isEqualTo(orders(20));
      assertThat(server.get("/api/queues/intake").body().path("duplicates").asLong())
          .isGreaterThanOrEqualTo(20);
      assertThat(events("conflicting")).isEmpty();
    }
  }

  @Test
  void a_queue_without_order_loses_nothing_and_doubles_nothing() throws Exception {
    broker = new SqsTestBroker(shared(), true, false);
    goLive(orders());

    sendAll(0, 200);

    awaitRuns(200);
    assertThat(started()).isEqualTo(orders(200));
  }

  @Test
  void a_seek_is_refused_with_its_reason() throws Exception {
    goLive(orders());

    var sought = server.post("/api/queues/intake/seek", "{\"since\": \"2026-11-15T10:00:00Z\"}");

    assertThat(sought.status()).isEqualTo(409);
    assertThat(sought.raw().body()).contains("SQS keeps no message that was received");
  }

  @Test
  void a_flow_that_wants_order_of_a_queue_without_order_is_refused() throws Exception {
    broker = new SqsTestBroker(shared(), true, false);

    assertThat(promotion(Ordered.flow(broker))).contains("whose name ends with .fifo");
  }

  @Test
  void a_published_message_comes_back_through_the_queue() throws Exception {
    server.release(sender(((SqsTestBroker) broker).name()));
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
  void a_test_of_the_connection_asks_the_service() {
    assertThat(server.post("/api/connections/broker/test", "{}").raw().body())
        .contains("the key is known");
  }
}
