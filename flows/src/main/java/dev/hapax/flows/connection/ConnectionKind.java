package dev.hapax.flows.connection;

/** The kinds of external systems; a step works with one of them. */
public enum ConnectionKind {
  HTTP("an HTTP service", "http"),
  DATABASE("a database", "postgres"),
  SMTP("a mail server", "smtp"),
  WEBHOOK("a receiver of messages", "webhook");

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
      case Connection.Database _, Connection.Postgres _ -> DATABASE;
      case Connection.Smtp _ -> SMTP;
      case Connection.Webhook _ -> WEBHOOK;
    };
  }
}
