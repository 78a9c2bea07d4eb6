package dev.hapax.trial.sandbox;

import dev.hapax.flow.Rejected;
import dev.hapax.flow.SqlDatabase;
import dev.hapax.json.Json;
import dev.hapax.trial.sandbox.SandboxRequest.Way;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A database that executes nothing: statements have the results that the book says. */
final class SandboxDatabase implements SqlDatabase {
  private static final Duration ALWAYS = Duration.ofDays(36_500);
  private static final Map<String, Object> WRITTEN = Map.of("rows", List.of(), "count", 1);
  private static final Map<String, Object> NOTHING = Map.of("rows", List.of(), "count", 0);

  private final String name;
  private final Exchanges exchanges;
  private final UsualAnswers usual;
  private final Supplier<RequestOrigin> origin;
  private final Duration timeout;

  SandboxDatabase(
      String name,
      Exchanges exchanges,
      UsualAnswers usual,
      Supplier<RequestOrigin> origin,
      Duration timeout) {
    this.name = name;
    this.exchanges = exchanges;
    this.usual = usual;
    this.origin = origin;
    this.timeout = timeout;
  }

  @Override
  public Result run(String sql, Map<String, ? extends @Nullable Object> params) throws Exception {
    return result(send(sql, params, sameness(sql, params)));
  }

  /** The marker commits with the write, so a known marker means that the write is there. */
  @Override
  public String once(String marker, Work<Session> work) throws Exception {
    return work.in(
        (sql, params) ->
            result(send(sql, params, new Sameness.ByKey(name, marker, ALWAYS, false))));
  }

  private Content send(String sql, Map<String, ? extends @Nullable Object> params, Sameness same)
      throws Exception {
    var body = new LinkedHashMap<String, @Nullable Object>();
    body.put("sql", sql);
    body.put("params", params);
    Content content =
        exchanges.send(
            Letter.of(Way.DATABASE, "sql", name, Json.write(body), same),
            origin.get(),
            timeout,
            this::answer);
    if (content.status() >= 400) {
      throw new Rejected("sql", "database '%s' refused the statement".formatted(name));
    }
    return content;
  }

  private Content answer(SandboxRequest request, SandboxAnswer given) {
    Content content = usual.value(request, given, request.from().isEffect() ? WRITTEN : NOTHING);
    return given.status() == null
        ? content
        : new Content(given.status(), content.headers(), content.body());
  }

  /** An update, a deletion and an insert that minds conflicts lead to a state. */
  private Sameness sameness(String sql, Map<String, ? extends @Nullable Object> params) {
    if (!origin.get().isEffect()) {
      return new Sameness.Reading();
    }
    String text = sql.strip().toLowerCase(Locale.ROOT);
    boolean isState =
        text.startsWith("update")
            || text.startsWith("delete")
            || text.startsWith("merge")
            || text.contains("on conflict");
    return isState
        ? new Sameness.ByState(name + " " + sql, Json.write(params))
        : new Sameness.Never();
  }

  private static Result result(Content content) {
    if (!(content.body() instanceof Map<?, ?> output)) {
      return new Result(List.of(), 0);
    }
    var rows = new ArrayList<Map<String, @Nullable Object>>();
    if (output.get("rows") instanceof List<?> list) {
      for (Object one : list) {
        rows.add(row(one));
      }
    }
    long count = output.get("count") instanceof Number number ? number.longValue() : rows.size();
    return new Result(rows, count);
  }

  private static Map<String, @Nullable Object> row(@Nullable Object one) {
    var row = new LinkedHashMap<String, @Nullable Object>();
    if (one instanceof Map<?, ?> map) {
      map.forEach((column, value) -> row.put(String.valueOf(column), value));
    }
    return row;
  }
}
