package dev.hapax.app.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.app.TestServer;
import dev.hapax.json.Digest;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** No caller decides an approval or answers a callback without the token that was made for it. */
@Tag("attack")
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ForgedApprovalAttackTest {
  private static final Pattern BASE64 = Pattern.compile("[A-Za-z0-9+/]{43,}=*");
  private static final int RUNS = 4;
  private static final int KEYS_AT_LEAST = 50;

  @TempDir private static Path folder;
  private static TestServer server;

  /** The secret part of each open approval's link, by its id. */
  private static final Map<String, String> TOKENS = new LinkedHashMap<>();

  private static final List<String> CALLBACKS = new ArrayList<>();

  @BeforeAll
  static void runsThatWait() throws IOException {
    server = new TestServer(folder);
    for (int i = 0; i < RUNS; i++) {
      server.post("/api/flows/ask/runs", "{\"id\": \"A-%d\"}".formatted(i));
      String run = server.post("/api/flows/tell/runs", "{\"id\": \"A-%d\"}".formatted(i)).at("/id");
      String history = "";
      while (!history.contains("/api/callbacks/")) {
        history = server.get("/api/runs/" + run + "/history").at("/items");
      }
      CALLBACKS.add(history.replaceAll("(?s).*api/callbacks/([a-z0-9]+).*", "$1"));
    }
    while (TOKENS.size() < RUNS) {
      for (var item : server.get("/api/approvals").body().path("items")) {
        String link = item.path("link").stringValue();
        String id = item.path("id").stringValue();
        TOKENS.put(id, link.substring(link.indexOf(id) + id.length() + 1));
      }
    }
  }

  @AfterAll
  static void close() {
    server.close();
  }

  /** As a stranger: without any token in a header. */
  private static int show(String link) {
    return server
        .send(HttpRequest.newBuilder(URI.create(server.address() + "/approvals/" + link)))
        .status();
  }

  private static int decide(String link) {
    return server
        .send(
            HttpRequest.newBuilder(URI.create(server.address() + "/approvals/" + link))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString("name=eve&decision=approve")))
        .status();
  }

  private static int answer(String token) {
    return server
        .send(
            HttpRequest.newBuilder(URI.create(server.address() + "/api/callbacks/" + token))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"ok\": true}")))
        .status();
  }

  private static void nothingWasDecided() {
    assertThat(server.get("/api/approvals").body().path("items")).hasSize(RUNS);
    assertThat(server.get("/api/runs?flow=tell&status=waiting").body().path("items")).hasSize(RUNS);
  }

  private static String hmac(byte[] key, String id) {
    byte[] token = Digest.hmac(key, "approval", "default", id);
    return Digest.base32(token, token.length);
  }

  @Test
  void a_copy_of_the_database_and_a_backup_forge_nothing() throws IOException {
    server.post("/api/backups", "{\"name\": \"stolen.db\"}");
    Path backup = folder.resolve("backups/stolen.db");
    Path copy = folder.resolve("copy.db");
    Files.copy(folder.resolve("hapax.db"), copy);
    Files.copy(folder.resolve("hapax.db-wal"), folder.resolve("copy.db-wal"));
    int attempts = 0;

    // The thief uses every text in the files that may be a key.
    Set<String> candidates = new LinkedHashSet<>();
    for (Path file : List.of(backup, copy, folder.resolve("copy.db-wal"))) {
      Matcher found = BASE64.matcher(Files.readString(file, StandardCharsets.ISO_8859_1));
      while (found.find() && candidates.size() < 400) {
        candidates.add(found.group());
      }
    }
    String victim = TOKENS.keySet().iterator().next();
    for (String candidate : candidates) {
      byte[] bytes = Base64.getDecoder().decode(candidate.replaceAll("=", "").substring(0, 40));
      for (byte[] key : List.of(bytes, Arrays.copyOf(bytes, 32))) {
        assertThat(decide(victim + "." + hmac(key, victim))).isEqualTo(404);
      }
    }
    assertThat(candidates).hasSizeGreaterThan(KEYS_AT_LEAST);
    attempts += 2 * KEYS_AT_LEAST; // some texts are random, so there may be more
    // The thief opens the copies with our own code.
    for (Path file : List.of(backup, copy)) {
      HapaxOptions options = HapaxOptions.DEFAULT.closeWithin(Duration.ZERO);
      try (Hapax thief = Hapax.open(file, options)) {
        for (var item : thief.approvals().list(thief.approvals().open())) {
          String forged = thief.approvals().link(item.id());
          assertThat(TOKENS.get(item.id())).isNotNull();
          assertThat(show(forged)).isEqualTo(404);
          assertThat(decide(forged)).isEqualTo(404);
          assertThat(decide(forged.replaceFirst("\\.0\\.", "."))).isEqualTo(404);
          assertThat(decide(forged.replaceFirst("\\.0\\.", ".1."))).isEqualTo(404);
          attempts += 4;
        }
      }
    }
    nothingWasDecided();
    assertThat(attempts).isGreaterThan(30);
    AttackTable.held(
        ForgedApprovalAttackTest.class, "Approvals forged from a copy of the database", attempts);
  }

  @Test
  void guessed_and_swapped_tokens_decide_nothing() throws IOException {
    var random = new Random(15);
    int attempts = 0;
    for (String id : TOKENS.keySet()) {
      for (int i = 0; i < 50; i++) {
        byte[] guess = new byte[32];
        random.nextBytes(guess);
        String token = Digest.base32(guess, guess.length);
        assertThat(decide(id + "." + token)).isEqualTo(404);
        assertThat(answer(token)).isEqualTo(404);
        attempts += 2;
      }
      String own = TOKENS.get(id);
      for (String wrong :
          List.of(
              "",
              own.substring(1),
              own + "a",
              own.toUpperCase(java.util.Locale.ROOT),
              "0." + own,
              "2." + own,
              "-1." + own,
              "x." + own,
              own.substring(0, 51) + "b")) {
        assertThat(decide(id + "." + wrong)).as(wrong).isEqualTo(404);
        attempts++;
      }
      for (String other : TOKENS.keySet()) {
        if (!other.equals(id)) {
          assertThat(decide(other + "." + own)).isEqualTo(404);
          assertThat(answer(own)).isEqualTo(404);
          attempts += 2;
        }
      }
      for (String callback : CALLBACKS) {
        assertThat(decide(id + "." + callback)).isEqualTo(404);
        attempts++;
      }
      assertThat(show(id + "." + own)).isEqualTo(200); // the right one shows, and decides nothing
      attempts++;
    }
    nothingWasDecided();
    AttackTable.held(
        ForgedApprovalAttackTest.class,
        "Guessed approval and callback tokens, and those of others",
        attempts);
  }

  @Test
  void a_used_link_changes_nothing_and_a_revoked_one_is_unknown() throws IOException {
    String run = server.post("/api/flows/ask/runs", "{\"id\": \"R-1\"}").at("/id");
    String link = "";
    while (link.isEmpty()) {
      for (var item : server.get("/api/approvals").body().path("items")) {
        if (item.path("run").stringValue().equals(run)) {
          link = item.path("link").stringValue().replaceFirst(".*/approvals/", "");
        }
      }
    }
    assertThat(decide(link)).isEqualTo(200);
    int attempts = 0;
    for (int i = 0; i < 20; i++) {
      decide(link);
      attempts++;
    }
    String id = link.substring(0, link.indexOf('.'));
    var decided = server.get("/api/approvals/" + id);
    assertThat(decided.at("/decision/by")).isEqualTo("eve (by link)");
    assertThat(decided.at("/decision/claimed")).isEqualTo("true");

    Map<String, String> before = Map.copyOf(TOKENS);
    assertThat(server.post("/api/token-keys", "{\"revoke\": true}").status()).isEqualTo(201);

    for (Map.Entry<String, String> old : before.entrySet()) {
      assertThat(show(old.getKey() + "." + old.getValue())).isEqualTo(404);
      assertThat(decide(old.getKey() + "." + old.getValue())).isEqualTo(404);
      assertThat(decide(old.getKey() + ".1." + old.getValue())).isEqualTo(404);
      attempts += 3;
    }
    for (String callback : CALLBACKS) {
      assertThat(answer(callback)).isEqualTo(404);
      attempts++;
    }
    for (var item : server.get("/api/approvals").body().path("items")) {
      String fresh = item.path("link").stringValue().replaceFirst(".*/approvals/", "");
      TOKENS.put(
          item.path("id").stringValue(), fresh.substring(fresh.indexOf('.') + 1)); // for the others
      assertThat(show(fresh)).isEqualTo(200);
    }
    // Later tests of this class use links and callbacks of the new key.
    nothingWasDecided();
    AttackTable.held(ForgedApprovalAttackTest.class, "Used and revoked approval links", attempts);
  }
}
