package dev.hapax.app.webhook;

import dev.hapax.Acknowledgement;
import dev.hapax.Hapax;
import dev.hapax.Inbox;
import dev.hapax.flows.LoadedFlow;
import dev.hapax.flows.trigger.WebhookTrigger;
import dev.hapax.json.Json;
import dev.hapax.trial.TrialStopped;
import dev.hapax.trial.WebhookCall;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Receives the deliveries of a trial of flows by the rules of the trigger; they count as signed.
 */
public final class TrialDoor {
  private TrialDoor() {}

  public static Acknowledgement receive(Hapax hapax, LoadedFlow flow, WebhookCall call) {
    WebhookTrigger trigger = trigger(flow, call);
    String body = call.body() == null ? "null" : Json.write(call.body());
    var headers = new HashMap<String, List<String>>();
    call.headers().forEach((name, value) -> headers.put(name, List.of(value)));
    var delivery = new WebhookDelivery(headers, body.getBytes(StandardCharsets.UTF_8));
    Object content = call.body() == null ? Map.of() : Json.read(body, Object.class);
    var payload = new LinkedHashMap<String, Object>();
    payload.put("headers", WebhookRoutes.told(headers));
    payload.put("body", content);
    Inbox inbox = hapax.inbox();
    int received = inbox.events(inbox.events()).size();
    var identity =
        new EventIdentity(
            trigger,
            id -> WebhookRoutes.isKnown(inbox, trigger.path(), id, content),
            () -> "delivery:" + received);
    String signed = Schemes.of(trigger.verify()).signedIdOf(delivery);
    WebhookEvent.Received event =
        new WebhookEvent(flow, trigger, payload).read(identity, delivery, signed);
    return inbox.receive(event.event(), event.source());
  }

  private static WebhookTrigger trigger(LoadedFlow flow, WebhookCall call) {
    List<WebhookTrigger> found =
        flow.file().triggers().stream()
            .filter(WebhookTrigger.class::isInstance)
            .map(WebhookTrigger.class::cast)
            .filter(one -> call.path() == null || call.path().equals(one.path()))
            .toList();
    if (found.size() != 1) {
      throw new TrialStopped(
          "flow '%s' has %d webhooks%s: an event needs exactly one"
              .formatted(
                  flow.file().name(),
                  found.size(),
                  call.path() == null ? "" : " with path '%s'".formatted(call.path())));
    }
    return found.getFirst();
  }
}
