package dev.hapax.app.attack;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** An honest mail server on 127.0.0.1 that keeps every command and every mail, byte by byte. */
final class RecordingMail implements AutoCloseable {
  final List<String> commands = new CopyOnWriteArrayList<>();
  final List<String> mails = new CopyOnWriteArrayList<>();
  private final HostileServer server = new HostileServer((_, client) -> talk(client));

  RecordingMail() throws IOException {}

  int port() {
    return server.port();
  }

  private void talk(Socket client) throws IOException {
    say(client, "220 test");
    InputStream in = client.getInputStream();
    for (String line = line(in); line != null; line = line(in)) {
      commands.add(line);
      if (line.equals("DATA")) {
        say(client, "354 go on");
        var mail = new StringBuilder();
        for (String part = line(in); part != null && !part.equals("."); part = line(in)) {
          mail.append(part).append("\r\n");
        }
        mails.add(mail.toString());
      }
      say(client, "250 ok");
    }
  }

  private static void say(Socket client, String line) throws IOException {
    client.getOutputStream().write(HostileServer.bytes(line + "\r\n"));
  }

  /** A line ends with LF, as lenient servers read it; a CR before it is not part of the line. */
  private static @Nullable String line(InputStream in) throws IOException {
    var bytes = new ByteArrayOutputStream();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        return null;
      }
      bytes.write(next);
    }
    String line = bytes.toString(StandardCharsets.ISO_8859_1);
    return line.endsWith("\r") ? line.substring(0, line.length() - 1) : line;
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
