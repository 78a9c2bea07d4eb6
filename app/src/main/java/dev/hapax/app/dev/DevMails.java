package dev.hapax.app.dev;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.hapax.flows.connection.Connection;
import dev.hapax.flows.connection.Mail;
import dev.hapax.time.Clock;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The newest mails that were shown instead of sent. Safe for many threads. */
public final class DevMails {
  private static final int MOST = 500;
  private static final int LINES_SHOWN = 12;

  private final Clock clock;
  private final DevScreen screen;
  private final Deque<Shown> mails = new ArrayDeque<>(); // guarded by itself
  private int count;

  /** A mail, with the connection that would have sent it. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Shown(
      int number,
      Instant at,
      String connection,
      String from,
      List<String> to,
      List<String> cc,
      String subject,
      @Nullable String text,
      @Nullable String html) {}

  public DevMails(Clock clock, DevScreen screen) {
    this.clock = clock;
    this.screen = screen;
  }

  /** Keeps a mail that the sandbox has taken, and prints it. */
  void took(Connection.Smtp smtp, Mail mail) {
    Shown shown;
    synchronized (mails) {
      shown =
          new Shown(
              ++count,
              clock.now(),
              smtp.name(),
              smtp.from(),
              mail.to(),
              mail.cc(),
              mail.subject(),
              mail.text(),
              mail.html());
      mails.add(shown);
      if (mails.size() > MOST) {
        mails.remove();
      }
    }
    screen.say(text(shown));
  }

  List<Shown> all() {
    synchronized (mails) {
      return List.copyOf(mails);
    }
  }

  private static String text(Shown mail) {
    String content = mail.text() != null ? mail.text() : mail.html();
    List<String> lines = content == null ? List.of() : content.lines().limit(LINES_SHOWN).toList();
    return "mail %d to %s: %s%s"
        .formatted(
            mail.number(),
            String.join(", ", mail.to()),
            mail.subject(),
            lines.isEmpty() ? "" : "\n  " + String.join("\n  ", lines));
  }
}
