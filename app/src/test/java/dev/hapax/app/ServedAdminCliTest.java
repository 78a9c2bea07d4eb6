package dev.hapax.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.ServedDesk.Said;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What an operator sets up over the command line, against a real server. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ServedAdminCliTest {
  private static final String REPORT =
      """
      flow: report
      triggers:
        - schedule: {name: nightly, cron: "0 3 * * *", timezone: UTC, catchUp: none}
      steps:
        - {id: note, set: {text: hello}}
      """;

  private static final String SHOP =
      """
      flow: shop
      input: {type: object, required: [order]}
      triggers:
        - webhook:
            path: shop/orders
            verify: {scheme: none}
            event: ${event.body.id}
            input: ${event.body.data}
      steps:
        - {id: note, set: {order: "${input.order}"}}
      """;

  @TempDir private Path folder;
  private TestServer server;
  private ServedDesk desk;

  @BeforeEach
  void serve() throws IOException {
    server = new TestServer(folder.resolve("data"));
    desk = new ServedDesk(folder, server);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private Said hapax(String... args) {
    return desk.hapax(args);
  }

  @Test
  void a_secret_is_written_by_pipe_or_keyboard_and_never_read_back() {
    desk.pipe("sk_by_pipe\n");
    Said piped = hapax("secrets", "put", "psp-key");
    desk.type("sk_by_hand");
    Said typed = hapax("secrets", "put", "mail-key");
    desk.pipe("");
    Said empty = hapax("secrets", "put", "nothing");
    Said listed = hapax("secrets", "list");

    assertThat(piped.exit()).as("%s", piped).isZero();
    assertThat(typed.exit()).as("%s", typed).isZero();
    assertThat(empty.exit()).isEqualTo(2);
    assertThat(names(listed)).containsExactlyInAnyOrder("psp-key", "mail-key");
    assertThat(List.of(piped, typed, listed).toString())
        .doesNotContain("sk_by_pipe")
        .doesNotContain("sk_by_hand");
    assertThat(hapax("secrets", "delete", "mail-key").exit()).isZero();
    assertThat(names(hapax("secrets", "list"))).containsExactly("psp-key");
    assertThat(hapax("secrets", "delete", "mail-key").exit()).isEqualTo(4);
  }

  @Test
  void a_connection_is_written_shown_and_deleted_and_a_wrong_one_is_refused() {
    String form = "{\"http\": {\"base\": \"https://api.example.com\"}}";

    Said written = hapax("connections", "put", "payments", form);
    Said shown = hapax("connections", "show", "payments");
    Said wrong = hapax("connections", "put", "wrong", "{\"htp\": {}}");

    assertThat(written.exit()).as("%s", written).isZero();
    assertThat(shown.document().toString()).contains("https://api.example.com");
    assertThat(wrong.exit()).isEqualTo(3);
    assertThat(names(hapax("connections", "list"))).containsExactly("payments");
    assertThat(hapax("connections", "delete", "payments").exit()).isZero();
    assertThat(hapax("connections", "show", "payments").exit()).isEqualTo(4);
  }

  /** What an upgrade can leave behind: a secret that would go out readable, or anywhere. */
  @Test
  void the_doctor_lists_secrets_without_encryption_or_hosts() {
    hapax("connections", "put", "local", plain("http://127.0.0.1:9", "local-token"));
    hapax("connections", "put", "bank", plain("http://bank.example/v1", "bank-token"));
    for (String name : List.of("local-token", "bank-token", "loose")) {
      desk.pipe("secret-of-" + name);
      hapax("secrets", "put", name);
    }

    Said found = hapax("doctor");

    assertThat(found.exit()).as("%s", found).isEqualTo(3);
    assertThat(found.at("/error/code")).isEqualTo("secret-unencrypted");
    assertThat(found.at("/error/message"))
        .contains("'bank' (secret 'bank-token' to bank.example:80)")
        .doesNotContain("local");
    assertThat(check(found, "secrets")).contains("\"warning\"", "1 secret without hosts: loose");

    desk.pipe("secret-of-bank-token");
    hapax("secrets", "put", "bank-token", "--host", "http://bank.example");
    Said allowed = hapax("doctor");

    assertThat(allowed.exit()).as("%s", allowed).isZero();
    assertThat(check(allowed, "connections")).contains("\"warning\"", "'bank'");
    assertThat(hapax("secrets", "list").document().toString()).contains("http://bank.example");
  }

  private static String plain(String base, String secret) {
    return "{\"http\": {\"base\": \"%s\", \"auth\": {\"bearer\": \"%s\"}}}".formatted(base, secret);
  }

  private static String check(Said doctor, String name) {
    for (var check : doctor.data().path("checks")) {
      if (check.path("check").asString().equals(name)) {
        return check.toString();
      }
    }
    throw new AssertionError("no check " + name + " in " + doctor);
  }

  @Test
  void a_token_may_what_it_was_made_for_until_it_is_revoked() {
    Said made = hapax("tokens", "create", "ann", "--scope", "runs:read", "--expires-in", "90d");
    Said wrong = hapax("tokens", "create", "bob", "--scope", "runs:reed");
    Said listed = hapax("tokens", "list");
    var ann = new ServedDesk(folder, server);
    ann.as(made.at("/data/token"));
    Said allowed = ann.hapax("runs");
    Said forbidden = ann.hapax("run", "free");
    Said revoked = hapax("tokens", "revoke", made.at("/data/id"));
    Said late = ann.hapax("runs");

    assertThat(made.exit()).as("%s", made).isZero();
    assertThat(wrong.exit()).isEqualTo(3);
    assertThat(listed.document().toString())
        .contains("\"ann\"")
        .doesNotContain(made.at("/data/token"));
    assertThat(allowed.exit()).as("%s", allowed).isZero();
    assertThat(forbidden.exit()).isEqualTo(3);
    assertThat(forbidden.at("/error/code")).isEqualTo("forbidden");
    assertThat(revoked.exit()).as("%s", revoked).isZero();
    assertThat(late.at("/error/code")).isEqualTo("unauthorized");
  }

  @Test
  void an_operator_makes_a_tenant_verifies_the_audit_log_and_puts_secrets_under_a_new_key() {
    Said made = hapax("tenants", "create", "acme");
    Said twice = hapax("tenants", "create", "acme");
    Said first = hapax("tenants", "token", "acme");
    var acme = new ServedDesk(folder, server);
    acme.as(first.at("/data/token"));
    Said forbidden = acme.hapax("tenants", "list");
    Said log = hapax("audit", "--limit", "200");
    Said verified = hapax("audit", "verify");

    assertThat(made.exit()).as("%s", made).isZero();
    assertThat(twice.exit()).isEqualTo(3);
    assertThat(first.exit()).as("%s", first).isZero();
    assertThat(acme.hapax("runs").exit()).isZero();
    assertThat(forbidden.at("/error/code")).isEqualTo("forbidden");
    assertThat(names(hapax("tenants", "list"))).containsExactly("acme");
    assertThat(log.document().toString()).contains("POST /api/tenants/{name}/tokens");
    assertThat(verified.exit()).as("%s", verified).isZero();
    assertThat(verified.at("/data/intact")).isEqualTo("true");
    assertThat(hapax("rekey").exit()).isZero();
  }

  @Test
  void a_schedule_is_shown_paused_resumed_and_backfilled_once() {
    server.release(REPORT);

    Said paused = hapax("schedules", "pause", "nightly");
    Said resumed = hapax("schedules", "resume", "nightly");
    Said filled = backfill();
    Said again = backfill();

    assertThat(names(hapax("schedules"))).containsExactly("nightly");
    assertThat(hapax("schedules", "show", "nightly").at("/data/cron")).isEqualTo("0 3 * * *");
    assertThat(paused.at("/data/paused")).isEqualTo("true");
    assertThat(resumed.at("/data/paused")).isEqualTo("false");
    assertThat(filled.at("/data/started")).as("%s", filled).isEqualTo("5");
    assertThat(again.at("/data/started")).isEqualTo("0");
    assertThat(hapax("schedules", "show", "nothing").exit()).isEqualTo(4);
  }

  private Said backfill() {
    return hapax(
        "schedules",
        "backfill",
        "nightly",
        "--from",
        "2026-03-20T00:00:00Z",
        "--to",
        "2026-03-25T00:00:00Z");
  }

  @Test
  void an_event_that_came_in_is_listed_shown_and_tried_again_when_it_was_invalid() {
    server.release(SHOP);
    server.post("/hooks/shop/orders", "{\"id\": \"evt_1\", \"data\": {\"order\": \"A-1\"}}");
    server.post("/hooks/shop/orders", "{\"id\": \"evt_1\", \"data\": {\"order\": \"A-1\"}}");
    server.post("/hooks/shop/orders", "{\"id\": \"evt_2\", \"data\": {}}");

    Said accepted = hapax("inbox", "--event", "evt_1", "--source", "shop/orders");
    Said invalid = hapax("inbox", "list", "--outcome", "invalid");
    Said shown = hapax("inbox", "show", invalid.at("/data/items/0/id"));
    Said retried = hapax("inbox", "retry", invalid.at("/data/items/0/id"));
    Said done = hapax("inbox", "retry", accepted.at("/data/items/0/id"));

    assertThat(accepted.at("/data/items/0/run")).as("%s", accepted).startsWith("r-");
    assertThat(invalid.data().path("items")).as("%s", invalid).hasSize(1);
    assertThat(shown.document().toString()).contains("evt_2");
    assertThat(retried.exit()).as("%s", retried).isZero();
    assertThat(retried.at("/data/outcome")).isEqualTo("invalid");
    assertThat(done.exit()).as("%s", done).isEqualTo(3);
    assertThat(hapax("inbox", "show", "i-nothing").exit()).isEqualTo(4);
  }

  private static List<String> names(Said listed) {
    return listed
        .data()
        .path("items")
        .valueStream()
        .map(item -> item.path("name").asString())
        .toList();
  }
}
