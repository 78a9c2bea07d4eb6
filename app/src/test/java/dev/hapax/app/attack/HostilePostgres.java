package dev.hapax.app.attack;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** Ways to misbehave as a PostgreSQL server. */
final class HostilePostgres {
  private static final int GIB = 1 << 30;
  private static final String LOGGED_IN = message('R', number(0)) + message('Z', "I");
  private static final String ANSWERED = message('1', "") + message('2', "");

  static final Map<String, HostileServer.Script> WAYS = ways();

  private HostilePostgres() {}

  private static Map<String, HostileServer.Script> ways() {
    var ways = new LinkedHashMap<String, HostileServer.Script>();
    ways.put("pg-silence", (_, c) -> HostileServer.silence(c, ""));
    ways.put("pg-drip", (s, c) -> s.drip(c, "R", "\0"));
    ways.put("pg-login", (_, c) -> HostileServer.silence(c, "R" + number(GIB)));
    ways.put("pg-ticket", (_, c) -> HostileServer.silence(c, message('R', number(7))));
    ways.put("pg-settings", (s, c) -> s.forever(c, "", message('S', "a\0b\0")));
    ways.put("pg-early-notices", (s, c) -> s.forever(c, "", message('N', "\0")));
    ways.put("pg-error", (_, c) -> HostileServer.silence(c, "E" + number(GIB) + "SFATAL\0"));
    ways.put("pg-error-drip", (s, c) -> s.drip(c, "E" + number(GIB), "x"));
    ways.put("pg-negative", (_, c) -> HostileServer.silence(c, "E" + number(-5)));
    ways.put("pg-row", (_, c) -> loggedIn(c, ANSWERED + "D" + number(GIB) + "\0\1"));
    ways.put(
        "pg-field", (_, c) -> loggedIn(c, ANSWERED + message('D', "\0\1" + number(GIB) + "x")));
    ways.put("pg-fields", (_, c) -> loggedIn(c, ANSWERED + message('D', "\177\177" + number(1))));
    ways.put("pg-rows", (s, c) -> flood(s, c, message('D', "\0\0")));
    ways.put("pg-large-rows", (s, c) -> flood(s, c, row("x".repeat(100_000))));
    ways.put("pg-notices", (s, c) -> flood(s, c, message('N', "\0")));
    ways.put("pg-notifications", (s, c) -> flood(s, c, message('A', number(1) + "a\0b\0")));
    ways.put("pg-columns", (_, c) -> loggedIn(c, ANSWERED + "T" + number(GIB) + "\177\177x"));
    ways.put("pg-copy", (s, c) -> flood(s, c, message('d', "x".repeat(1_000))));
    return ways;
  }

  private static String row(String field) {
    return message('D', "\0\1" + number(field.length()) + field);
  }

  private static void loggedIn(Socket client, String then) throws IOException {
    startUp(client);
    client.getOutputStream().write(HostileServer.bytes(LOGGED_IN));
    client.getInputStream().read();
    HostileServer.silence(client, then);
  }

  private static void flood(HostileServer server, Socket client, String message)
      throws IOException {
    startUp(client);
    client.getOutputStream().write(HostileServer.bytes(LOGGED_IN));
    client.getInputStream().read();
    server.forever(client, ANSWERED, message);
  }

  private static void startUp(Socket client) throws IOException {
    var in = new DataInputStream(client.getInputStream());
    in.readNBytes(in.readInt() - Integer.BYTES);
  }

  /** Asks for the password in the clear, and hands it over. */
  static String password(Socket client) throws IOException {
    startUp(client);
    client.getOutputStream().write(HostileServer.bytes(message('R', number(3))));
    var in = new DataInputStream(client.getInputStream());
    in.readUnsignedByte();
    return new String(in.readNBytes(in.readInt() - Integer.BYTES - 1), StandardCharsets.UTF_8);
  }

  private static String message(char type, String payload) {
    return type + number(Integer.BYTES + payload.length()) + payload;
  }

  private static String number(int value) {
    var bytes = new ByteArrayOutputStream();
    try {
      new DataOutputStream(bytes).writeInt(value);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toString(StandardCharsets.ISO_8859_1);
  }
}
