package dev.hapax.flows.connection;

import dev.hapax.flow.NotApplied;
import dev.hapax.flow.Rejected;
import dev.hapax.time.Clock;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeBodyPart;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Properties;
import java.util.function.Consumer;

/**
 * Sends mail. It speaks SMTP itself, line by line, because the meaning of a failure depends on how
 * far the conversation is: before the last line of the mail nothing has happened, and after it the
 * outcome is unknown until the server answers. Safe for many threads.
 */
public final class Mailer {
  private static final Duration LONGEST_CONNECT = Duration.ofSeconds(10);

  /** A conversation has a few short lines per recipient. */
  private static final long MOST_BYTES = 4L << 20;

  /** The stages of a conversation before a mail, in their order. */
  static final String GREETED = "greeting";

  static final String ENCRYPTED = "tls";
  static final String LOGGED_IN = "authenticate";

  private final Egress egress;
  private final Secrets secrets;
  private final Redaction redaction;
  private final Clock clock;

  public Mailer(Egress egress, Secrets secrets, Redaction redaction, Clock clock) {
    this.egress = egress;
    this.secrets = secrets;
    this.redaction = redaction;
    this.clock = clock;
  }

  /**
   * Sends once.
   *
   * @param key makes the Message-ID, the same on every attempt
   * @return the Message-ID
   * @throws IOException if it is unknown whether the server took the mail
   */
  public String send(Connection.Smtp smtp, Mail mail, String key, Duration timeout)
      throws IOException {
    String id = "<%s@hapax>".formatted(key);
    byte[] content = content(smtp, mail, id, clock.now());
    try (AttemptBudget budget = egress.begin(timeout, MOST_BYTES);
        SmtpTalk talk = open(smtp, budget)) {
      enter(smtp, talk, budget, _ -> {});
      talk.demand(2, "MAIL FROM:<%s>".formatted(MailAddress.parse(smtp.from()).getAddress()));
      for (String to : mail.to()) {
        talk.demand(2, "RCPT TO:<%s>".formatted(MailAddress.parse(to).getAddress()));
      }
      for (String to : mail.cc()) {
        talk.demand(2, "RCPT TO:<%s>".formatted(MailAddress.parse(to).getAddress()));
      }
      talk.demand(3, "DATA");
      talk.deliver(content);
      return id;
    }
  }

  /**
   * Talks to the server as before a mail, and sends none.
   *
   * @param passed is called with the name of every stage that has succeeded
   */
  void visit(Connection.Smtp smtp, Duration timeout, Consumer<String> passed) {
    try (AttemptBudget budget = egress.begin(timeout, MOST_BYTES);
        SmtpTalk talk = open(smtp, budget)) {
      enter(smtp, talk, budget, passed);
      talk.demand(2, "NOOP");
    }
  }

  private void enter(
      Connection.Smtp smtp, SmtpTalk talk, AttemptBudget budget, Consumer<String> passed) {
    talk.demand(2, null);
    talk.greet();
    passed.accept(GREETED);
    if (smtp.tls() == Connection.Smtp.Tls.STARTTLS) {
      talk.demand(2, "STARTTLS");
      talk.encrypt(plain -> egress.encrypt(plain, smtp.host(), smtp.port(), budget));
      talk.greet();
    }
    passed.accept(ENCRYPTED);
    logIn(smtp, talk, smtp.tls() != Connection.Smtp.Tls.NONE);
    passed.accept(LOGGED_IN);
  }

  private SmtpTalk open(Connection.Smtp smtp, AttemptBudget budget) {
    Socket plain;
    try {
      plain =
          egress.connect(smtp.host(), smtp.port(), LONGEST_CONNECT, smtp.privateHosts(), budget);
    } catch (Refused e) {
      throw new Rejected("address-refused", String.valueOf(e.getMessage()), e);
    }
    Socket socket =
        smtp.tls() == Connection.Smtp.Tls.IMPLICIT
            ? egress.encrypt(plain, smtp.host(), smtp.port(), budget)
            : plain;
    try {
      return new SmtpTalk(smtp.name(), plain, socket, redaction, budget);
    } catch (IOException e) {
      Egress.close(plain);
      throw new NotApplied("no connection to mail server '%s'".formatted(smtp.name()), e);
    }
  }

  private void logIn(Connection.Smtp smtp, SmtpTalk talk, boolean isEncrypted) {
    if (smtp.user() == null || smtp.secret() == null) {
      return;
    }
    String password = secrets.use(smtp.secret(), talk.recipient(smtp, isEncrypted), redaction);
    String pair = "\0" + smtp.user() + "\0" + password;
    String encoded = Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
    redaction.hide(encoded);
    talk.demand(2, "AUTH PLAIN " + encoded);
  }

  /**
   * Returns the mail as it is sent.
   *
   * @throws Rejected if it must not be sent at all
   */
  public static byte[] content(Connection.Smtp smtp, Mail mail, String id, Instant sentAt) {
    if (mail.subject().chars().anyMatch(c -> Character.isISOControl(c) && c != '\t')) {
      throw new Rejected(
          "bad-subject", "the subject of a mail must be one line, without control characters");
    }
    try {
      var message =
          new MimeMessage(Session.getInstance(new Properties())) {
            @Override
            protected void updateMessageID() throws MessagingException {
              setHeader("Message-ID", id); // saveChanges would make its own
            }
          };
      message.setFrom(MailAddress.parse(smtp.from()));
      message.setRecipients(Message.RecipientType.TO, addresses(mail.to()));
      message.setRecipients(Message.RecipientType.CC, addresses(mail.cc()));
      message.setSubject(mail.subject(), "UTF-8");
      message.setSentDate(Date.from(sentAt));
      if (mail.html() == null) {
        message.setText(String.valueOf(mail.text()), "UTF-8");
      } else if (mail.text() == null) {
        message.setText(mail.html(), "UTF-8", "html");
      } else {
        message.setContent(both(mail.text(), mail.html()));
      }
      message.saveChanges();
      var bytes = new ByteArrayOutputStream();
      message.writeTo(bytes);
      return bytes.toByteArray();
    } catch (MessagingException | IOException e) {
      throw new Rejected("bad-mail", "the mail cannot be written: " + e.getMessage(), e);
    }
  }

  private static MimeMultipart both(String text, String html) throws MessagingException {
    var plain = new MimeBodyPart();
    plain.setText(text, "UTF-8");
    var rich = new MimeBodyPart();
    rich.setText(html, "UTF-8", "html");
    return new MimeMultipart("alternative", plain, rich);
  }

  private static InternetAddress[] addresses(List<String> texts) {
    return texts.stream().map(MailAddress::parse).toArray(InternetAddress[]::new);
  }
}
