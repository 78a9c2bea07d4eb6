package dev.hapax.flows.alert;

import java.util.List;

/**
 * A way to tell people something.
 *
 * @param kind how
 * @param name of the connection, or of the flow
 * @param to the recipients of a mail; empty for the other kinds
 */
public record Channel(Kind kind, String name, List<String> to) {
  public Channel {
    to = List.copyOf(to);
  }

  /** The ways. */
  public enum Kind {
    /** A mail through an SMTP connection. */
    EMAIL("email"),
    /** A signed message to a webhook connection. */
    WEBHOOK("webhook"),
    /** A run of a flow. */
    FLOW("flow");

    private final String word;

    Kind(String word) {
      this.word = word;
    }

    public String word() {
      return word;
    }

    /** Returns the outbox's destination of the messages that go this way. */
    public String destination() {
      return AlertDesk.DESTINATION + "." + word;
    }
  }

  /** Returns its name for people and commands, for example {@code email/smtp}. */
  public String id() {
    return kind.word() + "/" + name;
  }
}
