package dev.hapax.app.attack;

import java.io.IOException;
import java.net.Socket;
import java.util.LinkedHashMap;
import java.util.Map;

/** Ways to misbehave as a mail server; the user name of the sender's address chooses none. */
final class HostileMail {
  static final Map<String, HostileServer.Script> WAYS = ways();

  private HostileMail() {}

  private static Map<String, HostileServer.Script> ways() {
    var ways = new LinkedHashMap<String, HostileServer.Script>();
    ways.put("mail-line", (s, c) -> s.forever(c, "220 ", "x"));
    ways.put("mail-lines", (s, c) -> s.forever(c, "", "220-more\r\n"));
    ways.put("mail-skills", (s, c) -> s.forever(c, "220 hi\r\n", "250-SKILL x\r\n"));
    ways.put("mail-drip", (s, c) -> s.drip(c, "220", "-"));
    ways.put("mail-silence", (_, c) -> HostileServer.silence(c, ""));
    ways.put("mail-no-smtp", (s, c) -> s.forever(c, "", "\0\1\2"));
    return ways;
  }

  /** Takes the mail, and never says so. */
  static void swallow(HostileServer server, Socket client) throws IOException {
    server.count("mail");
    HostileServer.silence(client, "220 hi\r\n250 hi\r\n250 from\r\n250 to\r\n354 go on\r\n");
  }
}
