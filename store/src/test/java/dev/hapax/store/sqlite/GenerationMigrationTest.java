package dev.hapax.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flow.Fingerprint;
import dev.hapax.flow.RunId;
import dev.hapax.flow.RunStatus;
import dev.hapax.run.NewRun;
import dev.hapax.run.Succession;
import dev.hapax.store.Batch;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer.Landed;
import dev.hapax.store.Head;
import dev.hapax.store.Store;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stores from before generations were counted go on: the migration counts those that are there. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class GenerationMigrationTest {
  @TempDir Path folder;
  private Instant now = Orders.AT;
  private long number;

  @Test
  void generations_of_an_older_store_are_counted_key_by_key() throws Exception {
    Path file = folder.resolve("old.db");
    try (Store store = Orders.open(file)) {
      for (int generation = 0; generation < 5; generation++) {
        endAndExpire(store, "A-1", generation);
        if (generation < 2) {
          endAndExpire(store, "A-2", generation);
        }
      }
    }
    makeOld(file);

    try (Store store = Orders.open(file)) {
      assertThat(newest(store, "A-1")).isEqualTo(4);
      assertThat(newest(store, "A-2")).isEqualTo(1);
      endAndExpire(store, "A-1", 5);
      assertThat(newest(store, "A-1")).isEqualTo(5);
      assertThat(newest(store, "A-2")).isEqualTo(1);
    }
  }

  private static int newest(Store store, String key) {
    long first = Objects.requireNonNull(store.holder(id(key, 0))).number();
    var newest = Objects.requireNonNull(store.newest(first));
    assertThat(newest.holder()).isEqualTo(store.holder(id(key, newest.number())));
    return newest.number();
  }

  private void endAndExpire(Store store, String key, int generation) {
    String input = "{}";
    var run =
        new NewRun(
            ++number, id(key, 0), "acme", "report", 1, key, Fingerprint.of(input), input, null);
    NewRun started =
        generation == 0
            ? run
            : run.succeeding(id(key, generation), new Succession(id(key, generation - 1), true));
    commit(
        store,
        new Head.Insert(started, Orders.OWNER),
        new Change.End(RunStatus.SUCCEEDED, null, null));
    now = now.plus(Duration.ofDays(31));
    var expire = new Change.ExpireRuns(List.of(run.number()), now.plus(Duration.ofDays(900)));
    commit(store, new Head.Always(), expire);
  }

  private void commit(Store store, Head head, Change change) {
    var group = new Group(++number, now, head, List.of(change), null);
    assertThat(store.commit(new Batch(List.of(group))).getFirst()).isInstanceOf(Landed.class);
  }

  private static RunId id(String key, int generation) {
    return RunId.of("acme", "report", key, null, generation);
  }

  /** As the release before left it. */
  private static void makeOld(Path file) throws Exception {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement()) {
      statement.executeUpdate(
          """
          DROP TABLE subject_erasure;
          CREATE TABLE retention_before (
            flow TEXT NOT NULL, keep INTEGER NOT NULL, CONSTRAINT retention_one_per_flow PRIMARY KEY (flow)
          ) STRICT, WITHOUT ROWID;
          INSERT INTO retention_before (flow, keep) SELECT flow, max(keep) FROM retention GROUP BY flow;
          DROP TABLE retention;
          ALTER TABLE retention_before RENAME TO retention;
          CREATE TABLE effect_use_before (
            name TEXT NOT NULL, flow TEXT NOT NULL, at_least INTEGER NOT NULL,
            CONSTRAINT effect_use_one_per_name_and_flow PRIMARY KEY (name, flow)
          ) STRICT, WITHOUT ROWID;
          INSERT INTO effect_use_before (name, flow, at_least)
            SELECT name, flow, max(at_least) FROM effect_use GROUP BY name, flow;
          DROP TABLE effect_use;
          ALTER TABLE effect_use_before RENAME TO effect_use;
          DROP TABLE job_item;
          DROP TABLE job;
          DROP INDEX succession_by_first_run;
          ALTER TABLE succession DROP COLUMN first_run;
          ALTER TABLE succession DROP COLUMN generation;
          DELETE FROM meta WHERE name IN ('store_id', 'epoch');
          ALTER TABLE run DROP COLUMN started_by;
          ALTER TABLE wait DROP COLUMN key_version;
          ALTER TABLE wait DROP COLUMN not_by_starter;
          ALTER TABLE wait DROP COLUMN needs_token;
          ALTER TABLE expired_effect DROP COLUMN tenant;
          DROP INDEX inbox_by_content;
          ALTER TABLE schedule DROP COLUMN last_run;
          ALTER TABLE schedule DROP COLUMN skipped;
          ALTER TABLE schedule DROP COLUMN queued_until;
          ALTER TABLE inbox DROP COLUMN content;
          ALTER TABLE inbox DROP COLUMN version_text;
          ALTER TABLE inbox_object DROP COLUMN version_text;
          ALTER TABLE effect DROP COLUMN version_text;
          ALTER TABLE expired_effect DROP COLUMN version_text;
          DROP INDEX effect_by_external_id;
          DROP INDEX run_by_error;
          DROP INDEX run_retryable;
          DROP TABLE search;
          ALTER TABLE run DROP COLUMN search;
          ALTER TABLE duplicate DROP COLUMN notes;
          DELETE FROM meta WHERE name IN ('runs_searched_before', 'effects_searched_before');
          DELETE FROM migration WHERE number >= 19;
          """);
    }
  }
}
