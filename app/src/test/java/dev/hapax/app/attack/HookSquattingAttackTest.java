package dev.hapax.app.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.release.Site;
import dev.hapax.app.release.Site.Reply;
import dev.hapax.app.webhook.WebhookRoutes;
import dev.hapax.store.StoreProvider;
import dev.hapax.time.Ports;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** No tenant gets the deliveries that are sent to another one, under any path. */
@Tag("attack")
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HookSquattingAttackTest {
  private static final String FLOW =
      "flow: %s\ntriggers:\n  - webhook: {path: \"%s\", verify: {scheme: none}}\nsteps:\n  - {id: a, set: {b: c}}\n";

  @Test
  void no_tenant_receives_what_is_sent_to_another(@TempDir Path folder) throws IOException {
    var tried = new ArrayList<String>();
    var ports = Ports.system();
    try (var site =
        new Site(
            StoreProvider.open(store -> store.open(folder.resolve("hapax.db"), ports.threads())),
            ports,
            one ->
                new WebhookRoutes(
                        one.releases.hookPaths(),
                        one.live,
                        one.hapax::tenant,
                        (_, _) -> List.of(),
                        ports)
                    .routes())) {
      site.releases.tenants(Set.of("default", "acme", "rival")::contains);
      for (String path : paths()) {
        String flow = "f" + tried.size();
        String yaml = FLOW.formatted(flow, path);
        var type = Map.of("Content-Type", "application/yaml");
        site.sendAs("rival", "PUT", "/api/flows/" + flow + "/draft", yaml, type);
        Reply made =
            site.sendAs("rival", "POST", "/api/flows/" + flow + "/releases", null, Map.of());
        if (made.status() == 201) {
          site.sendAs(
              "rival",
              "PUT",
              "/api/flows/" + flow + "/live",
              "{\"release\": 1}",
              Map.of("Content-Type", "application/json"));
        }
        tried.add(path);
      }
      // Then the owner of the address comes, and gets it.
      String yaml = FLOW.formatted("shop", "orders");
      site.putDraft("shop", yaml);
      assertThat(site.post("/api/flows/shop/releases", Map.of()).status()).isEqualTo(201);
      site.put("/api/flows/shop/live", Map.of("release", 1));

      for (String spelling :
          List.of(
              "/hooks/acme/orders",
              "/hooks/acme%2Forders",
              "/hooks/./acme/orders",
              "/hooks/rival/../acme/orders",
              "/hooks/acme/orders?tenant=rival",
              "/hooks/acme/orders;rival")) {
        site.sendAs("rival", "POST", spelling, "{\"n\": \"" + spelling + "\"}", Map.of());
        tried.add(spelling);
      }
      assertThat(events(site, "acme")).as("its own deliveries").isNotZero();
      assertThat(events(site, "rival")).isZero();
      assertThat(events(site, "default")).isZero();
    }
    AttackTable.held(
        HookSquattingAttackTest.class, "Webhook addresses of another tenant", tried.size());
  }

  private static int events(Site site, String tenant) {
    return site.sendAs(tenant, "GET", "/api/inbox", null, Map.of()).json().path("items").size();
  }

  private static List<String> paths() {
    return List.of(
        "orders",
        "acme/orders",
        "acme/orders/",
        "acme",
        "acme/",
        "acme//orders",
        "rival/../acme/orders",
        "x/../acme/orders",
        "x/../../acme/orders",
        "../acme/orders",
        "/acme/orders",
        "/hooks/acme/orders",
        "hooks/acme/orders",
        "acme%2Forders",
        "acme\\\\orders",
        "acme/./orders",
        "ACME/orders",
        "acme/orders?x",
        "acme/orders#x",
        "acme/orders;x",
        " acme/orders",
        "t/acme/orders",
        "rival/acme/orders",
        "rivalacme/orders");
  }
}
