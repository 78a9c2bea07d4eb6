package dev.hapax.flows.connection;

import dev.hapax.flow.NotApplied;
import dev.hapax.flow.Rejected;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** SMTP on one socket. Used by one thread. */
final class SmtpTalk implements AutoCloseable {
  private static final Pattern ANY_LINE_BREAK = Pattern.compile("\r\n|\r|\n");
  private static final Pattern REPLY = Pattern.compile("[2-5]\\d\\d.*");

  /** RFC 5321 allows 512 bytes. */
  private static final int LONGEST_LINE = 4 * 1024;

  /** A greeting lists the server's extensions; no server has this many. */
  private static final int MOST_LINES = 200;

  private final String server;
  private final Socket plain;
  private final Redaction redaction;
  private final AttemptBudget budget;
  private InputStream in;
  private OutputStream out;

  /**
   * A conversation that begins.
   *
   * @param plain the same socket, or the one below the encryption
   */
  SmtpTalk(String server, Socket plain, Socket socket, Redaction redaction, AttemptBudget budget)
      throws IOException {
    this.server = server;
    this.plain = plain;
    this.redaction = redaction;
    this.budget = budget;
    this.in = new BufferedInputStream(socket.getInputStream());
    this.out = socket.getOutputStream();
  }

  /** Returns this server, for a secret that it needs. */
  SecretRecipient recipient(Connection.Smtp smtp, boolean isEncrypted) {
    return SecretRecipient.over(plain, smtp.host(), smtp.port(), isEncrypted);
  }

  void greet() {
    demand(2, "EHLO hapax");
  }

  /** Continues encrypted. Bytes that came before could be forged, so they are refused. */
  void encrypt(UnaryOperator<Socket> encryption) {
    try {
      if (in.available() > 0) {
        throw new IOException("it sent more than the answer to STARTTLS");
      }
      Socket socket = encryption.apply(plain);
      in = new BufferedInputStream(socket.getInputStream());
      out = socket.getOutputStream();
    } catch (IOException e) {
      throw new NotApplied("no TLS with mail server '%s': %s".formatted(server, e.getMessage()), e);
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
          "the connection to mail server '%s' failed before the mail was sent: %s"
              .formatted(server, budget.explained(e).getMessage()),
          e);
    }
    refuseUnless(expected, answer);
  }

  private void refuseUnless(int expected, String answer) {
    int kind = answer.charAt(0) - '0';
    if (kind == 5) {
      throw new Rejected(
          "smtp-" + answer.substring(0, 3),
          "mail server '%s' refused: %s".formatted(server, answer));
    }
    if (kind != expected) {
      throw new NotApplied("mail server '%s' answered: %s".formatted(server, answer));
    }
  }

  /** From here on the outcome is unknown until the server has answered. */
  void deliver(byte[] content) throws IOException {
    String answer;
    try {
      out.write(dotted(content));
      out.write("\r\n.\r\n".getBytes(StandardCharsets.US_ASCII));
      out.flush();
      answer = answer();
    } catch (IOException e) {
      throw budget.explained(e);
    }
    if (answer.charAt(0) == '3') {
      throw new IOException( // to an earlier line: the answer that counts is still to come
          "mail server '%s' did not say whether it accepted the mail: %s"
              .formatted(server, answer));
    }
    refuseUnless(2, answer);
  }

  /**
   * Doubles a dot at the start of a line, which would end the mail, and makes all line ends equal:
   * servers could differ about where a line begins.
   */
  private static byte[] dotted(byte[] content) {
    String text = new String(content, StandardCharsets.ISO_8859_1);
    String lines = ANY_LINE_BREAK.matcher(text).replaceAll("\r\n");
    String doubled = lines.replace("\r\n.", "\r\n..");
    return (doubled.startsWith(".") ? "." + doubled : doubled)
        .getBytes(StandardCharsets.ISO_8859_1);
  }

  /** Returns the last line, without secrets: some servers repeat what they received. */
  private String answer() throws IOException {
    for (int i = 0; i < MOST_LINES; i++) {
      String line = redaction.redact(AnswerLines.read(in, LONGEST_LINE, StandardCharsets.UTF_8));
      if (!REPLY.matcher(line).matches()) {
        throw new IOException("malformed SMTP answer: " + AnswerLines.shortened(line));
      }
      if (line.length() == 3 || line.charAt(3) != '-') {
        return line;
      }
    }
    throw new IOException("the SMTP answer has more than %d lines".formatted(MOST_LINES));
  }

  @Override
  public void close() {
    Egress.close(plain);
  }
}
