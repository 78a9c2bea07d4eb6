package dev.hapax.app.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.app.webhook.SignatureScheme.Verdict;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The providers' own examples are accepted, and everything else is refused. */
class SignatureTest {
  private static final String SLACK_BODY =
      "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V"
          + "&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text="
          + "&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN"
          + "&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c";

  /**
   * A delivery as its sender signs it.
   *
   * @param at when it was signed; null if the scheme knows no time
   */
  record Example(
      String name,
      SignatureScheme scheme,
      String secret,
      @Nullable Instant at,
      Map<String, String> headers,
      String signatureHeader,
      String body) {

    Verdict verify(Map<String, String> changed, String text, List<String> secrets, Instant now) {
      var sent = new LinkedHashMap<String, List<String>>();
      changed.forEach((header, value) -> sent.put(header, List.of(value)));
      var delivery = new WebhookDelivery(sent, text.getBytes(StandardCharsets.UTF_8));
      return scheme.verify(delivery, secrets, now);
    }

    Verdict verify() {
      return verify(headers, body, List.of(secret), now());
    }

    Instant now() {
      return at == null ? Instant.EPOCH : at;
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Example> examples() {
    return Stream.of(
        new Example(
            "standard webhooks",
            new StandardWebhooks(Age.FIVE_MINUTES),
            "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
            Instant.ofEpochSecond(1614265330),
            Map.of(
                "webhook-id", "msg_p5jXN8AQM9LWM0D4loKWxJek",
                "webhook-timestamp", "1614265330",
                "webhook-signature", "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="),
            "webhook-signature",
            "{\"test\": 2432232314}"),
        new Example(
            "stripe",
            StripeSignature.stripe(),
            "whsec_test_secret",
            Instant.ofEpochSecond(1492774577),
            Map.of(
                "Stripe-Signature",
                "t=1492774577,v1=654b43d3508ecadb3f8cefc4bc7d3d2bdc5ba9e03bf2c89b2d0657a8e24e4543"),
            "Stripe-Signature",
            "{\"id\":\"evt_1\",\"object\":\"event\"}"),
        new Example(
            "github",
            HmacSignature.gitHub(),
            "It's a Secret to Everybody",
            null,
            Map.of(
                "X-Hub-Signature-256",
                "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"),
            "X-Hub-Signature-256",
            "Hello, World!"),
        new Example(
            "slack",
            new SlackSignature(Age.FIVE_MINUTES),
            "8f742231b10e8888abcd99yyyzzz85a5",
            Instant.ofEpochSecond(1531420618),
            Map.of(
                "X-Slack-Request-Timestamp",
                "1531420618",
                "X-Slack-Signature",
                "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503"),
            "X-Slack-Signature",
            SLACK_BODY),
        new Example(
            "generic, base64",
            new HmacSignature("X-Sign", "", HmacSignature.Digits.BASE64),
            "It's a Secret to Everybody",
            null,
            Map.of("X-Sign", "dXEH6g6yUJ/CESIczphLijdXC211hsIsRvQ3nIsEPhc="),
            "X-Sign",
            "Hello, World!"));
  }

  @ParameterizedTest
  @MethodSource("examples")
  void the_senders_own_example_is_genuine(Example example) {
    assertThat(example.verify()).isEqualTo(new Verdict.Genuine());
  }

  @ParameterizedTest
  @MethodSource("examples")
  void changed_bytes_are_refused(Example example) {
    String body = example.body();
    for (int i = 0; i < body.length(); i++) {
      char other = (char) (body.charAt(i) ^ 1);
      String changed = body.substring(0, i) + other + body.substring(i + 1);

      assertThat(refused(example, example.headers(), changed)).as("byte %d", i).isTrue();
    }
    assertThat(refused(example, example.headers(), body + " ")).isTrue();
    assertThat(refused(example, example.headers(), "")).isTrue();
  }

  @ParameterizedTest
  @MethodSource("examples")
  void a_wrong_secret_is_refused_and_none_too(Example example) {
    String other = "whsec_" + Base64.getEncoder().encodeToString(new byte[24]);

    assertThat(example.verify(example.headers(), example.body(), List.of(other), example.now()))
        .isInstanceOf(Verdict.Refused.class);
    assertThat(example.verify(example.headers(), example.body(), List.of(), example.now()))
        .isInstanceOf(Verdict.Refused.class);
  }

  @ParameterizedTest
  @MethodSource("examples")
  void while_a_secret_is_replaced_both_are_live(Example example) {
    String other = "whsec_" + Base64.getEncoder().encodeToString(new byte[24]);

    assertThat(
            example.verify(
                example.headers(), example.body(), List.of(other, example.secret()), example.now()))
        .isEqualTo(new Verdict.Genuine());
  }

  @ParameterizedTest
  @MethodSource("examples")
  void each_missing_header_is_refused(Example example) {
    for (String header : example.headers().keySet()) {
      var without = new LinkedHashMap<>(example.headers());
      without.remove(header);

      assertThat(refused(example, without, example.body())).as(header).isTrue();
    }
  }

  @ParameterizedTest
  @MethodSource("examples")
  void a_header_that_is_no_signature_is_refused(Example example) {
    for (String broken :
        List.of(
            "",
            "v1,",
            "v1,%%%",
            "v1a,AAAA",
            "t=,v1=",
            "t=x,v1=00",
            "sha256=",
            "sha256=0g",
            "v0=0",
            "\u0000")) {
      var changed = new LinkedHashMap<>(example.headers());
      changed.put(example.signatureHeader(), broken);

      assertThat(refused(example, changed, example.body())).as("'%s'", broken).isTrue();
    }
  }

  @ParameterizedTest
  @MethodSource("examples")
  void old_and_future_times_are_refused_where_the_scheme_has_a_time(Example example) {
    if (example.at() == null) {
      return;
    }
    for (Duration apart : List.of(Duration.ofSeconds(301), Duration.ofSeconds(-301))) {
      assertThat(
              example.verify(
                  example.headers(),
                  example.body(),
                  List.of(example.secret()),
                  example.now().plus(apart)))
          .as("%s", apart)
          .isInstanceOf(Verdict.Refused.class);
    }
    assertThat(
            example.verify(
                example.headers(),
                example.body(),
                List.of(example.secret()),
                example.now().plusSeconds(300)))
        .isEqualTo(new Verdict.Genuine());
  }

  @ParameterizedTest
  @MethodSource("examples")
  void a_header_that_came_twice_is_not_believed(Example example) {
    var sent = new LinkedHashMap<String, List<String>>();
    example.headers().forEach((header, value) -> sent.put(header, List.of(value)));
    String signature = example.headers().get(example.signatureHeader());
    sent.put(example.signatureHeader(), List.of("v1,AAAA", String.valueOf(signature)));
    var delivery = new WebhookDelivery(sent, example.body().getBytes(StandardCharsets.UTF_8));

    assertThat(example.scheme().verify(delivery, List.of(example.secret()), example.now()))
        .isInstanceOf(Verdict.Refused.class);
  }

  @Test
  void a_public_key_checks_signatures_of_its_own_kind() throws GeneralSecurityException {
    KeyPair pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    byte[] encoded = pair.getPublic().getEncoded();
    byte[] raw = Arrays.copyOfRange(encoded, encoded.length - 32, encoded.length);
    String published = "whpk_" + Base64.getEncoder().encodeToString(raw);
    Signature signer = Signature.getInstance("Ed25519");
    signer.initSign(pair.getPrivate());
    signer.update("msg_1.1614265330.{}".getBytes(StandardCharsets.UTF_8));
    String signature = "v1,AAAA v1a," + Base64.getEncoder().encodeToString(signer.sign());
    var headers =
        Map.of(
            "webhook-id",
            List.of("msg_1"),
            "webhook-timestamp",
            List.of("1614265330"),
            "webhook-signature",
            List.of(signature));
    var scheme = new StandardWebhooks(Age.FIVE_MINUTES);
    Instant now = Instant.ofEpochSecond(1614265330);

    assertThat(scheme.verify(delivery(headers, "{}"), List.of(published), now))
        .isEqualTo(new Verdict.Genuine());
    assertThat(scheme.verify(delivery(headers, "{ }"), List.of(published), now))
        .isInstanceOf(Verdict.Refused.class);
    assertThat(scheme.signedIdOf(delivery(headers, "{}"))).isEqualTo("msg_1");
  }

  @Test
  void a_malformed_secret_is_reported() {
    var headers =
        Map.of(
            "webhook-id",
            List.of("m"),
            "webhook-timestamp",
            List.of("0"),
            "webhook-signature",
            List.of("v1,AAAA"));
    var scheme = new StandardWebhooks(Age.FIVE_MINUTES);

    assertThatThrownBy(
            () -> scheme.verify(delivery(headers, "{}"), List.of("whsec_%"), Instant.EPOCH))
        .hasMessageContaining("base64")
        .message()
        .doesNotContain("%");
  }

  private static WebhookDelivery delivery(Map<String, List<String>> headers, String body) {
    return new WebhookDelivery(headers, body.getBytes(StandardCharsets.UTF_8));
  }

  private static boolean refused(Example example, Map<String, String> headers, String body) {
    return example.verify(headers, body, List.of(example.secret()), example.now())
        instanceof Verdict.Refused;
  }
}
