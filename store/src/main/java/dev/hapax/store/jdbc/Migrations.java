package dev.hapax.store.jdbc;

import dev.hapax.flow.StoreRefused;
import dev.hapax.json.Digest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Brings a schema up to date with numbered files, each in its own transaction. The table {@code
 * migration} records which were applied. A file never changes after a release; its checksum shows
 * if it did.
 */
public final class Migrations {
  /**
   * Every database has the same numbers and names, but its own files. MIGRATIONS.md explains the
   * gap.
   */
  private static final List<String> NAMES =
      """
      001_meta
      002_run
      003_journal
      004_effect
      005_waiter
      006_wait
      007_kv
      008_resource
      009_limit
      010_inbox
      011_schedule
      012_retention
      013_lane
      014_child
      016_ledger_retention
      017_node
      018_failover
      019_generation
      020_identity
      022_caller
      023_expired_effect_tenant
      024_versions
      025_overlap
      026_search
      027_stopped
      028_job
      029_tenant_retention
      030_subject
      """
          .lines()
          .toList();

  private static final String TABLE =
      """
      CREATE TABLE IF NOT EXISTS migration (
        number INTEGER NOT NULL,
        name TEXT NOT NULL,
        checksum TEXT NOT NULL,
        CONSTRAINT migration_applied_once PRIMARY KEY (number)
      )
      """;

  private static final String RECORD =
      "INSERT INTO migration (number, name, checksum) VALUES (:number, :name, :checksum)";

  private static final String APPLIED =
      "SELECT number, name, checksum FROM migration ORDER BY number";

  private final Session session;
  private final String begin;
  private final List<Migration> known;

  /**
   * @param begin how this database begins a writing transaction
   * @param owner the class next to the files
   */
  public Migrations(Session session, String begin, Class<?> owner) {
    this.session = session;
    this.begin = begin;
    this.known = NAMES.stream().map(name -> Migration.read(owner, name)).toList();
  }

  /** Refuses a schema that this version cannot continue with; changes nothing. */
  public void check(boolean hasSchema) throws SQLException {
    if (!hasSchema) {
      return;
    }
    for (Applied applied : applied()) {
      Migration same = find(applied.number());
      if (same == null) {
        throw new StoreRefused(
            "the store was written by a newer Hapax: it has migration %d '%s', but this release knows migrations up to %d only. Upgrade Hapax, or restore a backup from before the upgrade."
                .formatted(applied.number(), applied.name(), known.getLast().number()),
            null);
      }
      if (!same.checksum().equals(applied.checksum())) {
        throw new StoreRefused(
            "migration %d '%s' of the store differs from the one in this Hapax: checksum %s, expected %s. Use the release that made the store, or a later one."
                .formatted(applied.number(), applied.name(), applied.checksum(), same.checksum()),
            null);
      }
    }
  }

  /** Applies the missing files. */
  public void apply() throws SQLException {
    run(TABLE);
    List<Long> done = applied().stream().map(Applied::number).toList();
    for (Migration migration : known) {
      if (!done.contains(migration.number())) {
        apply(migration);
      }
    }
  }

  private void apply(Migration migration) throws SQLException {
    run(begin);
    try {
      run(migration.sql());
      record(migration);
    } catch (SQLException e) {
      run("ROLLBACK");
      throw e;
    }
    run("COMMIT");
  }

  private void record(Migration migration) throws SQLException {
    try (var insert = session.prepare(RECORD)) {
      insert.with(migration.number()).with(migration.name()).with(migration.checksum()).update();
    }
  }

  private List<Applied> applied() throws SQLException {
    try (var select = session.prepare(APPLIED)) {
      return select.all(row -> new Applied(row.number(1), row.text(2), row.text(3)));
    }
  }

  private @Nullable Migration find(long number) {
    return known.stream().filter(migration -> migration.number() == number).findAny().orElse(null);
  }

  private void run(String sql) throws SQLException {
    try (Statement statement = session.connection().createStatement()) {
      statement.executeUpdate(
          sql); // not execute(): SQLite's would stop after the file's first statement
    }
  }

  private record Applied(long number, String name, String checksum) {}

  private record Migration(long number, String name, String sql, String checksum) {
    static Migration read(Class<?> owner, String file) {
      try (InputStream in = owner.getResourceAsStream(file + ".sql")) {
        if (in == null) {
          throw new IllegalStateException("migration " + file + ".sql is missing in the jar");
        }
        String sql = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        int separator = file.indexOf('_');
        return new Migration(
            Long.parseLong(file.substring(0, separator)),
            file.substring(separator + 1),
            sql,
            HexFormat.of().formatHex(Digest.sha256(sql)));
      } catch (IOException e) {
        throw new UncheckedIOException("migration " + file + ".sql cannot be read", e);
      }
    }
  }
}
