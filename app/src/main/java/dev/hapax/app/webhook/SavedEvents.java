package dev.hapax.app.webhook;

import dev.hapax.app.http.Problem;
import dev.hapax.app.release.FlowName;
import dev.hapax.app.release.Flows;
import dev.hapax.app.release.HookPaths;
import dev.hapax.flows.LoadedFlow;
import dev.hapax.flows.trigger.Trigger;
import dev.hapax.flows.trigger.WebhookTrigger;
import dev.hapax.json.Digest;
import dev.hapax.time.Ports;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Signs saved events for the webhooks of live flows, as their senders would, so that a developer
 * can deliver them again. Only {@code hapax dev} offers it: it signs with the server's own secrets.
 */
public final class SavedEvents {
  private static final int ID_DIGITS = 24;

  private final HookPaths paths;
  private final Flows flows;
  private final SigningSecrets secrets;
  private final Ports ports;

  public SavedEvents(HookPaths paths, Flows flows, SigningSecrets secrets, Ports ports) {
    this.paths = paths;
    this.flows = flows;
    this.secrets = secrets;
    this.ports = ports;
  }

  /**
   * An event that was saved as its sender sent it.
   *
   * @param hook the path of the webhook; null if the flow has only one
   * @param id that the event gets; null for the one that it has
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Saved(String flow, @Nullable String hook, @Nullable String id, byte[] body) {}

  /**
   * A delivery that the webhook accepts.
   *
   * @param address below {@code /hooks/}
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Signed(String address, Map<String, String> headers, byte[] body) {}

  /** Signs the event with the present time. */
  public Signed sign(String tenant, Saved saved) {
    WebhookTrigger trigger = trigger(tenant, saved);
    WebhookTrigger.Verify verify = trigger.verify();
    var placed = EventIdPlace.of(trigger).put(saved.id(), saved.body());
    var headers = new LinkedHashMap<String, String>();
    headers.put("Content-Type", contentType(placed.body(), verify.scheme()));
    headers.putAll(placed.headers());
    SignatureScheme scheme = Schemes.of(verify);
    var stamp =
        new SignatureScheme.Stamp(
            placed.stampId() == null ? idOf(saved.body()) : placed.stampId(), ports.clock().now());
    String secret = secret(tenant, trigger, scheme);
    byte[] body = scheme.withSignature(placed.body(), secret);
    headers.putAll(scheme.sign(new WebhookDelivery(Map.of(), body), secret, stamp));
    return new Signed(
        paths.address(new FlowName(tenant, saved.flow()), trigger.path()), headers, body);
  }

  private WebhookTrigger trigger(String tenant, Saved saved) {
    LoadedFlow flow = flows.find(tenant, saved.flow());
    if (flow == null) {
      throw Problem.notFound("flow '%s' has no live release".formatted(saved.flow()));
    }
    List<WebhookTrigger> all =
        flow.file().triggers().stream()
            .filter(WebhookTrigger.class::isInstance)
            .map(WebhookTrigger.class::cast)
            .toList();
    List<WebhookTrigger> meant =
        all.stream()
            .filter(one -> saved.hook() == null || one.path().equals(saved.hook()))
            .toList();
    if (meant.size() != 1) {
      throw Problem.notFound(
          all.isEmpty()
              ? "flow '%s' has no webhook".formatted(saved.flow())
              : "flow '%s' has the webhooks %s: name one of them"
                  .formatted(saved.flow(), all.stream().map(Trigger::label).toList()));
    }
    return meant.getFirst();
  }

  private String secret(String tenant, WebhookTrigger trigger, SignatureScheme scheme) {
    String name = trigger.verify().secret();
    if (name == null || scheme instanceof Unsigned) {
      return "";
    }
    return secrets.live(tenant, name).stream()
        .filter(scheme::canSign)
        .findFirst()
        .orElseThrow(
            () ->
                Problem.notPossible(
                    "secret '%s' cannot sign with scheme %s: it is missing, a public key (only the sender has the other half), or has another form"
                        .formatted(name, trigger.verify().scheme().word())));
  }

  private static String contentType(byte[] body, WebhookTrigger.Scheme scheme) {
    String text = new String(body, StandardCharsets.UTF_8);
    return WebhookBody.isForm(text, scheme)
        ? "application/x-www-form-urlencoded"
        : "application/json";
  }

  /** A saved event that is sent again keeps its id. */
  private static String idOf(byte[] body) {
    return "msg_" + HexFormat.of().formatHex(Digest.sha256(body)).substring(0, ID_DIGITS);
  }
}
