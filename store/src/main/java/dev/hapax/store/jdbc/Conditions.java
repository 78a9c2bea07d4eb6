package dev.hapax.store.jdbc;

import dev.hapax.flow.TextMatch;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The conditions of a query that are known only when it is asked, each with its parameter. */
final class Conditions {
  private final List<String> texts = new ArrayList<>();
  private final List<Object> values = new ArrayList<>();

  /**
   * Adds a condition.
   *
   * @param text with one named parameter, which no other condition has
   */
  Conditions and(String text, @Nullable Object value) {
    if (value != null) {
      texts.add(text);
      values.add(value);
    }
    return this;
  }

  /** Adds a condition that has no parameter. */
  Conditions and(String text) {
    texts.add(text);
    return this;
  }

  /** Adds that the key is this one, or begins so; nothing if there is no such wish. */
  Conditions andKey(@Nullable TextMatch key) {
    return key == null
        ? this
        : and(
            key.isPrefix() ? "substr(key, 1, length(:wanted)) = :wanted" : "key = :wanted",
            key.text());
  }

  /** Prepares the query; {@code %s} becomes the conditions. Its first parameters are theirs. */
  Prepared prepare(Session session, String sql) throws SQLException {
    Prepared prepared = session.prepare(sql.formatted(String.join(" AND ", texts)));
    for (Object value : values) {
      if (value instanceof Long number) {
        prepared.with(number.longValue());
      } else {
        prepared.with(value.toString());
      }
    }
    return prepared;
  }
}
