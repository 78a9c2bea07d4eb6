package dev.hapax.flows.trigger;

import com.google.common.collect.ImmutableSet;
import dev.hapax.flow.Tie;
import dev.hapax.flows.expression.Position;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.expression.ValueTemplate;
import dev.hapax.flows.yaml.Fields;
import dev.hapax.flows.yaml.FileProblem;
import dev.hapax.flows.yaml.Place;
import dev.hapax.flows.yaml.Shape;
import dev.hapax.flows.yaml.Type;
import dev.hapax.flows.yaml.Types;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A call from outside, POST /hooks/path.
 *
 * @param replayAllowed whether equal bodies may be different events
 * @param tie decides about an event whose version came before with other input
 */
public record WebhookTrigger(
    Position position,
    String path,
    Verify verify,
    @Nullable Template event,
    boolean replayAllowed,
    @Nullable Template object,
    @Nullable Template version,
    Tie tie,
    @Nullable Template time,
    @Nullable ValueTemplate input)
    implements Trigger {
  private static final Type TEMPLATE = new Type.Templated(Place.EVENT);

  static final TriggerForm FORM =
      new TriggerForm(
          "webhook",
          "An HTTP call from outside.",
          WebhookTrigger::read,
          List.of(
              Shape.of("webhook", "a webhook")
                  .must(
                      "path",
                      new Type.Text("[A-Za-z0-9][A-Za-z0-9._/-]{0,127}", "shop/orders"),
                      "The path below `/hooks/`.")
                  .must("verify", new Type.Of("verify"), "How the signature is checked.")
                  .may(
                      "event",
                      TEMPLATE,
                      "The event's id, from the signed part of the delivery; a redelivery gets the first answer.")
                  .may(
                      "replay",
                      Types.words("refuse", "allow"),
                      "`allow` if equal bodies may be different events: the id may then come from a header without a signature, and a delivery without an id is always new. Default: `refuse`.")
                  .may("object", TEMPLATE, "The object that the event is about.")
                  .may(
                      "version",
                      TEMPLATE,
                      "The version of the object: a number, a time of RFC 3339 or a text. An event with an older version starts nothing; an equal version with the same input is a duplicate.")
                  .may(
                      "tie",
                      Types.words("apply", "reject", "review"),
                      "What happens to an event whose version came before with other input: it starts a run, is rejected, or waits in the inbox until a person tries it again. Default: `apply`.")
                  .may(
                      "time",
                      TEMPLATE,
                      "When the event happened: RFC 3339, or seconds since 1970. After a restore it marks events of the lost period.")
                  .may(
                      "input",
                      new Type.Value(Place.EVENT),
                      "The run's input; default is the event's body.")
                  .build(),
              Shape.of("verify", "verify")
                  .must(
                      "scheme",
                      Types.words("stripe", "github", "slack", "standard-webhooks", "hmac", "none"),
                      "The signature scheme of the sender.")
                  .may("secret", Types.TEXT, "The name of the secret.")
                  .may(
                      "header",
                      Types.TEXT,
                      "For scheme `hmac`: the header that holds the signature.")
                  .build()));

  /** How a webhook's signature is checked. */
  public record Verify(
      Position position, Scheme scheme, @Nullable String secret, @Nullable String header) {}

  /** The signature scheme, and the headers that its signature covers beside the body. */
  public enum Scheme {
    STRIPE,
    GITHUB,
    SLACK("x-slack-request-timestamp"),
    STANDARD_WEBHOOKS("webhook-id", "webhook-timestamp"),
    HMAC,
    NONE;

    private final ImmutableSet<String> signedHeaders;

    Scheme(String... signedHeaders) {
      this.signedHeaders = ImmutableSet.copyOf(signedHeaders);
    }
  }

  /**
   * Returns what {@link #event} reads although the signature does not cover it, such as {@code
   * event.headers['x-request-id']}; null if there is nothing of this kind. A captured delivery can
   * be sent again with another value there. With scheme {@code none} nothing is signed, so that no
   * part is better than another.
   */
  public @Nullable String unsignedPartOfEvent() {
    if (event == null || verify.scheme() == Scheme.NONE) {
      return null;
    }
    return event.reach().paths().stream()
        .filter(path -> path.getFirst().equals("event"))
        .filter(path -> path.size() < 2 || path.get(1).equals("headers"))
        .filter(path -> path.size() < 3 || !verify.scheme().signedHeaders.contains(path.get(2)))
        .map(path -> path.size() < 3 ? "event.headers" : "event.headers['" + path.get(2) + "']")
        .sorted()
        .findFirst()
        .orElse(null);
  }

  private static WebhookTrigger read(
      Position position, Fields webhook, Consumer<FileProblem> problems) {
    Fields verify = webhook.fieldsOf("verify");
    Scheme scheme = verify.word(Scheme.class, "scheme");
    if (scheme != Scheme.NONE && !verify.has("secret")) {
      problems.accept(
          new FileProblem(
              FileProblem.SCHEMA,
              verify.position(),
              "verify needs 'secret' for scheme %s".formatted(verify.text("scheme")),
              "Name the secret that the sender signs with."));
    }
    if (webhook.has("tie") && !(webhook.has("object") && webhook.has("version"))) {
      problems.accept(
          new FileProblem(
              FileProblem.SCHEMA,
              webhook.position("tie"),
              "tie needs 'object' and 'version'",
              "Add them: an event without a version cannot have an equal one."));
    }
    return new WebhookTrigger(
        position,
        webhook.text("path"),
        new Verify(
            verify.position("scheme"),
            scheme,
            verify.textOrNull("secret"),
            verify.textOrNull("header")),
        webhook.templateOrNull("event"),
        "allow".equals(webhook.textOrNull("replay")),
        webhook.templateOrNull("object"),
        webhook.templateOrNull("version"),
        webhook.word(Tie.class, "tie", Tie.APPLY),
        webhook.templateOrNull("time"),
        webhook.valueOrNull("input"));
  }

  @Override
  public String word() {
    return FORM.word();
  }

  @Override
  public String description() {
    return "POST /hooks/" + path;
  }

  @Override
  public String label() {
    return path;
  }

  @Override
  public @Nullable ValueTemplate givenInput() {
    return input;
  }

  @Override
  public String identity(boolean isKeyed) {
    boolean isHashed = event == null || (unsignedPartOfEvent() != null && !replayAllowed);
    String id = isHashed || event == null ? "the hash of the body" : event.source();
    return acceptsAnyone()
        ? id + "; no signature"
        : "%s; signature checked by scheme %s"
            .formatted(id, verify.scheme().name().toLowerCase(Locale.ROOT).replace('_', '-'));
  }

  @Override
  public String again() {
    String same =
        replayAllowed && event == null
            ? "each delivery is a new event"
            : "a delivery with the same id gets the first answer, for at least 30 days";
    return version == null ? same : same + "; an older version of the same object starts nothing";
  }

  @Override
  public boolean acceptsAnyone() {
    return verify.scheme() == Scheme.NONE;
  }
}
