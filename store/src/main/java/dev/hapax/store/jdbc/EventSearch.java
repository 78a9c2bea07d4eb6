package dev.hapax.store.jdbc;

import dev.hapax.flow.InboxEvent;
import dev.hapax.flow.TextMatch;
import dev.hapax.store.KvFilter;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds events by their id alone. The index begins with the source, and a tenant has few sources,
 * so each is asked in turn.
 */
final class EventSearch {
  /** A tenant has no more webhooks than that; further ones are not asked. */
  private static final int MOST_SOURCES = 1_000;

  private static final String NEXT_SOURCE =
      "SELECT source FROM inbox WHERE tenant = :tenant AND source > :after ORDER BY source LIMIT 1";

  private static final String FIND =
      "SELECT " + InboxRows.COLUMNS + " FROM inbox WHERE %s ORDER BY event LIMIT :limit";

  private final Session session;

  EventSearch(Session session) {
    this.session = session;
  }

  List<InboxEvent> find(String tenant, TextMatch event, int limit) throws SQLException {
    List<InboxEvent> found = new ArrayList<>();
    String source = "";
    for (int i = 0; i < MOST_SOURCES && found.size() < limit; i++) {
      source = next(tenant, source);
      if (source == null) {
        break;
      }
      found.addAll(find(tenant, source, event, limit - found.size()));
    }
    return found;
  }

  private @Nullable String next(String tenant, String after) throws SQLException {
    try (var query = session.prepare(NEXT_SOURCE)) {
      return query.with(tenant).with(after).first(row -> row.text(1));
    }
  }

  private List<InboxEvent> find(String tenant, String source, TextMatch event, int limit)
      throws SQLException {
    var where = new Conditions().and("tenant = :tenant", tenant).and("source = :source", source);
    if (event.isPrefix()) {
      where
          .and("event >= :from", event.text())
          .and("event < :until", new KvFilter("", event.text(), null, Instant.EPOCH, 1).until());
    } else {
      where.and("event = :event", event.text());
    }
    try (var query = where.prepare(session, FIND)) {
      return query.with(limit).all(InboxRows::row);
    }
  }
}
