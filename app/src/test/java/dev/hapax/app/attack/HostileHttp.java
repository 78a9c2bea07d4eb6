package dev.hapax.app.attack;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.zip.GZIPOutputStream;

/** Ways to answer an HTTP request; the first part of the path chooses one. */
final class HostileHttp {
  private static final String OK = "HTTP/1.1 200 OK\r\n";
  private static final String CHUNKED = OK + "Transfer-Encoding: chunked\r\n\r\n";

  /** By name; the answer never ends, or says something outrageous. */
  static final Map<String, HostileServer.Script> WAYS = ways();

  private HostileHttp() {}

  private static Map<String, HostileServer.Script> ways() {
    var ways = new LinkedHashMap<String, HostileServer.Script>();
    ways.put("continue", (s, c) -> s.forever(c, "", "HTTP/1.1 100 Continue\r\n\r\n"));
    ways.put("hints", (s, c) -> s.forever(c, "", "HTTP/1.1 103 Hints\r\nLink: <a>\r\n\r\n"));
    ways.put("equal-headers", (s, c) -> s.forever(c, OK, "a: b\r\n"));
    ways.put("long-header", (s, c) -> s.forever(c, OK + "X: ", "x"));
    ways.put("long-status", (s, c) -> s.forever(c, "HTTP/1.1 200 ", "x"));
    ways.put("no-http", (s, c) -> s.forever(c, "", "\0"));
    ways.put("trailers", (s, c) -> s.forever(c, CHUNKED + "0\r\n", "a: b\r\n"));
    ways.put("long-trailer", (s, c) -> s.forever(c, CHUNKED + "0\r\nX: ", "x"));
    ways.put("extensions", (s, c) -> s.forever(c, CHUNKED, "1;" + "x".repeat(4_000) + "\r\ny\r\n"));
    ways.put("long-extension", (s, c) -> s.forever(c, CHUNKED + "1;", "x"));
    ways.put("zeros", (s, c) -> s.forever(c, CHUNKED, "0"));
    ways.put("no-end-of-chunk", (s, c) -> s.forever(c, CHUNKED + "1\r\n", "x"));
    ways.put("body", (s, c) -> s.forever(c, OK + "\r\n", "x"));
    ways.put("drip-head", (s, c) -> s.drip(c, OK + "X: ", "x"));
    ways.put("drip-continue", (s, c) -> s.drip(c, "", "HTTP/1.1 100 Continue\r\n\r\n"));
    ways.put("drip-body", (s, c) -> s.drip(c, OK + "\r\n", "x"));
    ways.put("drip-chunks", (s, c) -> s.drip(c, CHUNKED, "1\r\nx\r\n"));
    ways.put("silence", (_, c) -> HostileServer.silence(c, ""));
    ways.put(
        "claim",
        (_, c) -> HostileServer.silence(c, OK + "Content-Length: 999999999999999\r\n\r\nx"));
    ways.put("claim-chunk", (_, c) -> HostileServer.silence(c, CHUNKED + "ffffffffffff\r\nx"));
    ways.put("claim-less", (_, c) -> HostileServer.silence(c, OK + "Content-Length: -1\r\n\r\n"));
    ways.put("redirect", (_, c) -> say(c, "302 Found", "Location: /redirect\r\n", ""));
    return ways;
  }

  /** A whole answer. */
  static void say(Socket client, String status, String headers, String body) throws IOException {
    client
        .getOutputStream()
        .write(
            HostileServer.bytes(
                "HTTP/1.1 %s\r\n%sContent-Length: %d\r\n\r\n%s"
                    .formatted(status, headers, body.length(), body)));
  }

  /** Ten megabytes in ten kilobytes. */
  static void bomb(Socket client) throws IOException {
    var packed = new ByteArrayOutputStream();
    try (var zip = new GZIPOutputStream(packed)) {
      zip.write(new byte[10 << 20]);
    }
    say(
        client,
        "200 OK",
        "Content-Encoding: gzip\r\n",
        packed.toString(java.nio.charset.StandardCharsets.ISO_8859_1));
  }

  /** Reads a request up to its body, and answers in the way that its path names. */
  static void answer(HostileServer server, Socket client) throws IOException, InterruptedException {
    InputStream in = client.getInputStream();
    var head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = in.read();
      if (next < 0) {
        return;
      }
      head.append((char) next);
    }
    String[] line = head.substring(0, head.indexOf("\r\n")).split(" ", -1);
    String way = line[1].substring(1);
    server.count(line[0] + " " + way);
    switch (way) {
      case "bomb" -> bomb(client);
      case "later" -> say(client, "503 Busy", "Retry-After: 999999999\r\n", "");
      case "told" -> Objects.requireNonNull(WAYS.get("continue")).talk(server, client);
      case "drop" -> {} // the request has arrived, and no answer comes
      default -> Objects.requireNonNull(WAYS.get(way), way).talk(server, client);
    }
  }
}
