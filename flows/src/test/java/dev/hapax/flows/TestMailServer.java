package dev.hapax.flows;

import dev.hapax.flows.connection.Connection;
import dev.hapax.time.Ports;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/** A mail server on 127.0.0.1 that says what the test wants at one command. */
final class TestMailServer implements AutoCloseable {
  private final ServerSocket socket = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
  final List<String> mails = Collections.synchronizedList(new ArrayList<>());
  private final List<Thread> open = new CopyOnWriteArrayList<>();
  private final String refusedCommand;
  private final String refusal;

  TestMailServer(String refusedCommand, String refusal) throws IOException {
    this.refusedCommand = refusedCommand;
    this.refusal = refusal;
    Thread.ofVirtual().start(this::accept);
  }

  private void accept() {
    while (!socket.isClosed()) {
      try {
        Socket client = socket.accept();
        open.add(Thread.ofVirtual().unstarted(() -> converse(client)));
        open.getLast().start();
      } catch (IOException e) {
        // the test is over
      }
    }
  }

  private void converse(Socket client) {
    try (client) {
      talk(client);
    } catch (IOException e) {
      // the client left
    }
  }

  /** Waits for the end of all conversations that have begun: what they bring has come then. */
  void awaitConversations() throws InterruptedException {
    for (Thread conversation : List.copyOf(open)) {
      conversation.join();
    }
  }

  private void talk(Socket client) throws IOException {
    var in =
        new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.UTF_8));
    say(client, "220 test");
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      if (line.startsWith(refusedCommand)) {
        if (refusal.isEmpty()) {
          return;
        }
        say(client, refusal);
      } else if (line.equals("DATA")) {
        say(client, "354 go on");
        var mail = new StringBuilder();
        for (String part = in.readLine(); !".".equals(part); part = in.readLine()) {
          if (part == null) {
            return; // it left before the end of its mail
          }
          mail.append(part).append('\n');
        }
        mails.add(mail.toString());
        if (refusedCommand.equals(".")) {
          return;
        }
        say(client, "250 taken");
      } else if (line.startsWith("EHLO")) {
        say(client, "250-test");
        say(client, "250 8BITMIME");
      } else {
        say(client, "250 ok");
      }
    }
  }

  boolean hasMailWith(String text) {
    synchronized (mails) {
      return mails.stream().anyMatch(mail -> mail.contains(text));
    }
  }

  private static void say(Socket client, String line) throws IOException {
    client.getOutputStream().write((line + "\r\n").getBytes(StandardCharsets.UTF_8));
  }

  Connection.Smtp connection() {
    return new Connection.Smtp(
        "smtp",
        "127.0.0.1",
        socket.getLocalPort(),
        Connection.Smtp.Tls.NONE,
        "Shop <shop@example.org>",
        "user",
        "password",
        Set.of("127.0.0.1"));
  }

  FlowFiles files() {
    Connection smtp = connection();
    return FlowFiles.with(Ports.system())
        .connections(name -> name.equals("smtp") ? Optional.of(smtp) : Optional.empty())
        .secrets(_ -> Optional.of("mail-password"))
        .open();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
