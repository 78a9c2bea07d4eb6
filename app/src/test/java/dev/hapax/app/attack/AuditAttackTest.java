package dev.hapax.app.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.TestServer;
import dev.hapax.app.TestServer.Reply;
import dev.hapax.json.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A person who can write to the database cannot change the audit log unnoticed. */
@Tag("attack")
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AuditAttackTest {
  private static final String LINES =
      "tenant = 'hapax/server' AND (key LIKE 'audit/default/%' OR key = 'audit-end/default')";

  @TempDir private static Path folder;
  private static TestServer server;

  @BeforeAll
  static void linesInTheLog() throws IOException {
    server = new TestServer(folder);
    for (int i = 0; i < 5; i++) {
      server.put("/api/secrets/bank-" + i, "{\"value\": \"a secret\"}");
    }
  }

  @AfterAll
  static void close() {
    server.close();
  }

  private static Connection database() throws SQLException {
    return DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("hapax.db"));
  }

  private static Map<String, String> rows(Connection database) throws SQLException {
    var rows = new LinkedHashMap<String, String>();
    try (Statement query = database.createStatement();
        ResultSet found =
            query.executeQuery("SELECT key, value FROM kv WHERE " + LINES + " ORDER BY key")) {
      while (found.next()) {
        rows.put(found.getString(1), found.getString(2));
      }
    }
    return rows;
  }

  /** Makes the log what the attacker wants it to be. */
  private static void write(Connection database, Map<String, String> rows) throws SQLException {
    Map<String, String> now = rows(database);
    try (var update = database.prepareStatement("UPDATE kv SET value = ? WHERE key = ?");
        var delete = database.prepareStatement("DELETE FROM kv WHERE key = ?");
        var insert =
            database.prepareStatement(
                "INSERT INTO kv (number, tenant, key, value, version) SELECT max(number) + 1,"
                    + " 'hapax/server', ?, ?, max(version) FROM kv")) {
      for (String key : now.keySet()) {
        if (!rows.containsKey(key)) {
          delete.setString(1, key);
          delete.executeUpdate();
        }
      }
      for (Map.Entry<String, String> row : rows.entrySet()) {
        if (row.getValue().equals(now.get(row.getKey()))) {
          continue;
        }
        boolean isThere = now.containsKey(row.getKey());
        var statement = isThere ? update : insert;
        statement.setString(1, isThere ? row.getValue() : row.getKey());
        statement.setString(2, isThere ? row.getKey() : row.getValue());
        statement.executeUpdate();
      }
    }
  }

  private static boolean isIntact() {
    return server.get("/api/audit/verification").body().path("intact").booleanValue();
  }

  /** What an attacker may do with the lines, each from the same beginning. */
  private static List<Map<String, String>> attacks(Map<String, String> good) {
    List<String> keys = good.keySet().stream().filter(key -> key.startsWith("audit/")).toList();
    List<Map<String, String>> attacks = new ArrayList<>();
    for (String key : keys) {
      for (String field : List.of("actor", "token", "address", "action", "target", "outcome")) {
        String value = Objects.requireNonNull(good.get(key));
        attacks.add(with(good, key, value.replaceFirst("\"%s\":\"".formatted(field), "$0x")));
      }
      attacks.add(without(good, key)); // removed
      Map<String, String> emptied = without(good, key); // moved to the end
      emptied.put("audit/default/%015d".formatted(keys.size() + 1), good.get(key));
      attacks.add(emptied);
    }
    for (int i = 1; i < keys.size(); i++) { // reordered
      Map<String, String> swapped =
          with(good, keys.get(i), Objects.requireNonNull(good.get(keys.get(i - 1))));
      swapped.put(keys.get(i - 1), good.get(keys.get(i)));
      attacks.add(swapped);
    }
    for (int left = 1; left < keys.size(); left++) { // cut off at the end
      var cut = new LinkedHashMap<>(good);
      keys.subList(left, keys.size()).forEach(cut::remove);
      attacks.add(cut);
      attacks.add(without(cut, "audit-end/default"));
    }
    return attacks;
  }

  private static Map<String, String> with(Map<String, String> good, String key, String value) {
    var changed = new LinkedHashMap<>(good);
    changed.put(key, value);
    return changed;
  }

  private static Map<String, String> without(Map<String, String> good, String key) {
    var changed = new LinkedHashMap<>(good);
    changed.remove(key);
    return changed;
  }

  @Test
  void edits_deletions_truncations_and_reordering_are_found() throws Exception {
    int attempts = 0;
    try (Connection database = database()) {
      Map<String, String> good = rows(database);
      assertThat(isIntact()).isTrue();
      for (Map<String, String> attack : attacks(good)) {
        if (attack.equals(good)) {
          continue;
        }
        write(database, attack);
        assertThat(isIntact()).as("%s", attack).isEqualTo(isOneLineWithoutEnd(attack));
        attempts++;
        write(database, good);
      }
      assertThat(isIntact()).isTrue();
    }
    AttackTable.held(AuditAttackTest.class, "Changed lines of the audit log", attempts);
  }

  /** A crash after the first line leaves the same; a checkpoint finds it. */
  private static boolean isOneLineWithoutEnd(Map<String, String> rows) {
    return rows.size() == 1 && !rows.containsKey("audit-end/default");
  }

  @Test
  void a_database_that_was_set_back_is_found_by_a_checkpoint_and_a_forged_one_is_refused()
      throws Exception {
    int attempts = 0;
    try (Connection database = database()) {
      Map<String, String> early = rows(database);
      server.put("/api/secrets/late", "{\"value\": \"a secret\"}");
      Reply checkpoint = server.get("/api/audit/checkpoint");
      String statement = Json.write(checkpoint.body());
      Map<String, String> good = rows(database);

      write(database, early);
      assertThat(isIntact()).isTrue(); // by itself, it looks as it did then
      Reply found = server.post("/api/audit/verification", statement);
      assertThat(found.at("/intact")).isEqualTo("false");
      assertThat(found.at("/findings")).contains("the checkpoint of");
      attempts++;
      write(database, good);

      for (String forged :
          List.of(
              statement.replaceFirst("\"number\":(\\d+)", "\"number\":1"),
              statement.replaceFirst("\"mark\":\"", "$0f"),
              statement.replaceFirst("\"tenant\":\"default\"", "\"tenant\":\"acme\""),
              statement.replaceFirst("\"at\":\"20", "\"at\":\"19"),
              statement.replaceFirst("\"store\":\"", "$0x"),
              statement.replaceFirst("\"key\":\"MCow", "\"key\":\"MCox"),
              statement.replaceFirst("\"signature\":\"....", "\"signature\":\"AAAA"))) {
        Reply refused = server.post("/api/audit/verification", forged);
        assertThat(refused.at("/intact")).as(forged).isEqualTo("false");
        assertThat(refused.at("/findings")).contains("was not signed by this server");
        attempts++;
      }
    }
    AttackTable.held(AuditAttackTest.class, "Databases set back, and forged checkpoints", attempts);
  }

  @Test
  void refusals_are_counted_and_an_attacker_cannot_fill_the_log() throws Exception {
    int before = server.get("/api/audit?limit=200").body().path("items").size();
    for (int i = 0; i < 3; i++) { // more would only be slower: wrong tokens slow down their sender
      server.send(server.request("/api/runs").setHeader("Authorization", "Bearer wrong").GET());
    }
    String reader =
        server.post("/api/tokens", "{\"name\": \"ci\", \"scopes\": [\"kv:read\"]}").at("/token");
    for (int i = 0; i < 147; i++) {
      Reply refused =
          server.send(
              server.request("/api/runs").setHeader("Authorization", "Bearer " + reader).GET());
      assertThat(refused.status()).isEqualTo(403);
    }
    String run = server.post("/api/flows/ask/runs", "{\"id\": \"X-1\"}").at("/id");
    for (int i = 0; i < 50; i++) {
      Reply other =
          server.send(
              server
                  .request("/api/runs/" + run)
                  .setHeader("Authorization", "Bearer " + server.tokenOf("acme"))
                  .GET());
      assertThat(other.status()).isEqualTo(404);
    }
    var lines = server.get("/api/audit?limit=200&after=" + before).body().path("items");
    assertThat(lines.size()).isLessThan(25);
    assertThat(lines.toString())
        .contains("refused: unauthorized, 3 times since ")
        .contains("refused: forbidden, 147 times since ")
        .contains("an id of another tenant, asked by tenant acme")
        .contains("refused: not-found, 50 times since ")
        .contains("127.0.0.1");
    Reply own =
        server.send(
            server
                .request("/api/audit")
                .setHeader("Authorization", "Bearer " + server.tokenOf("acme"))
                .GET());
    assertThat(own.at("/items")).doesNotContain("another tenant");
    AttackTable.held(AuditAttackTest.class, "Refused requests that would fill the audit log", 200);
  }
}
