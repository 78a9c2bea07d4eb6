package dev.hapax.app.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.release.Site;
import dev.hapax.app.webhook.WebhookRoutes;
import dev.hapax.json.Json;
import dev.hapax.store.StoreProvider;
import dev.hapax.testkit.ManualTime;
import dev.hapax.time.Ports;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** No delivery is accepted that its sender has not signed, and none is accepted twice. */
@Tag("attack")
@SuppressWarnings("MemberName") // the names of tests are sentences
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WebhookForgeryAttackTest {
  private static final String BODY = "{\"id\": \"evt_1\", \"event_id\": \"evt_1\", \"n\": 1}";

  private final ManualTime time = new ManualTime();
  private final HttpClient client = HttpClient.newHttpClient();
  private Site site;

  /** A request with its headers, which may repeat a name. */
  private record Attempt(List<Map.Entry<String, String>> headers, String body) {
    static Attempt of(Map<String, String> headers, String body) {
      return new Attempt(new ArrayList<>(headers.entrySet()), body);
    }

    /** The same with this header in place of others of its name. */
    Attempt with(String name, String... values) {
      var changed = new ArrayList<>(headers);
      changed.removeIf(header -> header.getKey().equalsIgnoreCase(name));
      for (String value : values) {
        changed.add(Map.entry(name, value));
      }
      return new Attempt(changed, body);
    }

    Attempt withBody(String other) {
      return new Attempt(headers, other);
    }
  }

  @BeforeAll
  void listen(@TempDir Path folder) {
    Ports ports = time.ports();
    site =
        new Site(
            StoreProvider.open(store -> store.open(folder.resolve("hapax.db"), ports.threads())),
            ports,
            one ->
                new WebhookRoutes(
                        one.releases.hookPaths(),
                        one.live,
                        one.hapax::tenant,
                        (_, name) -> name.equals("unset") ? List.of() : List.of(Sender.SECRET),
                        ports)
                    .routes());
    for (Sender sender : Sender.values()) {
      hook(sender, sender.scheme, "signing");
      hook(sender, sender.scheme + "-unset", "unset");
    }
  }

  @AfterAll
  void close() {
    client.shutdownNow();
    site.close();
  }

  private void hook(Sender sender, String name, String secret) {
    site.goLive(
        name,
        """
        flow: %s
        triggers:
          - webhook: {path: "%s", verify: {scheme: %s, secret: %s}, input: "${event.body}"}
        steps:
          - {id: a, set: {b: c}}
        """
            .formatted(name, name, sender.scheme, secret));
  }

  private record Outcome(int status, JsonNode json) {}

  private Outcome send(String path, Attempt attempt) throws Exception {
    var request =
        HttpRequest.newBuilder(site.server.address().resolve("/hooks/acme/" + path))
            .timeout(Duration.ofSeconds(30))
            .POST(BodyPublishers.ofString(attempt.body()));
    attempt.headers().forEach(header -> request.header(header.getKey(), header.getValue()));
    var answer = client.send(request.build(), BodyHandlers.ofString());
    return new Outcome(answer.statusCode(), Json.tree(answer.body()));
  }

  private String now() {
    return Long.toString(time.now().getEpochSecond());
  }

  private Attempt genuine(Sender sender) {
    return Attempt.of(sender.sign(BODY, now(), Sender.SECRET), BODY);
  }

  private int events() {
    return site.get("/api/inbox?limit=200").json().path("items").size();
  }

  @Test
  void a_forged_signature_is_refused() throws Exception {
    int before = events();
    int attempts = 0;
    for (Sender sender : Sender.values()) {
      for (Attempt forged : forgeries(sender)) {
        assertThat(send(sender.scheme, forged).status()).as("%s %s", sender, forged).isEqualTo(401);
        attempts++;
      }
      assertThat(send(sender.scheme + "-unset", genuine(sender)).status()).isEqualTo(401);
      attempts++;
    }
    for (Attempt moved : movedBytes()) {
      assertThat(send(Sender.STANDARD.scheme, moved).status()).as("%s", moved).isIn(400, 401);
      attempts++;
    }
    assertThat(events()).isEqualTo(before);
    AttackTable.held(WebhookForgeryAttackTest.class, "Forged webhook signatures", attempts);
  }

  private List<Attempt> forgeries(Sender sender) {
    Attempt real = genuine(sender);
    String signature =
        Objects.requireNonNull(sender.sign(BODY, now(), Sender.SECRET).get(sender.signature));
    List<Attempt> all = new ArrayList<>();
    all.add(new Attempt(List.of(), BODY));
    real.headers().stream()
        .map(Map.Entry::getKey)
        .filter(name -> name.equals(sender.signature) || name.equals(sender.time))
        .forEach(name -> all.add(real.with(name)));
    signatures(signature).forEach(forged -> all.add(real.with(sender.signature, forged)));
    for (String beside : List.of(signature, "x", signature.substring(0, 20), "v1,AAAA")) {
      all.add(real.with(sender.signature, signature, beside));
      all.add(real.with(sender.signature, beside, signature));
    }
    for (String other : bodies()) {
      all.add(real.withBody(other));
    }
    for (String secret : secrets(sender)) {
      all.add(Attempt.of(sender.sign(BODY, now(), secret), BODY));
    }
    for (Sender other : Sender.values()) {
      if (other != sender) {
        all.add(genuine(other));
      }
    }
    if (sender.hasTime()) {
      for (long off : List.of(301L, 3_600L, 86_400L, -301L, -3_600L, 4_000_000_000L)) {
        String at = Long.toString(time.now().getEpochSecond() - off);
        all.add(Attempt.of(sender.sign(BODY, at, Sender.SECRET), BODY));
      }
      for (String at : List.of("", "0", "-1", "x", "1e9", "99999999999999999999", now() + ".5")) {
        all.add(Attempt.of(sender.sign(BODY, at, Sender.SECRET), BODY));
      }
    }
    if (!sender.time.isEmpty()) {
      long at = time.now().getEpochSecond();
      for (String other : List.of("" + (at + 1), "" + (at - 1), "0" + at, "+" + at, at + " 1")) {
        all.add(real.with(sender.time, other));
      }
      all.add(real.with(sender.time, now(), now()));
    }
    return all;
  }

  /** What can be made of a signature without the key. */
  private static List<String> signatures(String real) {
    List<String> all = new ArrayList<>();
    for (int length = 0; length < real.length(); length += 4) {
      all.add(real.substring(0, length));
    }
    for (int i = real.length() - 40; i < real.length() - 4; i += 3) {
      char changed = real.charAt(i) == '0' ? '1' : '0';
      all.add(real.substring(0, i) + changed + real.substring(i + 1));
    }
    all.addAll(
        List.of(
            real + "00",
            real + "=",
            "x" + real,
            real.replaceFirst("[=,]", "_"),
            real.contains("=") ? real.replaceFirst("^[^=]*", "v9") : real + "v9",
            "sha1=" + "00".repeat(20),
            "sha256=",
            "v0=",
            "v1,",
            "v1=",
            "t=0,v1=",
            "none",
            "null",
            "%00",
            "%0d%0a" + real));
    all.removeIf(real::equals);
    return all;
  }

  private static List<String> bodies() {
    return List.of(
        "",
        " ",
        "{}",
        BODY + " ",
        " " + BODY,
        BODY + "\n",
        BODY.substring(1),
        BODY.replace("1}", "2}"),
        BODY.replace("evt_1", "evt_2"),
        BODY.replace(" ", ""),
        BODY + BODY,
        "id=evt_1",
        "[" + BODY + "]");
  }

  private static List<String> secrets(Sender sender) {
    List<String> others =
        List.of(
            "AAAA",
            "c2lnbmluZw==",
            Sender.SECRET.toLowerCase(Locale.ROOT),
            Sender.SECRET.substring(4),
            Sender.SECRET + "BBBB",
            Base64.getEncoder().encodeToString(Sender.SECRET.getBytes(StandardCharsets.UTF_8)));
    List<String> all = new ArrayList<>(others);
    if (sender != Sender.STANDARD) {
      all.addAll(List.of("", "signing", "whsec_" + Sender.SECRET));
    }
    return all;
  }

  /** One signature, and other places for the full stops between id, time and body. */
  private List<Attempt> movedBytes() {
    String at = now();
    String body = at + ".5";
    String signature = Sender.standard("msg_1", at, body, Sender.SECRET);
    String dotted = Sender.standard("msg_1." + at, at, BODY, Sender.SECRET);
    return List.of(
        standard("msg_1." + at, at, "5", signature),
        standard("msg_1", at + "." + at, "5", signature),
        standard("msg_1." + at + "." + at, "", "5", signature),
        standard("", "msg_1." + at, body, signature),
        standard("msg_1", at, at + "." + BODY, dotted),
        standard("msg_1." + at, at, BODY, dotted));
  }

  private static Attempt standard(String id, String at, String body, String signature) {
    var headers = new LinkedHashMap<String, String>();
    headers.put("webhook-id", id);
    headers.put("webhook-timestamp", at);
    headers.put("webhook-signature", signature);
    return Attempt.of(headers, body);
  }

  @Test
  void a_captured_delivery_is_a_duplicate_with_any_unsigned_header() throws Exception {
    int attempts = 0;
    for (Sender sender : Sender.values()) {
      Attempt real = genuine(sender);
      Outcome first = send(sender.scheme, real);
      assertThat(first.json().path("outcome").asString()).as("%s", first).isEqualTo("accepted");
      for (Attempt captured : captured(real, sender)) {
        Outcome again = send(sender.scheme, captured);
        assertThat(again.json().path("outcome").asString())
            .as("%s %s %s", sender, captured, again)
            .isEqualTo("duplicate");
        assertThat(again.json().path("run")).isEqualTo(first.json().path("run"));
        attempts++;
      }
    }
    assertThat(events()).isEqualTo(Sender.values().length);
    AttackTable.held(
        WebhookForgeryAttackTest.class, "Captured webhook deliveries sent again", attempts);
  }

  private static List<Attempt> captured(Attempt real, Sender sender) {
    List<Attempt> all = new ArrayList<>();
    all.add(real);
    for (String type :
        List.of(
            "application/json; charset=utf-8",
            "application/x-www-form-urlencoded",
            "APPLICATION/X-WWW-FORM-URLENCODED; x=y",
            "text/plain",
            "text/xml",
            "multipart/form-data; boundary=x",
            "application/octet-stream",
            "x")) {
      all.add(real.with("Content-Type", type));
    }
    all.add(real.with("Content-Type"));
    for (String name :
        List.of(
            "X-GitHub-Delivery",
            "X-GitHub-Event",
            "X-Request-Id",
            "X-Event-Id",
            "X-Shopify-Webhook-Id",
            "Idempotency-Key",
            "User-Agent",
            "Accept",
            "X-Forwarded-For",
            "X-Forwarded-Host",
            "X-Slack-Retry-Num",
            "traceparent",
            "Cookie",
            "Authorization")) {
      all.add(real.with(name, "another"));
      all.add(real.with(name, "one", "two"));
    }
    for (Sender other : Sender.values()) {
      if (other != sender) {
        all.add(real.with(other.signature, "v1=00"));
        all.add(real.with("webhook-id", sender == Sender.STANDARD ? "msg_1" : "msg_2"));
      }
    }
    return all;
  }
}
