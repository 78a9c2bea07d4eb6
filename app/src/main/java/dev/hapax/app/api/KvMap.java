package dev.hapax.app.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonRawValue;
import dev.hapax.Kv;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.FlowSubject;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.RouteAnswer;
import dev.hapax.app.http.TokenScope;
import dev.hapax.app.wire.JsonText;
import dev.hapax.app.wire.Page;
import dev.hapax.flow.KvEntry;
import dev.hapax.flow.KvResult;
import dev.hapax.flows.expression.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The durable map that the runs of a tenant share. */
public final class KvMap {
  private KvMap() {}

  /** Returns its routes. */
  public static List<Route> routes() {
    return List.of(
        Route.get(
                "/api/kv",
                TokenScope.KV_READ,
                "List entries by a prefix of their keys",
                KvMap::list)
            .about(FlowSubject.SHARED)
            .query("prefix", "The beginning of the keys.")
            .givesPage(Entry.class),
        Route.get("/api/kv/{+key}", TokenScope.KV_READ, "Get an entry", KvMap::get)
            .about(FlowSubject.SHARED)
            .gives(200, Entry.class),
        Route.put("/api/kv/{+key}", TokenScope.KV_WRITE, "Write an entry", KvMap::put)
            .about(FlowSubject.SHARED)
            .takes(PutBody.class)
            .gives(200, Outcome.class),
        Route.delete("/api/kv/{+key}", TokenScope.KV_WRITE, "Delete an entry", KvMap::delete)
            .about(FlowSubject.SHARED)
            .gives(200, Outcome.class));
  }

  private record Entry(
      String key,
      @Nullable @JsonRawValue String value,
      long version,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Instant expiresAt) {}

  private record Outcome(
      String key, @Nullable @JsonRawValue String value, long version, boolean written) {}

  private static RouteAnswer list(Call call) {
    call.allowQuery("prefix", "limit", "after");
    int limit = call.limit();
    String prefix = call.query("prefix");
    List<KvEntry> found =
        call.hapax().kv().list(prefix == null ? "" : prefix, call.query("after"), limit + 1);
    return RouteAnswer.ok(Page.of(found, limit, KvMap::entry, KvEntry::key));
  }

  private static Entry entry(KvEntry entry) {
    return new Entry(entry.key(), JsonText.raw(entry.value()), entry.version(), entry.expiresAt());
  }

  private static RouteAnswer get(Call call) {
    String key = call.path("key");
    KvResult found = call.hapax().kv().get(key);
    if (!found.isPresent()) {
      throw Problem.notFound("there is no entry '%s'".formatted(key));
    }
    return RouteAnswer.ok(new Entry(key, JsonText.raw(found.json()), found.version(), null));
  }

  /**
   * The entry to write.
   *
   * @param version only if the entry still has this one, 0 for none
   * @param from only if the entry has one of these values; null also means no entry
   */
  private record PutBody(
      @Nullable JsonNode value,
      @Nullable String ttl,
      @Nullable Long version,
      @Nullable List<JsonNode> from) {}

  private static RouteAnswer put(Call call) {
    PutBody body = call.json(PutBody.class);
    String key = call.path("key");
    Kv kv = call.hapax().kv();
    Duration ttl = ttl(body.ttl());
    Long version = body.version();
    List<JsonNode> from = body.from();
    if (from != null) {
      return transition(call, body, from, ttl);
    }
    if (call.json().has("from")) { // a condition that got lost must not write over any value
      throw Problem.invalidInput("from: expected a list of values, got null");
    }
    KvResult result =
        version == null
            ? kv.put(key, body.value(), ttl)
            : version == 0
                ? kv.putIfAbsent(key, body.value(), ttl)
                : kv.compareAndSet(key, version, body.value(), ttl);
    if (!result.written()) {
      throw Problem.stale(
              "entry '%s' has version %d, not %d. Read it again, then decide"
                  .formatted(key, result.version(), version))
          .with("version", result.version());
    }
    return RouteAnswer.ok(outcome(key, result));
  }

  private static RouteAnswer transition(
      Call call, PutBody body, List<JsonNode> from, @Nullable Duration ttl) {
    if (body.version() != null) {
      throw Problem.invalidInput("version and from: expected one of them, got both");
    }
    String key = call.path("key");
    KvResult result = call.hapax().kv().transition(key, from, body.value(), ttl);
    if (!result.written()) {
      throw Problem.stale(
              "entry '%s' has none of the values of 'from'. Read it again, then decide"
                  .formatted(key))
          .with("version", result.version());
    }
    return RouteAnswer.ok(outcome(key, result));
  }

  private static Outcome outcome(String key, KvResult result) {
    return new Outcome(key, JsonText.raw(result.json()), result.version(), result.written());
  }

  private static @Nullable Duration ttl(@Nullable String text) {
    if (text == null) {
      return null;
    }
    Duration ttl = Durations.parse(text);
    if (ttl == null) {
      throw Problem.invalidInput("ttl: expected a duration such as 10m, got '%s'".formatted(text));
    }
    return ttl;
  }

  private static RouteAnswer delete(Call call) {
    String key = call.path("key");
    return RouteAnswer.ok(outcome(key, call.hapax().kv().delete(key)));
  }
}
