package dev.hapax.app.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.Kv;
import dev.hapax.app.data.ServerMap;
import dev.hapax.app.http.Actor;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.TokenScope;
import dev.hapax.app.secret.OwnerFile;
import dev.hapax.flow.KvEntry;
import dev.hapax.testkit.ManualTime;
import dev.hapax.testkit.memory.MemoryStore;
import dev.hapax.time.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@SuppressWarnings("MemberName") // the names of tests are sentences
class TokenBookTest {
  private final ManualTime time = new ManualTime();

  /** Time that tests move, and chance and threads of the machine. */
  private final Ports ports =
      new Ports(time.ports().clock(), Ports.system().random(), Ports.system().threads());

  private final Hapax hapax =
      Hapax.open(new MemoryStore(), HapaxOptions.DEFAULT.closeWithin(Duration.ZERO));
  private final Kv map = ServerMap.of(hapax);
  private final TokenBook tokens = new TokenBook(map, ports, 1_000);
  private final TokenBook otherNode = new TokenBook(map, ports, 1_000);
  @TempDir Path folder;

  @AfterEach
  void close() {
    hapax.close();
  }

  private TokenBook.Made make(@Nullable Instant expiresAt, @Nullable Integer perSecond) {
    return tokens.create(
        new TokenBook.Wanted(
            "acme", "ci", List.of("runs:read"), List.of("finance"), perSecond, expiresAt),
        "ann");
  }

  @Test
  void a_token_says_who_calls_and_what_is_allowed() {
    TokenBook.Made made = make(null, null);

    assertThat(made.text()).matches("hapax_[a-z2-7]{13}_[a-z2-7]{52}");
    assertThat(tokens.actor(made.text()))
        .isEqualTo(
            new Actor(
                "token:" + made.token().id(),
                "ci",
                "acme",
                Set.of(TokenScope.RUNS_READ),
                Set.of("finance")));
    assertThat(made.toString()).doesNotContain(made.text().substring(20));
  }

  @Test
  void only_a_hash_is_stored() {
    TokenBook.Made made = make(null, null);
    String secret = made.text().substring(made.text().lastIndexOf('_') + 1);

    assertThat(map.list("", null, 200).stream().map(KvEntry::value).collect(Collectors.joining()))
        .contains(made.token().hash())
        .doesNotContain(secret);
  }

  @Test
  void a_wrong_secret_an_unknown_id_and_other_text_are_nobody() {
    String text = make(null, null).text();
    String wrong = text.substring(0, text.length() - 1) + (text.endsWith("a") ? "b" : "a");

    assertThat(tokens.actor(wrong)).isNull();
    String unknown = text.startsWith("hapax_7") ? "hapax_2" : "hapax_7";
    assertThat(tokens.actor(text.replaceFirst("hapax_.", unknown))).isNull();
    assertThat(tokens.actor("")).isNull();
    assertThat(tokens.actor("hapax_" + "a".repeat(100_000))).isNull();
    assertThat(tokens.actor(text + " ")).isNull();
  }

  @Test
  void a_revocation_holds_at_once_here_and_within_seconds_on_every_node() {
    TokenBook.Made made = make(null, null);
    assertThat(otherNode.actor(made.text())).isNotNull();

    assertThat(tokens.revoke("rival", made.token().id())).isNull();
    assertThat(tokens.actor(made.text())).isNotNull();
    assertThat(tokens.revoke("acme", made.token().id())).isNotNull();

    assertThat(tokens.actor(made.text())).isNull();
    time.move(Duration.ofSeconds(2));
    assertThat(otherNode.actor(made.text())).isNull();
    assertThat(tokens.list("acme")).hasSize(1);
    assertThat(tokens.list("rival")).isEmpty();
  }

  @Test
  void a_token_ends_when_it_expires() {
    TokenBook.Made made = make(time.now().plus(Duration.ofHours(1)), null);

    assertThat(tokens.actor(made.text())).isNotNull();
    time.move(Duration.ofHours(1));
    assertThat(tokens.actor(made.text())).isNull();
  }

  @Test
  void too_many_requests_get_a_time_to_try_again() {
    TokenBook.Made made = make(null, 5);
    for (int i = 0; i < 5; i++) {
      assertThat(tokens.actor(made.text())).isNotNull();
    }

    assertThatThrownBy(() -> tokens.actor(made.text()))
        .isInstanceOfSatisfying(
            Problem.class,
            problem -> {
              assertThat(problem.status()).isEqualTo(429);
              assertThat(problem.name()).isEqualTo("rate-limited");
            });
    time.move(Duration.ofMillis(201));
    assertThat(tokens.actor(made.text())).isNotNull();
  }

  @Test
  void the_last_use_is_written_beside_the_request_at_most_once_a_minute() throws Exception {
    TokenBook.Made made = make(null, null);
    tokens.actor(made.text());
    Instant first = time.now();
    awaitUse(first);

    time.move(Duration.ofSeconds(30));
    tokens.actor(made.text());
    time.move(Duration.ofSeconds(30));
    tokens.actor(made.text());
    awaitUse(first.plusSeconds(60));
  }

  private void awaitUse(Instant at) throws InterruptedException {
    long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (!at.equals(tokens.list("acme").getFirst().usedAt())) {
      assertThat(System.nanoTime()).isLessThan(end);
      Thread.sleep(5);
    }
  }

  @Test
  void the_first_start_makes_one_token_for_the_operator_and_no_other_start_does()
      throws IOException {
    String shown = new FirstToken(map, tokens, ports.random()).makeIn(folder);
    Path file = folder.resolve("admin.token");

    assertThat(Files.readString(file).strip()).isEqualTo(shown);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    Actor admin = Objects.requireNonNull(tokens.actor(Objects.requireNonNull(shown)));
    assertThat(admin.tenant()).isEqualTo(TenantBook.OPERATOR);
    assertThat(admin.may(TokenScope.SECRETS_WRITE)).isTrue();
    assertThat(new FirstToken(map, tokens, ports.random()).makeIn(folder)).isNull();
    Path other = Files.createDirectory(folder.resolve("node2"));
    assertThat(new FirstToken(map, otherNode, ports.random()).makeIn(other)).isNull();
    assertThat(other.resolve("admin.token")).doesNotExist();
    assertThat(tokens.list(TenantBook.OPERATOR)).hasSize(1);
  }

  @Test
  void a_start_that_died_after_the_file_goes_on_from_it() throws IOException {
    TokenText written = TokenText.fresh(ports.random());
    OwnerFile.make(folder.resolve("admin.token"), written.shown() + "\n");

    assertThat(new FirstToken(map, tokens, ports.random()).makeIn(folder))
        .isEqualTo(written.shown());
    assertThat(tokens.actor(written.shown())).isNotNull();
  }

  @Test
  void a_tenant_cannot_be_named_like_the_servers_own() {
    var tenants = new TenantBook(map, ports.clock());

    assertThat(tenants.create("acme", "ann")).isNotNull();
    assertThat(tenants.create("acme", "ann")).isNull();
    assertThat(tenants.create("default", "ann")).isNull();
    for (String bad : List.of(ServerMap.TENANT, "", "Acme", "a b", "a/b", "a".repeat(64))) {
      assertThatThrownBy(() -> tenants.create(bad, "ann"))
          .isInstanceOf(IllegalArgumentException.class);
      assertThat(tenants.exists(bad)).isFalse();
    }
    assertThat(tenants.list(null, 10)).extracting(TenantBook.Tenant::name).containsExactly("acme");
  }
}
