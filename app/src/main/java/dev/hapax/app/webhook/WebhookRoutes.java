package dev.hapax.app.webhook;

import dev.hapax.EventSources;
import dev.hapax.Inbox;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.RouteAnswer;
import dev.hapax.app.http.Tenants;
import dev.hapax.app.http.TokenScope;
import dev.hapax.app.release.EventOrigin;
import dev.hapax.app.release.EventOrigins;
import dev.hapax.app.release.Flows;
import dev.hapax.app.release.HookPaths;
import dev.hapax.flow.NoAnswer;
import dev.hapax.flow.NotApplied;
import dev.hapax.json.Json;
import dev.hapax.time.Ports;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code POST /hooks/…} and {@code /api/inbox}. A delivery is trusted by its signature over the raw
 * bytes, and acknowledged when its event and run are durable.
 */
public final class WebhookRoutes {
  private static final Logger log = LoggerFactory.getLogger(WebhookRoutes.class);

  private final Hooks hooks;
  private final EventOrigins others;
  private final Tenants tenants;
  private final SigningSecrets secrets;
  private final Ports ports;

  public WebhookRoutes(
      HookPaths paths, Flows flows, Tenants tenants, SigningSecrets secrets, Ports ports) {
    this(paths, flows, EventOrigins.NONE, tenants, secrets, ports);
  }

  /**
   * Routes of the webhooks, and of the whole inbox.
   *
   * @param others where the events of other sources come from
   */
  public WebhookRoutes(
      HookPaths paths,
      Flows flows,
      EventOrigins others,
      Tenants tenants,
      SigningSecrets secrets,
      Ports ports) {
    this.hooks = new Hooks(paths, flows);
    this.others = others;
    this.tenants = tenants;
    this.secrets = secrets;
    this.ports = ports;
  }

  public List<Route> routes() {
    var all = new ArrayList<Route>();
    all.add(
        Route.post("/hooks/{+path}", TokenScope.PUBLIC, "Receive a webhook delivery", this::receive)
            .takes(Object.class)
            .gives(200, Receipt.class));
    all.addAll(new InboxRoutes(hooks.or(others)).routes());
    return all;
  }

  /** Returns what the triggers of live releases start now, for events that are tried again. */
  public EventSources sources() {
    EventOrigins origins = hooks.or(others);
    return (tenant, event) -> {
      EventOrigin origin = origins.find(tenant, event.source());
      return origin == null ? null : origin.source();
    };
  }

  private RouteAnswer receive(Call call) {
    Hook hook = hooks.at(call.path("path"));
    if (hook == null) {
      throw Problem.notFound("there is no webhook at " + call.path());
    }
    var delivery = new WebhookDelivery(call.headers(), call.body(), call::query);
    SignatureScheme scheme = Schemes.of(hook.trigger().verify());
    refuseForged(hook, scheme, delivery);
    delivery.identifyBy(scheme.identified(delivery));
    Object content = WebhookBody.read(call, hook.trigger().verify().scheme());
    RouteAnswer toCheck = SenderReply.toCheck(hook.trigger().verify().scheme(), content);
    if (toCheck != null) {
      return toCheck;
    }
    var payload = new LinkedHashMap<String, Object>();
    payload.put("headers", told(call.headers()));
    payload.put("body", content);
    Inbox inbox = tenants.hapax(hook.owner().tenant()).inbox();
    var identity =
        new EventIdentity(
            hook.trigger(), id -> isKnown(inbox, hook.trigger().path(), id, content), this::fresh);
    WebhookEvent.Received received =
        new WebhookEvent(hook.flow(), hook.trigger(), payload)
            .read(identity, delivery, scheme.signedIdOf(delivery));
    return SenderReply.to(
        hook.trigger().verify().scheme(),
        content,
        Receipt.of(inbox.receive(received.event(), received.source())));
  }

  private String fresh() {
    return "delivery:%016x%016x".formatted(ports.random().nextLong(), ports.random().nextLong());
  }

  /** An event with this id and the same body was received before. */
  static boolean isKnown(Inbox inbox, String source, String id, Object body) {
    return inbox.events(inbox.events().source(source).event(id)).stream()
        .map(event -> Json.read(event.payload(), Object.class))
        .anyMatch(
            payload -> payload instanceof Map<?, ?> map && Objects.equals(map.get("body"), body));
  }

  private void refuseForged(Hook hook, SignatureScheme scheme, WebhookDelivery delivery) {
    String name = hook.trigger().verify().secret();
    List<String> live = name == null ? List.of() : live(hook.owner().tenant(), name);
    if (scheme instanceof Unsigned) {
      return;
    }
    List<String> usable = live.stream().filter(scheme::canUse).toList();
    if (usable.size() < live.size() || live.isEmpty()) {
      log.warn(
          "webhook '{}' of {}: {} of {} lines of its secret '{}' can be used; {}",
          hook.trigger().path(),
          hook.owner(),
          usable.size(),
          live.size(),
          name,
          usable.isEmpty() ? "every delivery is refused" : "the others are ignored");
    }
    if (usable.isEmpty()) {
      throw Problem.unauthorized("the signature cannot be checked here");
    }
    if (scheme.verify(delivery, usable, ports.clock().now())
        instanceof SignatureScheme.Verdict.Refused(var why)) {
      throw Problem.unauthorized(why);
    }
  }

  private List<String> live(String tenant, String name) {
    try {
      return secrets.live(tenant, name);
    } catch (NotApplied e) {
      NoAnswer.passOn(e); // 503: the sender delivers it again
      throw e;
    }
  }

  static Map<String, Object> told(Map<String, List<String>> headers) {
    var told = new LinkedHashMap<String, Object>();
    headers.forEach(
        (name, values) -> {
          if (WebhookEvent.isTold(name)) {
            told.put(name, String.join(", ", values));
          }
        });
    return told;
  }
}
