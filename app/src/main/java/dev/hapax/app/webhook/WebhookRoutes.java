package dev.hapax.app.webhook;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.hapax.Hapax;
import dev.hapax.app.http.Answer;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.Scope;
import dev.hapax.app.http.Tenants;
import dev.hapax.app.release.FlowName;
import dev.hapax.app.release.Flows;
import dev.hapax.app.release.Releases;
import dev.hapax.app.wire.Page;
import dev.hapax.flows.LoadedFlow;
import dev.hapax.flows.file.Trigger;
import dev.hapax.inbox.Acknowledgement;
import dev.hapax.json.Json;
import dev.hapax.run.InboxEvent;
import dev.hapax.run.InboxOutcome;
import dev.hapax.time.Clock;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code POST /hooks/…} and {@code /api/inbox}. A delivery is trusted by its signature over the raw
 * bytes, and acknowledged when its event and run are durable.
 */
public final class WebhookRoutes {
  private static final Logger log = LoggerFactory.getLogger(WebhookRoutes.class);

  private final Releases releases;
  private final Flows flows;
  private final Tenants tenants;
  private final SigningSecrets secrets;
  private final Clock clock;

  public WebhookRoutes(
      Releases releases, Flows flows, Tenants tenants, SigningSecrets secrets, Clock clock) {
    this.releases = releases;
    this.flows = flows;
    this.tenants = tenants;
    this.secrets = secrets;
    this.clock = clock;
  }

  public List<Route> routes() {
    return List.of(
        Route.post("/hooks/{+path}", Scope.PUBLIC, "A delivery of a webhook", this::receive)
            .takes(Object.class)
            .gives(200, Receipt.class),
        Route.get("/api/inbox", Scope.INBOX_READ, "Events that came in, newest first", this::list)
            .query("source", "The path of a webhook.")
            .query("event", "The id that its source gave it.")
            .query("outcome", "What became of it.")
            .givesPage(EventView.class),
        Route.get("/api/inbox/{id}", Scope.INBOX_READ, "An event and its payload", this::get)
            .gives(200, EventView.class),
        Route.post(
                "/api/inbox/{id}/retry",
                Scope.INBOX_WRITE,
                "Try an invalid or rejected event again",
                this::retry)
            .gives(200, Receipt.class));
  }

  // ---- deliveries

  /** A webhook of a live release. */
  private record Hook(FlowName owner, LoadedFlow flow, Trigger.Webhook trigger) {}

  private Answer receive(Call call) {
    Hook hook = hookAt(call.path("path"));
    if (hook == null) {
      throw Problem.notFound("nobody listens at " + call.path());
    }
    byte[] body = call.body();
    var delivery = new Delivery(call.headers(), body);
    SignatureScheme scheme = Schemes.of(hook.trigger().verify());
    refuseForged(hook, scheme, delivery);
    Object content = content(call);
    String challenge = challenge(hook, content);
    if (challenge != null) {
      return Answer.ok(Map.of("challenge", challenge));
    }
    var payload = new LinkedHashMap<String, Object>();
    payload.put("headers", told(call.headers()));
    payload.put("body", content);
    WebhookEvent.Received received =
        new WebhookEvent(hook.flow(), hook.trigger(), payload)
            .read(scheme.eventIdOf(delivery), body);
    return Answer.ok(
        Receipt.of(engineOf(hook.owner()).inbox().receive(received.event(), received.source())));
  }

  private @Nullable Hook hookAt(String path) {
    FlowName owner = releases.ownerOfPath(path);
    LoadedFlow flow = owner == null ? null : flows.find(owner.tenant(), owner.flow());
    if (owner == null || flow == null) {
      return null;
    }
    for (Trigger trigger : flow.file().triggers()) {
      if (trigger instanceof Trigger.Webhook webhook && webhook.path().equals(path)) {
        return new Hook(owner, flow, webhook);
      }
    }
    return null;
  }

  private void refuseForged(Hook hook, SignatureScheme scheme, Delivery delivery) {
    String name = hook.trigger().verify().secret();
    List<String> live = name == null ? List.of() : secrets.live(hook.owner().tenant(), name);
    if (live.isEmpty() && !(scheme instanceof Unsigned)) {
      log.warn(
          "webhook '{}' of {}: every delivery is refused, because its secret '{}' is not set",
          hook.trigger().path(),
          hook.owner(),
          name);
      throw Problem.unauthorized("the signature cannot be checked here");
    }
    if (scheme.verify(delivery, live, clock.now())
        instanceof SignatureScheme.Verdict.Refused(var why)) {
      throw Problem.unauthorized(why);
    }
  }

