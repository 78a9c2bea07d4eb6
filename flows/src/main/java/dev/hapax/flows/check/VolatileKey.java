package dev.hapax.flows.check;

import dev.hapax.flows.expression.Expression;
import dev.hapax.flows.file.FlowFile;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** A key made of a field that by its name or format is a time or a random id. */
final class VolatileKey implements Rule {
  @Override
  public String id() {
    return "volatile-key";
  }

  @Override
  public Level level() {
    return Level.WARNING;
  }

  private static final Pattern NAME =
      Pattern.compile(
          "(?i)(.*[a-z_])?(timestamp|datetime|uuid|guid|nonce|random)|now|time|date"
              + "|.*[a-z](At|Time|Date|RequestId|TraceId)|.*_(at|time|date)|(request|trace)_?id|attempt");
  private static final Set<String> FORMATS = Set.of("date-time", "date", "time", "uuid");

  @Override
  public void check(FlowFile flow, Report report) {
    for (Keys.Key key : Keys.of(flow)) {
      for (Expression expression : key.template().expressions()) {
        if (!expression.reach().functions().contains("bucket")) {
          check(flow, key, expression, report);
        }
      }
    }
  }

  private static void check(FlowFile flow, Keys.Key key, Expression expression, Report report) {
    for (List<String> path : expression.reach().paths()) {
      boolean given = path.getFirst().equals("input") || path.getFirst().equals("item");
      if (given && path.size() > 1 && isVolatile(flow, path)) {
        report.add(
            expression.position(),
            "%s uses '%s', which looks like a time or a random id: the same intent, sent again, would have another one"
                .formatted(key.what(), String.join(".", path)),
            "Use a business id. For a time of the event: bucket(%s, '1h')."
                .formatted(String.join(".", path)));
      }
    }
  }

  private static boolean isVolatile(FlowFile flow, List<String> path) {
    if (NAME.matcher(path.getLast()).matches()) {
      return true;
    }
    JsonNode schema = flow.input() == null ? null : flow.input().source();
    for (int i = 1; schema != null && i < path.size(); i++) {
      schema = schema.path("properties").get(path.get(i));
    }
    return schema != null
        && schema.path("format").isString()
        && FORMATS.contains(schema.path("format").stringValue());
  }
}
