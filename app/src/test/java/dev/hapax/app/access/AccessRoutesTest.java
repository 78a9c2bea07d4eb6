package dev.hapax.app.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flows.connection.Connection;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

@SuppressWarnings("MemberName") // the names of tests are sentences
class AccessRoutesTest {
  private static final String CANARY = "canary-91be-very-secret";
  private static final Map<String, Object> BANK =
      Map.of(
          "http",
          Map.of(
              "base",
              "https://bank.example/v1",
              "auth",
              Map.of("bearer", "bank-token"),
              "idempotency",
              Map.of("provider", "stripe"),
              "limits",
              Map.of("calls", 4, "rate", Map.of("limit", 10, "per", "1s"))));

  @TempDir Path folder;
  private GuardedSite site;

  @BeforeEach
  void open() throws IOException {
    site = new GuardedSite(folder);
  }

  @AfterEach
  void close() {
    site.close();
  }

  @Test
  void a_secret_is_written_listed_by_name_and_used_by_a_connection_only() {
    String acme = site.tenant("acme");

    assertThat(site.put(acme, "/api/secrets/bank-token", Map.of("value", CANARY)).status())
        .isEqualTo(204);
    assertThat(site.put(acme, "/api/connections/bank", BANK).status()).isEqualTo(200);

    assertThat(site.get(acme, "/api/secrets/bank-token").status()).isEqualTo(405);
    assertThat(site.get(acme, "/api/secrets").text()).contains("bank-token").doesNotContain(CANARY);
    assertThat(site.get(acme, "/api/connections/bank").text())
        .contains("bank-token")
        .doesNotContain(CANARY);
    assertThat(site.get(acme, "/api/audit").text()).doesNotContain(CANARY);
    assertThat(site.control.connections("acme").find("bank").orElseThrow())
        .isInstanceOfSatisfying(
            Connection.Http.class,
            http -> assertThat(http.auth()).isEqualTo(new Connection.Auth.Bearer("bank-token")));
    assertThat(site.control.secrets("acme").value("bank-token")).contains(CANARY);
  }

  @Test
  void another_tenant_sees_and_touches_nothing() {
    String acme = site.tenant("acme");
    String rival = site.tenant("rival");
    site.put(acme, "/api/secrets/bank-token", Map.of("value", CANARY));
    site.put(acme, "/api/connections/bank", BANK);
    String id = site.get(acme, "/api/tokens").json().path("items").path(0).path("id").asString();

    for (String other : List.of(rival, site.operator)) {
      assertThat(site.get(other, "/api/secrets").json().path("items").size()).isZero();
      assertThat(site.get(other, "/api/connections").json().path("items").size()).isZero();
      assertThat(site.get(other, "/api/connections/bank").status()).isEqualTo(404);
      assertThat(site.delete(other, "/api/connections/bank").status()).isEqualTo(404);
      assertThat(site.delete(other, "/api/secrets/bank-token").status()).isEqualTo(404);
      assertThat(site.delete(other, "/api/tokens/" + id).status()).isEqualTo(404);
      assertThat(site.get(other, "/api/audit").text()).doesNotContain("PUT /api/secrets");
    }
    assertThat(site.get(acme, "/api/connections/bank").status()).isEqualTo(200);
    assertThat(site.post(rival, "/api/tenants", Map.of("name", "mine")).status()).isEqualTo(403);
    assertThat(site.post(rival, "/api/tenants/acme/tokens", Map.of()).status()).isEqualTo(403);
    assertThat(site.get(rival, "/api/tenants").status()).isEqualTo(403);
    assertThat(site.post(rival, "/api/rekey", Map.of()).status()).isEqualTo(403);
  }

  @Test
  void a_token_is_shown_once_and_ends_when_it_is_revoked() {
    String acme = site.tenant("acme");
    JsonNode made =
        site.post(
                acme,
                "/api/tokens",
                Map.of("name", "ci", "scopes", List.of("secrets:write"), "expiresIn", "90d"))
            .json();
    String token = made.path("token").asString();

    assertThat(site.get(token, "/api/secrets").status()).isEqualTo(200);
    assertThat(site.get(token, "/api/tokens").status()).isEqualTo(403);
    String listed = site.get(acme, "/api/tokens").text();
    assertThat(listed).contains("ci", "expiresAt").doesNotContain(token.substring(20), "hash");
    assertThat(site.delete(acme, "/api/tokens/" + made.path("id").asString()).status())
        .isEqualTo(200);
    assertThat(site.get(token, "/api/secrets").status()).isEqualTo(401);
  }

