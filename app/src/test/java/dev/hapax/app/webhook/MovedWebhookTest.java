package dev.hapax.app.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.release.Site;
import dev.hapax.flow.RunFilter;
import dev.hapax.testkit.ManualTime;
import dev.hapax.testkit.memory.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A webhook's path can move to another flow; events that it received before stay where they are.
 */
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MovedWebhookTest {
  private static final String HOOK =
      """
      triggers:
        - webhook: {path: moved, verify: {scheme: none}, event: "${event.body.no}", input: "${event.body}"}
      """;
  private static final String STEPS = "steps:\n  - {id: note, set: {text: hello}}\n";

  private final ManualTime time = new ManualTime();
  private final Site site =
      new Site(
          new MemoryStore(),
          time.ports(),
          site ->
              new WebhookRoutes(
                      site.releases.hookPaths(),
                      site.live,
                      site.hapax::tenant,
                      (_, _) -> List.of(),
                      time.ports())
                  .routes());

  @AfterEach
  void close() {
    site.close();
  }

  @Test
  void an_event_of_a_tokens_flow_starts_no_run_of_another_flow_that_has_the_path_now() {
    String input = "input: {type: object, required: [id]}\n";
    site.goLive("order", "flow: order\n" + input + HOOK + STEPS);
    site.sendAs(
        "nobody",
        "POST",
        "/hooks/acme/moved",
        "{\"no\":\"e-1\"}",
        Map.of("Content-Type", "application/json"));
    String event = site.get("/api/inbox?source=moved").json().at("/items/0/id").asString();
    site.goLive("order", "flow: order\n" + STEPS);
    time.move(Duration.ofMinutes(2)); // until others may take the path
    site.goLive("wages", "flow: wages\n" + HOOK + STEPS);
    String retry = "/api/inbox/" + event + "/retry";

    var limited = site.sendAs("acme:order", "POST", retry, null, Map.of());

    assertThat(limited.status()).as(limited.text()).isEqualTo(409);
    assertThat(site.hapax.tenant("acme").runs(RunFilter.of("acme"))).isEmpty();
    var admin = site.sendAs("acme", "POST", retry, null, Map.of());
    assertThat(admin.status()).as(admin.text()).isEqualTo(200);
  }
}
