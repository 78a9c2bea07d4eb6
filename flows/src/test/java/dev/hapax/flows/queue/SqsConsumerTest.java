package dev.hapax.flows.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.flow.NotApplied;
import dev.hapax.flow.Rejected;
import dev.hapax.flows.connection.BrokerClients;
import dev.hapax.flows.connection.BrokerMessage;
import dev.hapax.flows.connection.Connection;
import dev.hapax.flows.connection.ConnectionLimits;
import dev.hapax.flows.connection.Databases;
import dev.hapax.flows.connection.Egress;
import dev.hapax.flows.connection.NetworkWayOut;
import dev.hapax.flows.connection.Redaction;
import dev.hapax.flows.queue.QueueConsumer.Polled;
import dev.hapax.time.Ports;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** SQS against an endpoint that answers anything. */
class SqsConsumerTest {
  private static final String SECRET = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";

  private final List<QueueMessage> received = new ArrayList<>();
  private SqsStandIn sqs;
  private NetworkWayOut wayOut;
  private SqsBroker broker;

  @BeforeEach
  void begin() throws IOException {
    sqs = new SqsStandIn();
    var clock = Ports.system().clock();
    wayOut =
        new NetworkWayOut(
            Egress.system(),
            _ -> Optional.of(SECRET),
            new Redaction(),
            clock,
            Databases.Driver.NONE,
            BrokerClients.NONE);
    broker = new SqsBroker(wayOut, clock);
  }

  @AfterEach
  void end() {
    wayOut.close();
    sqs.close();
  }

  private Connection.Sqs connection(String... privateHosts) {
    return new Connection.Sqs(
        "orders",
        "eu-central-1",
        sqs.address(),
        "AKIDEXAMPLE",
        "aws",
        Set.of(privateHosts),
        ConnectionLimits.NONE);
  }

  private static QueueTerms terms(String queue, boolean isOrdered) {
    return new QueueTerms(queue, "group", false, 100, isOrdered, null, null);
  }

  private QueueConsumer consumer(String queue) {
    return broker.open(connection("127.0.0.1"), terms(queue, false), new NoMemory());
  }

  private Polled poll() throws Exception {
    return poll(Integer.MAX_VALUE);
  }

  private Polled poll(int atMost) throws Exception {
    return consumer("orders")
        .poll(
            Duration.ofSeconds(1),
            messages -> {
              received.addAll(messages);
              return Math.min(atMost, messages.size());
            });
  }

  @Test
  void requests_are_signed_and_go_to_the_endpoint_alone() throws Exception {
    sqs.once(SqsStandIn.message("a", "x"));

    assertThat(poll()).isEqualTo(new Polled(1, 1));

    assertThat(sqs.signed())
        .isNotEmpty()
        .allMatch(
            header ->
                header.matches(
                    "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/[0-9]{8}/eu-central-1/sqs/aws4_request, SignedHeaders=content-type;host;x-amz-date;x-amz-target, Signature=[0-9a-f]{64}"));
    assertThat(sqs.asked("DeleteMessageBatch"))
        .singleElement()
        .asString()
        .contains("http://elsewhere.example/1/orders", "\"ReceiptHandle\":\"r-a\"");
  }

  @Test
  void an_address_in_a_private_network_is_not_reached() {
    assertThatThrownBy(
            () ->
                broker
                    .open(connection(), terms("orders", false), new NoMemory())
                    .poll(Duration.ofSeconds(1), List::size))
        .isInstanceOf(Rejected.class)
        .hasMessageContaining("which flows may not reach");
    assertThat(sqs.signed()).isEmpty();
  }

  @Test
  void a_message_with_its_attributes_is_read() throws Exception {
    sqs.once(
        """
        {"MessageId": "m-1", "ReceiptHandle": "r", "Body": "{\\"order\\": 7}",
         "Attributes": {"MessageGroupId": "c-7", "SequenceNumber": "18", "SentTimestamp": "1763500000000", "ApproximateReceiveCount": "2"},
         "MessageAttributes": {"trace": {"DataType": "String", "StringValue": "t-1"}, "raw": {"DataType": "Binary", "BinaryValue": "AQI="}}}
        """);

    poll();

    QueueMessage message = received.getFirst();
    assertThat(message.id()).isEqualTo("m-1");
    assertThat(message.key()).isEqualTo("c-7");
    assertThat(message.headers()).isEqualTo(Map.of("trace", "t-1", "raw", "AQI="));
    assertThat(message.place()).isEqualTo(Map.of("sequence", "18"));
    assertThat(message.body()).asString(StandardCharsets.UTF_8).isEqualTo("{\"order\": 7}");
    assertThat(message.sentAt()).hasToString("2025-11-18T21:06:40Z");
  }