  @Test
  void too_many_requests_are_refused_with_a_time_to_try_again() {
    String acme = site.tenant("acme");
    String slow =
        site.post(
                acme,
                "/api/tokens",
                Map.of("name", "slow", "scopes", List.of("secrets:write"), "perSecond", 1))
            .json()
            .path("token")
            .asString();
    site.get(slow, "/api/secrets");

    GuardedSite.Reply refused = site.get(slow, "/api/secrets");

    assertThat(refused.status()).isEqualTo(429);
    assertThat(refused.text()).contains("rate-limited");
    assertThat(refused.response().headers().firstValue("Retry-After")).contains("1");
  }

  @Test
  void decisions_and_refusals_are_in_the_log_and_reads_are_not() {
    String acme = site.tenant("acme");
    site.put(acme, "/api/connections/bank", BANK);
    site.delete(acme, "/api/connections/other");
    site.get(acme, "/api/connections");

    JsonNode lines = site.get(acme, "/api/audit").json().path("items");
    assertThat(lines.size()).isEqualTo(3);
    assertThat(lines.path(0).path("action").asString()).isEqualTo("PUT /api/connections/{name}");
    assertThat(lines.path(0).path("target").asString()).isEqualTo("name=bank");
    assertThat(lines.path(2).path("outcome").asString()).isEqualTo("refused: not-found");
    JsonNode verified = site.get(acme, "/api/audit/verification").json();
    assertThat(verified.path("intact").asBoolean()).isTrue();
    assertThat(verified.path("lines").asInt()).isEqualTo(3);
  }

  @Test
  void bad_connections_are_refused_with_what_was_expected() {
    String acme = site.tenant("acme");
    assertRefused(
        acme,
        Map.of(),
        "expected one of http, llm, webhook, smtp, postgres, ssh, kafka, rabbitmq and sqs");
    assertRefused(acme, Map.of("http", Map.of()), "http.base: expected a value");
    assertRefused(acme, http(Map.of("base", "file:///etc/passwd")), "http:// or https://");
    assertRefused(acme, http(Map.of("base", "https://u:p@bank.example")), "without user");
    assertRefused(
        acme,
        http(Map.of("base", "https://b.example", "headers", Map.of("authorization", CANARY))),
        "Use http.auth");
    assertRefused(acme, http(Map.of("base", "https://b.example", "bse", 1)), "'bse' is unknown");
    assertRefused(
        acme, http(Map.of("base", "https://b.example", "connectTimeout", "soon")), "as '30s'");
    Map<String, Object> books = Map.of("host", "db.example", "database", "books", "user", "shop");
    assertThat(site.put(acme, "/api/connections/books", Map.of("postgres", books)).status())
        .isEqualTo(200);
    assertRefused(acme, Map.of("postgres", Map.of("host", "db.example")), "postgres.database");
    assertRefused(
        acme,
        Map.of("postgres", Map.of("host", "db?loggerFile=x", "database", "b", "user", "u")),
        "postgres.host: expected a name, or an address");
    assertThat(
            site.put(
                    acme,
                    "/api/connections/inside",
                    http(Map.of("base", "http://10.0.0.1", "privateHosts", List.of("10.0.0.1"))))
                .status())
        .isEqualTo(403);
    assertThat(
            site.put(
                    site.operator,
                    "/api/connections/inside",
                    http(Map.of("base", "http://10.0.0.1", "privateHosts", List.of("10.0.0.1"))))
                .status())
        .isEqualTo(200);
  }

  private static Map<String, Object> http(Map<String, Object> fields) {
    return Map.of("http", fields);
  }

  private void assertRefused(String token, Map<String, Object> form, String why) {
    GuardedSite.Reply reply = site.put(token, "/api/connections/bad", form);
    assertThat(reply.status()).as(reply.text()).isEqualTo(400);
    assertThat(reply.text()).contains(why).doesNotContain(CANARY);
  }

  @Test
  void a_connection_that_was_changed_meanwhile_is_not_overwritten() {
    String acme = site.tenant("acme");
    String tag =
        site.put(acme, "/api/connections/bank", BANK)
            .response()
            .headers()
            .firstValue("ETag")
            .orElseThrow();
    assertThat(tag).matches("\"\\d+\"");
    site.put(acme, "/api/connections/bank", BANK);

    assertThat(site.sendIfMatch(acme, "/api/connections/bank", BANK, tag).status()).isEqualTo(409);
  }
}
