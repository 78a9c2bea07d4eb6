package dev.hapax.app.crash.blueprint;

import dev.hapax.app.ServerCalls.Reply;
import dev.hapax.app.ServerProcess;
import dev.hapax.json.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The way to a server that is often away. Who hears nothing, or that the server cannot answer now,
 * asks again, as every client does that means it. Safe for many threads.
 */
final class Door {
  private static final long PAUSE_NANOS = 30_000_000;

  private volatile @Nullable ServerProcess server;

  void leadTo(@Nullable ServerProcess process) {
    server = process;
  }

  Reply post(String path, Object body, String... headers) throws InterruptedException {
    return ask("POST", path, Json.write(body), headers);
  }

  Reply put(String path, Object body) throws InterruptedException {
    return ask("PUT", path, Json.write(body));
  }

  Reply ask(String method, String path, @Nullable String body, String... headers)
      throws InterruptedException {
    while (true) {
      Reply reply = once(method, path, body, headers);
      if (reply != null && reply.status() < 500) {
        return reply;
      }
      LockSupport.parkNanos(PAUSE_NANOS);
      if (Thread.interrupted()) {
        throw new InterruptedException("the test is over");
      }
    }
  }

  private @Nullable Reply once(String method, String path, @Nullable String body, String... headers)
      throws InterruptedException {
    ServerProcess now = server;
    if (now == null) {
      return null;
    }
    try {
      return now.ask(path.startsWith("/hooks/") ? null : now.token(), method, path, body, headers);
    } catch (IOException e) {
      return null; // it was killed
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** All items of a list. */
  List<JsonNode> all(String path) throws InterruptedException {
    var items = new ArrayList<JsonNode>();
    String more = path + (path.contains("?") ? "&" : "?") + "limit=200";
    for (String after = ""; ; ) {
      JsonNode page = ask("GET", more + after, null).json();
      page.path("items").forEach(items::add);
      if (page.path("next").isNull() || page.path("next").isMissingNode()) {
        return items;
      }
      after = "&after=" + page.path("next").asString();
    }
  }

  /** Starts a run twice, as a caller does who was not sure; returns its id. */
  String startTwice(String flow, Object input) throws InterruptedException {
    String path = "/api/flows/" + flow + "/runs";
    Reply first = must(post(path, input));
    Reply second = must(post(path, input));
    if (!first.at("/id").equals(second.at("/id"))) {
      throw new AssertionError("two runs of one key: " + first + ", " + second);
    }
    return first.at("/id");
  }

  static Reply must(Reply reply) {
    if (reply.status() >= 300) {
      throw new AssertionError(reply.toString());
    }
    return reply;
  }
}