  /** Reads JSON, or the fields of a form; expressions can read nothing else. */
  private static Object content(Call call) {
    String type = String.valueOf(call.header("Content-Type")).toLowerCase(Locale.ROOT);
    return type.startsWith("application/x-www-form-urlencoded")
        ? form(call.text())
        : Json.read(call.jsonOfAnyType().toString(), Object.class);
  }

  private static Map<String, Object> form(String text) {
    var fields = new LinkedHashMap<String, Object>();
    try {
      Arrays.stream(text.split("&", -1))
          .filter(field -> !field.isEmpty())
          .map(field -> field.split("=", 2))
          .forEach(
              field ->
                  fields.putIfAbsent(decoded(field[0]), field.length < 2 ? "" : decoded(field[1])));
    } catch (IllegalArgumentException e) {
      throw Problem.invalidInput("body: expected the fields of a form");
    }
    return fields;
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  /** Slack checks the endpoint once; it is answered after the signature was checked. */
  private static @Nullable String challenge(Hook hook, Object content) {
    return hook.trigger().verify().scheme() == Trigger.Scheme.SLACK
            && content instanceof Map<?, ?> body
            && "url_verification".equals(body.get("type"))
            && body.get("challenge") instanceof String challenge
        ? challenge
        : null;
  }

  private static Map<String, Object> told(Map<String, List<String>> headers) {
    var told = new LinkedHashMap<String, Object>();
    headers.forEach(
        (name, values) -> {
          if (WebhookEvent.isTold(name)) {
            told.put(name, String.join(", ", values));
          }
        });
    return told;
  }

  private Hapax engineOf(FlowName owner) {
    return tenants.hapax(owner.tenant());
  }

  /**
   * The result of a delivery.
   *
   * @param run that it started, or that existed already
   */
  record Receipt(
      @Nullable String run,
      String outcome,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String detail) {
    static Receipt of(Acknowledgement acknowledged) {
      return new Receipt(acknowledged.run(), acknowledged.outcome().word(), acknowledged.detail());
    }
  }

  // ---- the inbox

  private Answer list(Call call) {
    call.allowQuery("source", "event", "outcome", "limit", "after");
    int limit = call.limit();
    String after = call.query("after");
    var filter =
        call.hapax()
            .inbox()
            .events()
            .source(call.query("source"))
            .event(call.query("event"))
            .outcome(outcome(call.query("outcome")))
            .page(after == null ? null : Long.valueOf(InboxEvent.number(after)), limit + 1);
    return Answer.ok(
        Page.of(call.hapax().inbox().events(filter), limit, EventView::of, InboxEvent::id));
  }

  private static @Nullable InboxOutcome outcome(@Nullable String word) {
    if (word == null) {
      return null;
    }
    return Arrays.stream(InboxOutcome.values())
        .filter(outcome -> outcome.word().equals(word))
        .findFirst()
        .orElseThrow(
            () ->
                Problem.invalidInput(
                    "outcome: expected one of %s, got '%s'"
                        .formatted(
                            Arrays.stream(InboxOutcome.values()).map(InboxOutcome::word).toList(),
                            word)));
  }

  private Answer get(Call call) {
    return Answer.ok(EventView.withPayload(event(call)));
  }

  private static InboxEvent event(Call call) {
    String id = call.path("id");
    try {
      return call.hapax().inbox().event(id);
    } catch (IllegalArgumentException e) {
      throw Problem.notFound("there is no event '%s': %s".formatted(id, e.getMessage()));
    }
  }

  private Answer retry(Call call) {
    InboxEvent event = event(call);
    Hook hook = hookAt(event.source());
    if (hook == null || !hook.owner().tenant().equals(call.actor().tenant())) {
      throw Problem.notPossible(
          "nobody listens at '%s' any more; make a release live that does"
              .formatted(event.source()));
    }
    if (!event.outcome().canBeTriedAgain()) {
      throw Problem.notPossible(
          "event %s is %s; only an invalid or rejected one can be tried again"
              .formatted(event.id(), event.outcome().word()));
    }
    return Answer.ok(
        Receipt.of(
            call.hapax()
                .inbox()
                .retry(event.id(), WebhookEvent.sourceOf(hook.flow(), hook.trigger()))));
  }
}