  @Test
  void a_message_that_is_too_large_is_handed_over_without_its_body() throws Exception {
    sqs.once(SqsStandIn.message("a", "x".repeat(QueueMessage.LARGEST + 1)));

    poll();

    assertThat(received.getFirst().body()).isNull();
    assertThat(received.getFirst().size()).isEqualTo(QueueMessage.LARGEST + 1);
  }

  @Test
  void attributes_count_for_the_size_of_a_message() throws Exception {
    sqs.once(
        """
        {"MessageId": "m", "ReceiptHandle": "r", "Body": "x", "MessageAttributes": {"h": {"StringValue": "%s"}}}
        """
            .formatted("y".repeat(QueueMessage.LARGEST)));

    poll();

    assertThat(received.getFirst().body()).isNull();
    assertThat(received.getFirst().headers()).isEmpty();
  }

  @Test
  void an_answer_without_end_is_an_error() {
    sqs.on(
        "ReceiveMessage",
        (_, exchange) -> {
          exchange.sendResponseHeaders(200, 0);
          byte[] more =
              "{\"Messages\": [".concat(" ".repeat(1 << 20)).getBytes(StandardCharsets.UTF_8);
          for (int i = 0; i < 10_000; i++) {
            exchange.getResponseBody().write(more);
          }
        });

    assertThatThrownBy(this::poll)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the answer has more than 25,165,824 bytes");
  }

  @Test
  void answers_that_are_no_answers_are_errors_and_nothing_is_received() {
    for (String body :
        List.of(
            "[]",
            "no json",
            "{\"Messages\": 7}",
            "{\"Messages\": [7]}",
            "{\"Messages\": [{\"MessageId\": \"a\"}]}",
            "{\"Messages\": [{\"MessageId\": \"\", \"ReceiptHandle\": \"r\", \"Body\": \"x\"}]}",
            "{\"Messages\": [{\"MessageId\": \"%s\", \"ReceiptHandle\": \"r\", \"Body\": \"x\"}]}"
                .formatted("i".repeat(101)),
            "{\"Messages\": [%s]}"
                .formatted(
                    IntStream.range(0, 11)
                        .mapToObj(i -> SqsStandIn.message("m-" + i, "x"))
                        .collect(Collectors.joining(","))))) {
      sqs.on("ReceiveMessage", 200, body);
      assertThatThrownBy(this::poll).as(body).isInstanceOf(IOException.class);
    }
    assertThat(received).isEmpty();
    assertThat(sqs.asked("DeleteMessageBatch")).isEmpty();
  }

  @Test
  void a_refusal_says_what_the_service_says() {
    sqs.on(
        "GetQueueUrl",
        400,
        "{\"__type\": \"com.amazonaws.sqs#QueueDoesNotExist\", \"message\": \"no such queue\"}");

    assertThatThrownBy(this::poll)
        .hasMessage("GetQueueUrl was refused with HTTP 400 QueueDoesNotExist: no such queue");
  }

  @Test
  void the_same_message_twice_in_a_batch_is_deleted_twice() throws Exception {
    sqs.once(SqsStandIn.message("a", "x") + "," + SqsStandIn.message("a", "x"));

    assertThat(poll()).isEqualTo(new Polled(2, 2));

    assertThat(sqs.asked("DeleteMessageBatch"))
        .singleElement()
        .asString()
        .contains("\"Id\":\"0\"", "\"Id\":\"1\"");
  }

  @Test
  void what_was_not_received_is_visible_again_after_the_rest_was_deleted() throws Exception {
    sqs.once(
        String.join(
            ",",
            SqsStandIn.message("a", "x"),
            SqsStandIn.message("b", "x"),
            SqsStandIn.message("c", "x")));

    assertThat(poll(1)).isEqualTo(new Polled(3, 1));

    assertThat(sqs.asked("DeleteMessageBatch")).singleElement().asString().contains("r-a");
    assertThat(sqs.asked("ChangeMessageVisibilityBatch"))
        .singleElement()
        .asString()
        .contains("r-b", "r-c", "\"VisibilityTimeout\":0")
        .doesNotContain("r-a");
  }

  @Test
  void all_is_visible_again_if_the_receiver_fails() {
    sqs.once(SqsStandIn.message("a", "x"));

    assertThatThrownBy(
            () ->
                consumer("orders")
                    .poll(
                        Duration.ofSeconds(1),
                        _ -> {
                          throw new OutOfMemoryError("made up");
                        }))
        .isInstanceOf(OutOfMemoryError.class);

    assertThat(sqs.asked("ChangeMessageVisibilityBatch")).hasSize(1);
    assertThat(sqs.asked("DeleteMessageBatch")).isEmpty();
  }

