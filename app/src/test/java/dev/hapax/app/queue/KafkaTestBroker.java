package dev.hapax.app.queue;

import dev.hapax.testkit.fault.KafkaServer;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** A topic of a real Kafka broker, with a group of its own. */
final class KafkaTestBroker implements TestBroker {
  private static final AtomicInteger NUMBER = new AtomicInteger();

  private final KafkaServer server;
  private final String topic;
  private final String group;

  KafkaTestBroker(KafkaServer server, int partitions) {
    int number = NUMBER.incrementAndGet();
    this.server = server;
    this.topic = "orders-%d".formatted(number);
    this.group = "intake-%d".formatted(number);
    server.ask("create", topic, partitions);
  }

  KafkaServer server() {
    return server;
  }

  String topic() {
    return topic;
  }

  @Override
  public String connection() {
    return """
    {"kafka": {"servers": ["%s"], "tls": "none", "privateHosts": ["127.0.0.1"]}}\
    """
        .formatted(server.server());
  }

  @Override
  public String trigger() {
    return "queue: %s, group: %s, from: earliest".formatted(topic, group);
  }

  @Override
  public void send(String key, byte[] body) {
    server.ask("send", topic, key, body);
  }

  @Override
  public boolean sendHostile(HostileMessages.Hostile message) {
    server.ask(
        "sendRaw",
        topic,
        Optional.ofNullable(message.key()),
        Optional.ofNullable(message.body()),
        message.headers());
    return true;
  }

  @Override
  public void flush() {
    server.ask("flush");
  }

  @Override
  public String message() {
    return "event.body";
  }

  @Override
  public long waiting() {
    return (long) server.ask("waiting", group, topic);
  }

  @Override
  public boolean carriesAnyBytes() {
    return true;
  }

  @Override
  public void crash() throws Exception {
    server.crash();
  }

  /** The server is shared; it ends with the process. */
  @Override
  public void close() {}
}
