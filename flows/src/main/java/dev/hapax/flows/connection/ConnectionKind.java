package dev.hapax.flows.connection;

/** The kinds of external systems; a step works with one of them. */
public enum ConnectionKind {
  HTTP("an HTTP service", "http"),
  MODEL("a provider of language models", "llm"),
  DATABASE("a database", "postgres"),
  SMTP("a mail server", "smtp"),
  WEBHOOK("a receiver of messages", "webhook"),
  SSH("another machine", "ssh"),
  KAFKA("a Kafka cluster", "kafka"),
  RABBITMQ("a RabbitMQ broker", "rabbitmq"),
  SQS("a service of SQS queues", "sqs");

  private final String phrase;
  private final String word;

  ConnectionKind(String phrase, String word) {
    this.phrase = phrase;
    this.word = word;
  }

  /** Returns it as it is called in messages. */
  public String phrase() {
    return phrase;
  }

  /** Returns the member of a connection's settings that makes it one of this kind. */
  public String word() {
    return word;
  }

  static ConnectionKind of(Connection connection) {
    return switch (connection) {
      case Connection.Http _ -> HTTP;
      case Connection.Model _ -> MODEL;
      case Connection.Database _, Connection.Postgres _ -> DATABASE;
      case Connection.Smtp _ -> SMTP;
      case Connection.Webhook _ -> WEBHOOK;
      case Connection.Ssh _ -> SSH;
      case Connection.Kafka _ -> KAFKA;
      case Connection.RabbitMq _ -> RABBITMQ;
      case Connection.Sqs _ -> SQS;
    };
  }
}
