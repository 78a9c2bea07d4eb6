package dev.hapax.flows.connection;

import dev.hapax.flow.NotApplied;
import dev.hapax.flow.Rejected;
import dev.hapax.time.Clock;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.internet.AddressException;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeBodyPart;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Properties;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Sends mail. It speaks SMTP itself, line by line, because the meaning of a failure depends on how
 * far the conversation is: before the last line of the mail nothing has happened, and after it the
 * outcome is unknown until the server answers. Safe for many threads.
 */
public final class Mailer {
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
    byte[] content = content(smtp, mail, id);
    Socket socket = connect(smtp, timeout);
    try (Conversation talk = open(smtp, socket, timeout)) {
      talk.demand(2, null);
      talk.greet();
      if (smtp.tls() == Connection.Smtp.Tls.STARTTLS) {
        talk.demand(2, "STARTTLS");
        talk.encrypt(smtp, egress, timeout);
        talk.greet();
      }
      logIn(smtp, talk);
      talk.demand(2, "MAIL FROM:<%s>".formatted(bare(smtp.from())));
      for (String to : mail.to()) {
        talk.demand(2, "RCPT TO:<%s>".formatted(bare(to)));
      }
      for (String to : mail.cc()) {
        talk.demand(2, "RCPT TO:<%s>".formatted(bare(to)));
      }
      talk.demand(3, "DATA");
      talk.deliver(content);
      return id;
    }
  }

  private Socket connect(Connection.Smtp smtp, Duration timeout) {
    try {
      Socket socket = egress.connect(smtp.host(), smtp.port(), timeout, smtp.privateHosts());
      return smtp.tls() == Connection.Smtp.Tls.IMPLICIT
          ? egress.encrypt(socket, smtp.host(), smtp.port(), timeout)
          : socket;
    } catch (Refused e) {
      throw new Rejected("address-refused", String.valueOf(e.getMessage()), e);
    }
  }

  private Conversation open(Connection.Smtp smtp, Socket socket, Duration timeout) {
    try {
      socket.setSoTimeout(Math.toIntExact(timeout.toMillis()));
      return new Conversation(smtp.name(), socket, redaction);
    } catch (IOException e) {
      Egress.close(socket);
      throw new NotApplied("no connection to mail server '%s'".formatted(smtp.name()), e);
    }
  }

  private void logIn(Connection.Smtp smtp, Conversation talk) {
    if (smtp.user() == null || smtp.secret() == null) {
      return;
    }
    String password = secrets.use(smtp.secret(), redaction);
    String pair = "\0" + smtp.user() + "\0" + password;
    String encoded = Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
    redaction.hide(encoded);
    talk.demand(2, "AUTH PLAIN " + encoded);
  }

  /** A line break in a header would begin another header. */
  private static String bare(String address) {
    if (address.chars().anyMatch(c -> c < ' ')) {
      throw new Rejected("bad-address", "an address of a mail has a line break");
    }
    try {
      return new InternetAddress(address, true).getAddress();
    } catch (AddressException e) {
      throw new Rejected("bad-address", "'%s' is no mail address".formatted(address), e);
    }
  }

  private byte[] content(Connection.Smtp smtp, Mail mail, String id) {
    if (mail.subject().chars().anyMatch(c -> c == '\r' || c == '\n')) {
      throw new Rejected("bad-subject", "the subject of a mail is one line");
    }
    try {
      var message =
          new MimeMessage(Session.getInstance(new Properties())) {
            @Override
            protected void updateMessageID() throws MessagingException {
              setHeader("Message-ID", id); // saveChanges would make its own
            }
          };
      message.setFrom(new InternetAddress(smtp.from(), true));
      message.setRecipients(Message.RecipientType.TO, addresses(mail.to()));
      message.setRecipients(Message.RecipientType.CC, addresses(mail.cc()));
      message.setSubject(mail.subject(), "UTF-8");
      message.setSentDate(Date.from(clock.now()));
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

  private static InternetAddress[] addresses(List<String> texts) throws AddressException {
    var all = new InternetAddress[texts.size()];
    for (int i = 0; i < all.length; i++) {
      bare(texts.get(i));
      all[i] = new InternetAddress(texts.get(i), true);
    }
    return all;
  }

  /** SMTP on one socket. */
  private static final class Conversation implements AutoCloseable {
    private static final Pattern ANY_LINE_BREAK = Pattern.compile("\r\n|\r|\n");

    private final String server;
    private final Redaction redaction;
    private Socket socket;
    private BufferedReader in;
    private OutputStream out;

    Conversation(String server, Socket socket, Redaction redaction) throws IOException {
      this.server = server;
      this.redaction = redaction;
      this.socket = socket;
      this.in = reader(socket);
      this.out = socket.getOutputStream();
    }

    private static BufferedReader reader(Socket socket) throws IOException {
      return new BufferedReader(
          new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    }

    void greet() {
      demand(2, "EHLO hapax");
    }

    void encrypt(Connection.Smtp smtp, Egress egress, Duration timeout) {
      try {
        socket = egress.encrypt(socket, smtp.host(), smtp.port(), timeout);
        in = reader(socket);
        out = socket.getOutputStream();
      } catch (IOException e) {
        throw new NotApplied("no TLS with mail server '%s'".formatted(server), e);
      }
    }

    /** Before the mail itself, every failure means that nothing has happened. */
    void demand(int expected, @Nullable String command) {
      String answer;
      try {
        if (command != null) {
          out.write((command + "\r\n").getBytes(StandardCharsets.UTF_8));
          out.flush();
        }
        answer = answer();
      } catch (IOException e) {
        throw new NotApplied(
            "mail server '%s' broke off before the mail was sent: %s"
                .formatted(server, e.getMessage()),
            e);
      }
      refuseUnless(expected, answer);
    }

    private void refuseUnless(int expected, String answer) {
      int kind = answer.charAt(0) - '0';
      if (kind == 5) {
        throw new Rejected(
            "smtp-" + answer.substring(0, 3),
            "mail server '%s' refuses: %s".formatted(server, answer));
      }
      if (kind != expected) {
        throw new NotApplied("mail server '%s' says: %s".formatted(server, answer));
      }
    }

    /** From here on the outcome is unknown until the server has answered. */
    void deliver(byte[] content) throws IOException {
      out.write(dotted(content));
      out.write("\r\n.\r\n".getBytes(StandardCharsets.US_ASCII));
      out.flush();
      String answer = answer();
      if (answer.charAt(0) == '3') {
        throw new IOException( // to an earlier line: the answer that counts is still to come
            "mail server '%s' says instead of whether it took the mail: %s"
                .formatted(server, answer));
      }
      refuseUnless(2, answer);
    }

    /**
     * Doubles a dot at the start of a line, which would end the mail, and makes all line ends
     * equal: servers could differ about where a line begins.
     */
    private static byte[] dotted(byte[] content) {
      String text = new String(content, StandardCharsets.ISO_8859_1);
      String lines = ANY_LINE_BREAK.matcher(text).replaceAll("\r\n");
      String doubled = lines.replace("\r\n.", "\r\n..");
      return (doubled.startsWith(".") ? "." + doubled : doubled)
          .getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Returns the answer without secrets: some servers repeat what they received. */
    private String answer() throws IOException {
      while (true) {
        String said = in.readLine();
        String line = said == null ? null : redaction.redact(said);
        if (line == null || !line.matches("[2-5]\\d\\d.*")) {
          throw new IOException("no answer of SMTP: " + line);
        }
        if (line.length() == 3 || line.charAt(3) != '-') {
          return line;
        }
      }
    }

    @Override
    public void close() {
      Egress.close(socket);
    }
  }
}
