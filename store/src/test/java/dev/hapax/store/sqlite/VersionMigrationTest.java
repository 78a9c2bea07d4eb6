package dev.hapax.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.Acknowledgement;
import dev.hapax.Event;
import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.flow.Flow;
import dev.hapax.flow.InboxOutcome;
import dev.hapax.flow.ObjectVersion;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stores from before contents were kept with versions go on: the run of a version has it. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class VersionMigrationTest {
  @TempDir Path folder;

  private final Flow<String, String> flow =
      Flow.of("paid", String.class, String.class).body((run, input) -> input);

  @Test
  void versions_of_an_older_store_are_numbers_and_their_content_is_that_of_their_run()
      throws Exception {
    Path file = folder.resolve("old.db");
    Acknowledgement first;
    try (Hapax hapax = open(file)) {
      first = receive(hapax, "evt-1", "3", "forty");
    }
    makeOld(file);

    try (Hapax hapax = open(file)) {
      Acknowledgement same = receive(hapax, "evt-2", "3.0", "forty");
      Acknowledgement older = receive(hapax, "evt-3", "2", "fifty");
      Acknowledgement tied = receive(hapax, "evt-4", "3", "fifty");
      Acknowledgement other = receive(hapax, "evt-5", "v4", "sixty");

      assertThat(same.outcome()).isEqualTo(InboxOutcome.DUPLICATE);
      assertThat(same.run()).isEqualTo(first.run());
      assertThat(older.outcome()).isEqualTo(InboxOutcome.STALE);
      assertThat(tied.outcome()).isEqualTo(InboxOutcome.ACCEPTED);
      assertThat(other.outcome()).isEqualTo(InboxOutcome.INVALID);
      assertThat(hapax.inbox().event(first.event()).version()).isEqualTo(ObjectVersion.of(3));
    }
  }

  private Hapax open(Path file) {
    Hapax hapax = Hapax.open(file, HapaxOptions.DEFAULT);
    hapax.register(flow);
    hapax.inbox().source("shop", String.class, flow, text -> text);
    return hapax;
  }

  private static Acknowledgement receive(Hapax hapax, String id, String version, String text) {
    return hapax.inbox().receive(Event.from("shop").id(id).about("order/7", version).payload(text));
  }

  /** As the release before left it. */
  private static void makeOld(Path file) throws Exception {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement()) {
      for (String sql :
          List.of(
              "DROP INDEX inbox_by_content",
              "ALTER TABLE inbox DROP COLUMN content",
              "ALTER TABLE inbox DROP COLUMN version_text",
              "ALTER TABLE inbox_object DROP COLUMN version_text",
              "ALTER TABLE effect DROP COLUMN version_text",
              "ALTER TABLE expired_effect DROP COLUMN version_text",
              "DELETE FROM migration WHERE number = 24")) {
        statement.executeUpdate(sql);
      }
    }
  }
}