  @Test
  void a_deletion_that_fails_in_part_is_tried_once_more() throws Exception {
    sqs.once(SqsStandIn.message("a", "x") + "," + SqsStandIn.message("b", "x"));
    sqs.on(
        "DeleteMessageBatch",
        (request, exchange) ->
            SqsStandIn.write(
                exchange,
                200,
                request.path("Entries").size() == 2
                    ? "{\"Successful\": [{\"Id\": \"0\"}], \"Failed\": [{\"Id\": \"1\", \"Code\": \"InternalError\"}]}"
                    : "{\"Successful\": [{\"Id\": \"1\"}]}"));

    assertThat(poll()).isEqualTo(new Polled(2, 2));

    assertThat(sqs.asked("DeleteMessageBatch")).hasSize(2);
  }

  @Test
  void deletions_that_keep_failing_are_shown() {
    sqs.once(SqsStandIn.message("a", "x"));
    sqs.on(
        "DeleteMessageBatch",
        200,
        "{\"Failed\": [{\"Id\": \"0\", \"Code\": \"AccessDenied\", \"Message\": \"no\"}]}");

    assertThatThrownBy(this::poll)
        .hasMessage(
            "1 messages of queue 'orders' were received, but could not be deleted, so they come again as duplicates: AccessDenied no");
    assertThat(received).hasSize(1);
  }

  @Test
  void a_message_waits_longer_the_nearer_it_is_to_the_dead_letter_queue() throws Exception {
    assertThat(SqsConsumer.pause(7, 0)).isZero();
    assertThat(SqsConsumer.pause(1, 100)).isZero();
    assertThat(SqsConsumer.pause(1, 3)).isEqualTo(100);
    assertThat(SqsConsumer.pause(2, 3)).isEqualTo(300);
    assertThat(SqsConsumer.pause(3, 3)).isEqualTo(900);
    sqs.on(
        "GetQueueAttributes",
        200,
        "{\"Attributes\": {\"RedrivePolicy\": \"{\\\"maxReceiveCount\\\": 3}\"}}");
    sqs.once(SqsStandIn.message("a", "x"));

    poll(0);

    assertThat(sqs.asked("ChangeMessageVisibilityBatch"))
        .singleElement()
        .asString()
        .contains("\"VisibilityTimeout\":100");
  }

  @Test
  void a_published_message_has_an_id_and_a_group_by_which_a_fifo_queue_removes_repeats()
      throws Exception {
    sqs.on("SendMessage", 200, "{\"MessageId\": \"m\"}");
    try (QueuePublisher publisher = broker.publisher(connection("127.0.0.1"))) {
      publisher.publish(message("orders.fifo", "c-7", Map.of("trace", "t")), Duration.ofSeconds(9));
      publisher.publish(message("orders", null, Map.of()), Duration.ofSeconds(9));
    }

    assertThat(sqs.asked("SendMessage").getFirst())
        .contains(
            "\"MessageDeduplicationId\":\"o-1\"",
            "\"MessageGroupId\":\"c-7\"",
            "\"hapax-id\":",
            "\"trace\":");
    assertThat(sqs.asked("SendMessage").getLast()).doesNotContain("Deduplication", "Group");
  }

  @Test
  void a_refused_message_is_known_not_to_be_sent() throws Exception {
    try (QueuePublisher publisher = broker.publisher(connection("127.0.0.1"))) {
      sqs.on("SendMessage", 400, "{\"__type\": \"x#InvalidMessageContents\"}");
      assertThatThrownBy(() -> publish(publisher)).isInstanceOf(Rejected.class);
      sqs.on("SendMessage", 403, "{\"__type\": \"x#AccessDenied\"}");
      assertThatThrownBy(() -> publish(publisher)).isInstanceOf(NotApplied.class);
      sqs.on("SendMessage", 503, "");
      assertThatThrownBy(() -> publish(publisher)).isInstanceOf(IOException.class);
      sqs.on("SendMessage", 200, "{}");
      assertThatThrownBy(() -> publish(publisher)).isInstanceOf(IOException.class);
      Map<String, String> many =
          IntStream.range(0, 9).boxed().collect(Collectors.toMap(i -> "h" + i, i -> "v" + i));
      assertThatThrownBy(
              () -> publisher.publish(message("orders", null, many), Duration.ofSeconds(9)))
          .isInstanceOf(Rejected.class)
          .hasMessageContaining("10 headers");
    }
  }

  private static void publish(QueuePublisher publisher) throws Exception {
    publisher.publish(message("orders", null, Map.of()), Duration.ofSeconds(9));
  }

  private static BrokerMessage message(
      String queue, @Nullable String key, Map<String, String> headers) {
    return new BrokerMessage(
        "o-1", "order.paid", queue, key, headers, "{}".getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void terms_that_sqs_cannot_keep_are_refused() {
    assertThat(broker.problem(terms("orders", false))).isNull();
    assertThat(broker.problem(terms("orders.fifo", true))).isNull();
    assertThat(broker.problem(terms("https://sqs.eu-central-1.amazonaws.com/1/o.fifo", true)))
        .isNull();
    assertThat(broker.problem(terms("orders", true))).contains("FIFO");
    assertThat(broker.problem(terms("a b", false))).contains("expected the name");
  }
}
