package dev.hapax.store.jdbc;

import dev.hapax.flow.EffectFilter;
import dev.hapax.flow.EffectSearch;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.RunFilter;
import dev.hapax.flow.RunSearch;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.TextMatch;
import dev.hapax.run.SearchEntry;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Asks every search once, and returns the statements that it executed. */
public final class SearchPlans {
  private static final String TENANT = "acme";

  private SearchPlans() {}

  /** Returns the texts of all statements of all searches. */
  public static Set<String> statements(Connection connection, Dialect dialect) throws SQLException {
    Set<String> texts = new LinkedHashSet<>();
    var session = new Session(connection, recording(dialect, texts));
    var runs = new RunListing(session);
    RunFilter all = RunFilter.of(TENANT);
    for (RunFilter filter :
        List.of(
            all.field("customer", "c-1"),
            all.key("A-1"),
            all.search(RunSearch.NONE.key(TextMatch.beginningWith("A-"))),
            all.search(RunSearch.NONE.anyField(TextMatch.beginningWith("c-"))),
            all.search(RunSearch.NONE.flows(Set.of("one", "two"))),
            all.status(RunStatus.FAILED),
            all.error("timeout"),
            all.retryable(true))) {
      runs.list(filter);
    }
    var effects = new EffectListing(session);
    EffectFilter any = EffectFilter.of(TENANT);
    try (var reader = new NoReader(new Session(connection, dialect))) {
      for (EffectFilter filter :
          List.of(
              any.state(EffectState.REVIEW),
              any.wireKey("w"),
              any.keyPrefix("A-"),
              any.key("A-1"),
              any.externalId("ch_1"),
              any.search(EffectSearch.NONE.externalId(TextMatch.beginningWith("ch_"))),
              any.search(EffectSearch.NONE.run(1L)))) {
        effects.list(filter, reader);
      }
    }
    var events = new EventSearch(session);
    events.find(TENANT, TextMatch.exactly("evt-1"), 10);
    events.find(TENANT, TextMatch.beginningWith("evt-"), 10);
    var index = new SearchIndex(session);
    index.exactly(TENANT, SearchEntry.WIRE_KEY, "w", 1);
    index.isBehind(1);
    return texts;
  }

  /** The statement as a server without named parameters knows it. */
  public static String numbered(String sql) {
    var text = new StringBuilder();
    int place = 0;
    for (char c : NamedParameters.in(sql).text().toCharArray()) {
      text.append(c == '?' ? "$" + ++place : String.valueOf(c));
    }
    return text.toString();
  }

  private static Dialect recording(Dialect dialect, Set<String> texts) {
    return (Dialect)
        Proxy.newProxyInstance(
            Dialect.class.getClassLoader(),
            new Class<?>[] {Dialect.class},
            (_, method, arguments) -> {
              if (method.getName().equals("prepare")) {
                texts.add((String) arguments[1]);
              }
              return method.invoke(dialect, arguments);
            });
  }

  /** Reads journals; leaves its connection open. */
  private static final class NoReader extends StoreReader {
    NoReader(Session session) throws SQLException {
      super(session);
    }

    @Override
    protected void begin() {}

    @Override
    protected void oneMoment() {}

    @Override
    protected void end() {}

    @Override
    public void close() {}
  }
}
