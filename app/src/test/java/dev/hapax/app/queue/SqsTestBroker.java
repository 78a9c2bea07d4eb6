package dev.hapax.app.queue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/** A queue of a real ElasticMQ server. */
final class SqsTestBroker implements TestBroker {
  private static final AtomicInteger QUEUES = new AtomicInteger();
  private static final int MOST_AT_ONCE = 10;
  private static final int MOST_OF_HOSTILE = 60_000;
  private static final int MOST_BYTES = 900_000;

  private final ElasticMq server;
  private final boolean isShared;
  private final String name;
  private final String queue;
  private final List<Map<String, Object>> unsent = new ArrayList<>();
  private int unsentBytes;

  /**
   * An empty queue.
   *
   * @param isShared whether others use the server, too, so that it goes on
   */
  SqsTestBroker(ElasticMq server, boolean isShared, boolean isFifo)
      throws IOException, InterruptedException {
    this.server = server;
    this.isShared = isShared;
    this.name = "orders-" + QUEUES.incrementAndGet() + (isFifo ? ".fifo" : "");
    this.queue =
        server.create(
            name,
            isFifo
                ? Map.of("VisibilityTimeout", "5", "FifoQueue", "true")
                : Map.of("VisibilityTimeout", "5"));
  }

  @Override
  public String connection() {
    return connection(server.port());
  }

  String connection(int port) {
    return """
    {"sqs": {"region": "elasticmq", "endpoint": "http://127.0.0.1:%d", "accessKey": "AKIDEXAMPLE", "secret": "sqs-key", "privateHosts": ["127.0.0.1"]}}\
    """
        .formatted(port);
  }

  @Override
  public Map<String, String> secrets() {
    return Map.of("sqs-key", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY");
  }

  String name() {
    return name;
  }

  String queue() {
    return queue;
  }

  @Override
  public String trigger() {
    return "queue: " + name;
  }

  @Override
  public String message() {
    return "event.body";
  }

  @Override
  public void send(String key, byte[] body) throws IOException, InterruptedException {
    if (unsent.size() == MOST_AT_ONCE || unsentBytes + body.length > MOST_BYTES) {
      flush();
    }
    var entry = new LinkedHashMap<String, Object>();
    entry.put("Id", Integer.toString(unsent.size()));
    entry.put("MessageBody", new String(body, StandardCharsets.UTF_8));
    if (name.endsWith(".fifo")) {
      entry.put("MessageGroupId", key);
      entry.put("MessageDeduplicationId", UUID.randomUUID().toString());
    }
    unsent.add(entry);
    unsentBytes += body.length;
  }

  /** SQS takes the characters of XML, and 10 attributes; a body or a value is never empty. */
  @Override
  public boolean sendHostile(HostileMessages.Hostile message)
      throws IOException, InterruptedException {
    flush();
    var attributes = new LinkedHashMap<String, Object>();
    message
        .headers()
        .forEach(
            (name, value) ->
                attributes.put(
                    "a" + attributes.size(),
                    Map.of("DataType", "String", "StringValue", allowed(value))));
    var request = new LinkedHashMap<String, Object>();
    request.put("QueueUrl", queue);
    request.put("MessageBody", allowed(message.body() == null ? new byte[0] : message.body()));
    request.put("MessageAttributes", attributes);
    if (name.endsWith(".fifo")) {
      request.put("MessageGroupId", "hostile");
      request.put("MessageDeduplicationId", UUID.randomUUID().toString());
    }
    server.ask("SendMessage", request);
    return true;
  }

  private static String allowed(byte[] bytes) {
    String text = new String(bytes, StandardCharsets.UTF_8);
    String allowed =
        text.substring(0, Math.min(text.length(), MOST_OF_HOSTILE))
            .replaceAll(
                "[^\\x{9}\\x{A}\\x{D}\\x{20}-\\x{D7FF}\\x{E000}-\\x{FFFD}\\x{10000}-\\x{10FFFF}]",
                "?");
    return allowed.isEmpty() ? "?" : allowed;
  }

  @Override
  public void flush() throws IOException, InterruptedException {
    if (unsent.isEmpty()) {
      return;
    }
    var answer =
        server.ask("SendMessageBatch", Map.of("QueueUrl", queue, "Entries", List.copyOf(unsent)));
    if (answer.path("Successful").size() != unsent.size()) {
      throw new IOException("not all were sent: " + answer);
    }
    unsent.clear();
    unsentBytes = 0;
  }

  @Override
  public long waiting() throws IOException, InterruptedException {
    return server.count(queue);
  }

  @Override
  public boolean carriesAnyBytes() {
    return true;
  }

  @Override
  public void crash() throws IOException, InterruptedException {
    server.crash();
  }

  @Override
  public void close() throws IOException, InterruptedException {
    if (!isShared) {
      server.close();
    }
  }
}
