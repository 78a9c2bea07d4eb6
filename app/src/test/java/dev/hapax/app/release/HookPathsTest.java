package dev.hapax.app.release;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.data.Records;
import dev.hapax.app.release.Site.Reply;
import dev.hapax.testkit.ManualTime;
import dev.hapax.testkit.memory.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The address of a webhook carries its tenant, except for the operator's and older ones. */
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HookPathsTest {
  private final ManualTime time = new ManualTime();
  private final Site site = new Site(new MemoryStore(), time.ports());

  @BeforeEach
  void tenants() {
    site.releases.tenants(Set.of("default", "acme", "umbrella")::contains);
  }

  @AfterEach
  void close() {
    site.close();
  }

  private Reply release(String tenant, String flow, String path) {
    String file =
        "flow: %s\ntriggers:\n  - webhook: {path: %s, verify: {scheme: none}}\nsteps:\n  - {id: a, set: {b: c}}\n"
            .formatted(flow, path);
    var yaml = Map.of("Content-Type", "application/yaml");
    site.sendAs(tenant, "PUT", "/api/flows/%s/draft".formatted(flow), file, yaml);
    Reply made =
        site.sendAs(tenant, "POST", "/api/flows/%s/releases".formatted(flow), null, Map.of());
    if (made.status() < 300) {
      Reply live =
          site.sendAs(
              tenant,
              "PUT",
              "/api/flows/%s/live".formatted(flow),
              "{\"release\": %d}".formatted(made.json().path("release").asInt()),
              Map.of("Content-Type", "application/json"));
      assertThat(live.status()).as(live.text()).isEqualTo(200);
    }
    return made;
  }

  private String addressOf(String tenant, String flow) {
    return site.sendAs(tenant, "GET", "/api/flows/" + flow, null, Map.of())
        .json()
        .at("/triggers/0/webhook/address")
        .asString();
  }

  /** As versions before wrote it: the path alone. */
  private void claimedBefore(String path, String tenant, String flow) {
    var records =
        new Records<>(site.hapax.tenant("hapax/server").kv(), "hooks", Claims.Claim.class);
    records.putIfAbsent(
        Records.name(path), new Claims.Claim(new FlowName(tenant, flow), time.now()));
  }

  @Test
  void each_tenant_has_its_own_addresses() {
    assertThat(release("default", "shop", "orders").status()).isEqualTo(201);
    assertThat(release("acme", "shop", "orders").status()).isEqualTo(201);
    assertThat(release("umbrella", "shop", "orders").status()).isEqualTo(201);

    assertThat(addressOf("default", "shop")).isEqualTo("/hooks/orders");
    assertThat(addressOf("acme", "shop")).isEqualTo("/hooks/acme/orders");
    assertThat(addressOf("umbrella", "shop")).isEqualTo("/hooks/umbrella/orders");
  }

  @Test
  void a_path_that_begins_with_the_name_of_its_tenant_does_not_get_it_twice() {
    release("acme", "shop", "acme/orders");
    Reply second = release("acme", "other", "orders");

    assertThat(addressOf("acme", "shop")).isEqualTo("/hooks/acme/orders");
    assertThat(second.status()).as("the same address").isEqualTo(409);
    assertThat(second.text()).contains("'orders'", "taken by flow 'shop'");
  }

  @Test
  void a_flow_keeps_the_address_that_it_had_before() {
    claimedBefore("orders", "acme", "shop");

    release("acme", "shop", "orders");
    Reply other = release("acme", "other", "orders");
    Reply rival = release("umbrella", "shop", "orders");
    Reply operator = release("default", "shop", "orders");

    assertThat(addressOf("acme", "shop")).isEqualTo("/hooks/orders");
    assertThat(other.status()).as("the same source in the inbox").isEqualTo(409);
    assertThat(rival.status()).isEqualTo(201);
    assertThat(addressOf("umbrella", "shop")).isEqualTo("/hooks/umbrella/orders");
    assertThat(operator.status()).isEqualTo(409);
    assertThat(operator.text()).contains("a flow of another tenant").doesNotContain("acme");
  }

  @Test
  void a_flow_that_left_its_old_address_does_not_share_a_path_when_it_comes_back() {
    claimedBefore("orders", "acme", "shop");
    release("acme", "shop", "orders");
    release("acme", "shop", "moved");
    time.move(Duration.ofMinutes(2));
    assertThat(release("acme", "other", "orders").status()).isEqualTo(201);

    Reply back =
        site.send(
            "PUT",
            "/api/flows/shop/live",
            "{\"release\": 1}",
            Map.of("Content-Type", "application/json"));

    assertThat(back.status()).as(back.text()).isEqualTo(409);
  }

  @Test
  void the_operator_cannot_take_an_address_below_the_name_of_a_tenant() {
    Reply squatting = release("default", "shop", "acme/orders");
    Reply free = release("default", "shop", "nobody/orders");
    claimedBefore("umbrella/orders", "default", "old");

    assertThat(squatting.status()).isEqualTo(409);
    assertThat(squatting.text()).contains("below the name of a tenant");
    assertThat(free.status()).isEqualTo(201);
    for (String dotted : List.of("x/../acme/orders", "x//y", "x/./y", "x/")) {
      assertThat(release("default", "dotted", dotted).text()).as(dotted).contains("segment");
    }
    assertThat(release("default", "old", "umbrella/orders").status())
        .as("it had this one before")
        .isEqualTo(201);
  }
}
