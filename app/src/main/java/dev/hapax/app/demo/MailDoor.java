package dev.hapax.app.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A minimal mail server: SMTP as far as a sender needs it, on 127.0.0.1 and a free port. */
final class MailDoor implements AutoCloseable {
  private static final int BACKLOG = 256;
  private static final Pattern ORDER =
      Pattern.compile("^Subject: .*?(\\S+)$", Pattern.MULTILINE | Pattern.CASE_INSENSITIVE);
  private static final Pattern MESSAGE_ID =
      Pattern.compile("^Message-ID:\\s*(\\S+)", Pattern.MULTILINE | Pattern.CASE_INSENSITIVE);

  private final ServerSocket socket;
  private final Recipient recipient;

  /** The answer to the sender. */
  enum Outcome {
    TAKEN,
    BUSY,
    /** The connection breaks: the sender cannot know. */
    SILENCE
  }

  /** Receives the mails. */
  @FunctionalInterface
  interface Recipient {
    Outcome take(String order, String messageId) throws IOException, InterruptedException;
  }

  MailDoor(Recipient recipient) throws IOException {
    this.recipient = recipient;
    this.socket = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
    Thread.ofPlatform().daemon().name("demo-mail").start(this::accept);
  }

  int port() {
    return socket.getLocalPort();
  }

  private void accept() {
    while (!socket.isClosed()) {
      try {
        Socket sender = socket.accept();
        Thread.ofVirtual().start(() -> serve(sender));
      } catch (IOException e) {
        // closed, or the sender has gone before it was accepted
      }
    }
  }

  private void serve(Socket sender) {
    try (sender) {
      talk(sender);
    } catch (IOException e) {
      // the sender has gone
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void talk(Socket sender) throws IOException, InterruptedException {
    var in =
        new BufferedReader(new InputStreamReader(sender.getInputStream(), StandardCharsets.UTF_8));
    say(sender, "220 sandbox");
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      switch (line.split(" ", 2)[0]) {
        case "EHLO" -> say(sender, "250 sandbox");
        case "DATA" -> {
          say(sender, "354 go on");
          switch (take(mail(in))) {
            case TAKEN -> say(sender, "250 taken");
            case BUSY -> say(sender, "451 busy, nothing was taken");
            case SILENCE -> {
              return;
            }
          }
        }
        case "QUIT" -> {
          say(sender, "221 bye");
          return;
        }
        default -> say(sender, "250 ok");
      }
    }
  }

  private static String mail(BufferedReader in) throws IOException {
    var mail = new StringBuilder();
    for (String line = in.readLine(); line != null && !line.equals("."); line = in.readLine()) {
      mail.append(line).append('\n');
    }
    return mail.toString();
  }

  private Outcome take(String mail) throws IOException, InterruptedException {
    Matcher order = ORDER.matcher(mail);
    Matcher id = MESSAGE_ID.matcher(mail);
    if (!order.find() || !id.find()) {
      throw new IOException("a mail without an order in its subject");
    }
    return recipient.take(order.group(1), id.group(1));
  }

  private static void say(Socket sender, String line) throws IOException {
    sender.getOutputStream().write((line + "\r\n").getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
