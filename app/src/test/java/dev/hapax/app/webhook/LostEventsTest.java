package dev.hapax.app.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.release.Site;
import dev.hapax.app.release.Site.Reply;
import dev.hapax.flow.Failover;
import dev.hapax.flow.HistoryEntry;
import dev.hapax.store.ForwardingStore;
import dev.hapax.store.Store;
import dev.hapax.testkit.ManualTime;
import dev.hapax.testkit.memory.MemoryStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** After a restore, webhooks of the lost time are recognized by the event's own time. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LostEventsTest {
  private static final String FLOW =
      """
      flow: %s
      triggers:
        - webhook:
            path: %s
            verify: %s
      %s
      steps:
        - id: keep
          set: {id: "${input.id}"}
      """;

  private final ManualTime time = new ManualTime();
  private final Instant restoredAt = time.now().minus(Duration.ofHours(2));
  private final Instant lost = restoredAt.minus(Duration.ofMinutes(30));
  private final Site site =
      new Site(
          new RestoredHoursAgo(),
          time.ports(),
          site ->
              new WebhookRoutes(
                      site.releases.hookPaths(),
                      site.live,
                      site.hapax::tenant,
                      (_, _) -> List.of("s"),
                      time.ports())
                  .routes());

  private final class RestoredHoursAgo extends ForwardingStore {
    private final Store memory = new MemoryStore();

    @Override
    protected Store to() {
      return memory;
    }

    @Override
    public List<Failover> failovers() {
      return List.of(new Failover(restoredAt.minus(Duration.ofHours(1)), restoredAt, true));
    }
  }

  @BeforeEach
  void listen() {
    site.goLive(
        "told", FLOW.formatted("told", "told", "{scheme: none}", "      time: ${event.body.at}"));
    site.goLive("paid", FLOW.formatted("paid", "paid", "{scheme: stripe, secret: s}", ""));
  }

  @AfterEach
  void close() {
    site.close();
  }

  @Test
  void a_webhook_says_by_its_time_that_it_may_have_come_before_the_restore() {
    assertThat(typesOf(deliver("told", "{\"id\": \"1\", \"at\": \"%s\"}".formatted(lost))))
        .contains("occurred");
    assertThat(typesOf(deliver("told", "{\"id\": \"2\", \"at\": \"%s\"}".formatted(time.now()))))
        .doesNotContain("occurred");
  }

  @Test
  void events_of_stripe_are_known_by_when_they_were_created_not_by_their_signature() {
    String again = "{\"id\": \"evt_1\", \"created\": %d}".formatted(lost.getEpochSecond());
    String fresh = "{\"id\": \"evt_2\", \"created\": %d}".formatted(time.now().getEpochSecond());

    assertThat(typesOf(deliver("paid", again))).contains("occurred");
    assertThat(typesOf(deliver("paid", fresh))).doesNotContain("occurred");
  }

  @Test
  void a_time_that_cannot_be_read_makes_the_event_invalid_where_the_file_names_it() {
    Reply reply = deliver("told", "{\"id\": \"3\", \"at\": \"yesterday\"}");

    assertThat(reply.json().path("outcome").asString()).isEqualTo("invalid");
    assertThat(reply.json().path("detail").asString()).contains("time: expected RFC 3339");
  }

  private Reply deliver(String path, String body) {
    long now = time.now().getEpochSecond();
    byte[] signed = (now + "." + body).getBytes(StandardCharsets.UTF_8);
    String signature =
        "t=%d,v1=%s".formatted(now, HexFormat.of().formatHex(Hmac.sha256(Hmac.bytes("s"), signed)));
    return site.sendAs(
        "nobody", "POST", "/hooks/acme/" + path, body, Map.of("Stripe-Signature", signature));
  }

  private List<String> typesOf(Reply reply) {
    assertThat(reply.json().path("outcome").asString()).as("%s", reply).isEqualTo("accepted");
    String run = reply.json().path("run").asString();
    return site.hapax.tenant("acme").history(run).stream().map(HistoryEntry::type).toList();
  }
}
