package dev.hapax.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.flow.Effect;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Flow;
import dev.hapax.flow.RunStatus;
import dev.hapax.run.ledger.EffectReference;
import dev.hapax.store.Change;
import dev.hapax.store.ErasablePage;
import dev.hapax.store.Group;
import dev.hapax.store.Head;
import dev.hapax.store.Store;
import dev.hapax.testkit.ManualTime;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The search index is filled after the starts, and a search sees no difference. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class SqliteSearchTest {
  @TempDir Path folder;

  private final ManualTime time = new ManualTime();
  private final Flow<String, String> bill =
      Flow.of("bill", String.class, String.class)
          .key(input -> input)
          .searchable("customer", input -> "c-" + input)
          .body(
              (run, input) ->
                  run.effect("charge", Effect.create(input).keyed(), _ -> "done", String.class));

  @Test
  void a_start_writes_nothing_for_a_search_and_a_minute_later_the_index_is_filled()
      throws Exception {
    Path file = folder.resolve("store.db");
    try (Hapax hapax = Hapax.open(file, HapaxOptions.DEFAULT.ports(time.ports()))) {
      hapax.register(bill);
      hapax.start(bill, "A-1").await();
      assertThat(entries(file)).isZero();
      assertThat(hapax.indexForSearch()).as("too young").isFalse();
      assertThat(hapax.runs(hapax.runs().field("customer", "c-A-1"))).hasSize(1);

      time.move(Duration.ofMinutes(2));
      assertThat(hapax.indexForSearch()).isTrue();
      assertThat(hapax.indexForSearch()).isFalse();

      assertThat(entries(file)).as("key, flow, value, effect key, wire key").isEqualTo(5);
      assertThat(hapax.runs(hapax.runs().field("customer", "c-A-1"))).hasSize(1);
      assertThat(hapax.effects(hapax.effects().keyPrefix("A-"))).hasSize(1);
    }
  }

  @Test
  void a_search_fills_the_index_itself() throws Exception {
    Path file = folder.resolve("store.db");
    try (Hapax hapax = Hapax.open(file, HapaxOptions.DEFAULT.ports(time.ports()))) {
      hapax.register(bill);
      hapax.start(bill, "A-1").await();
      time.move(Duration.ofMinutes(2));

      assertThat(hapax.find("A-1")).hasSize(2);

      assertThat(entries(file)).isEqualTo(5);
    }
  }

  @Test
  void entries_go_with_their_runs_effects_and_tenants() throws Exception {
    Path file = folder.resolve("store.db");
    try (Store store = Orders.open(file)) {
      Orders.commit(store, Orders.start(1, "A-1"), Orders.start(2, "A-2"));
      Orders.commit(
          store,
          new Group(
              11,
              Orders.AT,
              new Head.Owned(1, Orders.OWNER, 1),
              List.of(
                  new Change.Effect(1, 1, EffectState.DONE, 1, null, null, null, null),
                  new Change.End(RunStatus.SUCCEEDED, null, null)),
              "[]"));
      Orders.commit(store, Group.always(12, Orders.AT, List.of(new Change.IndexSearch(100, 10))));
      assertThat(entries(file)).as("two runs and two effects").isEqualTo(8);

      Instant later = Orders.AT.plus(Duration.ofDays(40));
      Instant year = later.plus(Duration.ofDays(365));
      Orders.commit(
          store,
          Group.always(
              13,
              later,
              List.of(
                  new Change.ExpireRuns(List.of(1L), year),
                  new Change.LeaveEffects(List.of(new EffectReference(1, 1, null)), year))));
      assertThat(store.effect(1)).isNull();
      assertThat(entries(file)).as("one run and one effect").isEqualTo(4);

      var rows = new ErasablePage(List.of(2L), List.of(), List.of(2L), List.of());
      Orders.commit(
          store, Group.always(14, later, List.of(new Change.EraseTenant("acme", rows, 1))));
      assertThat(entries(file)).isZero();
    }
  }

  private static long entries(Path file) throws Exception {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT count(*) FROM search")) {
      return rows.next() ? rows.getLong(1) : -1;
    }
  }
}
