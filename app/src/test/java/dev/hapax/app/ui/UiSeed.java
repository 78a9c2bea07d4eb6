package dev.hapax.app.ui;

import dev.hapax.app.TestServer;
import dev.hapax.json.Json;
import java.util.Map;

/** Data with something to see on every page: done, failed, in doubt, waiting, stopped twice. */
final class UiSeed {
  private static final String[] WAIT = {"Prefer", "wait=20"};

  private UiSeed() {}

  static void into(TestServer server) {
    for (int i = 1; i <= 12; i++) {
      start(server, "A-" + (1000 + i));
    }
    start(server, "A-1001");
    start(server, "A-1001");
    server.mood("A-2001", "refused");
    start(server, "A-2001");
    server.mood("A-2002", "lost");
    start(server, "A-2002");
    start(server, "<script>alert(1)</script>");
  }

  static String start(TestServer server, String id) {
    String input = Json.write(Map.of("id", id, "total", 40));
    return server.post("/api/flows/order/runs", input, WAIT).at("/id");
  }
}
