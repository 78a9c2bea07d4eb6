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
import java.util.Arrays;
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
                      "scheme", Types.words(Scheme.words()), "The signature scheme of the sender.")
                  .may(
                      "secret",
                      Types.TEXT,
                      "The name of the secret, or of the sender's public key for schemes that have one.")
                  .may(
                      "header",
                      Types.TEXT,
                      "For scheme `hmac`: the header that holds the signature.")
                  .may(
                      "url",
                      new Type.Text("https?://[!-~]{1,500}", "https://hooks.example/hooks/shop"),
                      "For schemes that sign the address (`square`, `twilio`, `hubspot`): the webhook's public address, exactly as the sender knows it.")
                  .build()));

  /**
   * How a webhook's signature is checked.
   *
   * @param url the public address, for schemes that sign it
   */
  public record Verify(
      Position position,
      Scheme scheme,
      @Nullable String secret,
      @Nullable String header,
      @Nullable String url) {}

  /** A sender's signature scheme, and what its signature covers beside the raw body. */
  public enum Scheme {
    STRIPE,
    GITHUB,
    SLACK("x-slack-request-timestamp"),
    STANDARD_WEBHOOKS("webhook-id", "webhook-timestamp"),
    SHOPIFY,
    SQUARE,
    TWILIO,
    SENDGRID("x-twilio-email-event-webhook-timestamp"),
    ADYEN,
    HUBSPOT("x-hubspot-request-timestamp"),
    ZENDESK("x-zendesk-webhook-signature-timestamp"),
    CALENDLY,
    DISCORD("x-signature-timestamp"),
    XERO,
    HMAC,
    NONE;

    private final ImmutableSet<String> signedHeaders;

    Scheme(String... signedHeaders) {
      this.signedHeaders = ImmutableSet.copyOf(signedHeaders);
    }

    static String[] words() {
      return Arrays.stream(values()).map(Scheme::word).toArray(String[]::new);
    }

    /** Returns its name in flow files. */
    public String word() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns whether the signature covers a header, by its name in lower case. */
    boolean signsHeader(String name) {
      return signedHeaders.contains(name);
    }

    /** Returns whether the signature covers the address that was called. */
    public boolean signsUrl() {
      return this == SQUARE || this == TWILIO || this == HUBSPOT;
    }

    /**
     * Returns whether the signature covers parts of the body and not its bytes. The same signature
     * then fits other bodies, and only the scheme itself knows which event a delivery is.
     */
    public boolean signsOnlyParts() {
      return this == TWILIO || this == ADYEN;
    }

    /** Returns whether a sender of this scheme signs an id that an expression can name. */
    public boolean hasSignedId() {
      return !signsOnlyParts() && this != GITHUB && this != SHOPIFY && this != DISCORD;
    }

    /** Returns the event's id without an expression, in words. */
    public String usualId() {
      return switch (this) {
        case TWILIO -> "the hash of the signed fields";
        case ADYEN -> "the signed event code with its reference";
        default -> "the hash of the body";
      };
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
    if (verify.scheme().signsOnlyParts()) {
      return "event";
    }
    return event.reach().paths().stream()
        .filter(path -> path.getFirst().equals("event"))
        .filter(path -> path.size() < 2 || path.get(1).equals("headers"))
        .filter(path -> path.size() < 3 || !verify.scheme().signsHeader(path.get(2)))
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
    if (scheme.signsUrl() != verify.has("url")) {
      problems.accept(
          new FileProblem(
              FileProblem.SCHEMA,
              verify.position(),
              scheme.signsUrl()
                  ? "verify needs 'url' for scheme %s, which signs the address"
                      .formatted(scheme.word())
                  : "scheme %s does not sign the address".formatted(scheme.word()),
              scheme.signsUrl()
                  ? "Write the public address of this webhook as the sender knows it."
                  : "Remove 'url'."));
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
            verify.textOrNull("header"),
            verify.textOrNull("url")),
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
    boolean isOwn = event == null || (unsignedPartOfEvent() != null && !replayAllowed);
    String id = isOwn || event == null ? verify.scheme().usualId() : event.source();
    return acceptsAnyone()
        ? id + "; no signature"
        : "%s; signature checked by scheme %s".formatted(id, verify.scheme().word());
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
