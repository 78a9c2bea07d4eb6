package dev.hapax.app.dev;

import dev.hapax.app.http.Call;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.RouteAnswer;
import dev.hapax.app.http.RouteHandler;
import dev.hapax.app.http.TokenScope;
import dev.hapax.app.webhook.SavedEvents;
import dev.hapax.flows.expression.Durations;
import dev.hapax.trial.sandbox.TrialSandbox;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The routes below {@code /dev}, which only a development server has. They need its token, and no
 * page in a browser can use them: a request that a page sends names its origin.
 */
public final class DevRoutes {
  private final DevClock clock;
  private final DevFaults faults;
  private final DevMails mails;
  private final TrialSandbox sandbox;
  private final Supplier<@Nullable DevReload> folder;

  /**
   * The routes of a server.
   *
   * @param folder null until the server takes work
   */
  public DevRoutes(
      DevClock clock,
      DevFaults faults,
      DevMails mails,
      TrialSandbox sandbox,
      Supplier<@Nullable DevReload> folder) {
    this.folder = folder;
    this.clock = clock;
    this.faults = faults;
    this.mails = mails;
    this.sandbox = sandbox;
  }

  /** The time, and how far it is ahead of the machine's. */
  private record ClockView(Instant now, String ahead) {}

  private record ClockBody(@Nullable String by) {}

  private record FaultBody(
      @Nullable String target,
      @Nullable String fault,
      @Nullable Integer times,
      @Nullable String delay,
      @Nullable Integer status) {}

  /** A delivery that is ready to be sent to the server's own webhook; the body in base64. */
  private record DeliveryView(String path, Map<String, String> headers, String body) {}

  /** Returns the routes. */
  public List<Route> routes(SavedEvents events) {
    return List.of(
        get("/dev/clock", "Show the clock", _ -> RouteAnswer.ok(time())),
        post("/dev/clock", "Move the clock forward", this::moveClock),
        get("/dev/faults", "List the faults that are still to come", _ -> faultList()),
        post("/dev/faults", "Let something go wrong", this::addFault),
        post("/dev/faults/clear", "Forget the faults that are still to come", _ -> clear()),
        get(
            "/dev/requests",
            "List what went to the sandbox",
            _ -> RouteAnswer.ok(DevRequests.of(sandbox))),
        get(
            "/dev/mails",
            "List the mails that were shown instead of sent",
            _ -> RouteAnswer.ok(Map.of("mails", mails.all()))),
        post("/dev/reload", "Look at the folder now", _ -> reload()),
        post("/dev/events/{flow}", "Sign a saved event", call -> sign(call, events)));
  }

  private static Route get(String path, String summary, RouteHandler handler) {
    return Route.get(path, TokenScope.ADMIN, summary, fromNoPage(handler));
  }

  private static Route post(String path, String summary, RouteHandler handler) {
    return Route.post(path, TokenScope.ADMIN, summary, fromNoPage(handler));
  }

  private static RouteHandler fromNoPage(RouteHandler handler) {
    return call -> {
      if (call.header("Origin") != null) {
        throw Problem.forbidden("a page in a browser cannot use the routes of 'hapax dev'");
      }
      return handler.handle(call);
    };
  }

  private ClockView time() {
    return new ClockView(clock.now(), Durations.text(clock.ahead()));
  }

  private RouteAnswer moveClock(Call call) {
    String by = call.json(ClockBody.class).by();
    Duration length = by == null ? null : Durations.parse(by);
    if (length == null) {
      throw Problem.invalidInput(
          "by: expected a duration such as '3d' or '90m', got '%s'. The clock only goes forward."
              .formatted(by));
    }
    clock.move(length);
    return RouteAnswer.ok(time());
  }

  private RouteAnswer faultList() {
    return RouteAnswer.ok(Map.of("faults", faults.waiting()));
  }

  private RouteAnswer addFault(Call call) {
    FaultBody body = call.json(FaultBody.class);
    faults.add(
        new DevFault(
            String.valueOf(body.target() == null ? "" : body.target()),
            DevFault.Kind.of(body.fault()),
            body.times() == null ? 1 : body.times(),
            body.delay(),
            body.status()));
    return faultList();
  }

  private RouteAnswer clear() {
    return RouteAnswer.ok(Map.of("forgotten", faults.clear()));
  }

  private RouteAnswer reload() {
    DevReload now = folder.get();
    if (now == null) {
      throw Problem.unavailable("the server is about to start: try again soon");
    }
    now.look();
    return RouteAnswer.ok(Map.of("files", now.files()));
  }

  private static RouteAnswer sign(Call call, SavedEvents events) {
    call.allowQuery("hook", "eventId");
    var saved =
        new SavedEvents.Saved(
            call.path("flow"), call.query("hook"), call.query("eventId"), call.body());
    SavedEvents.Signed signed = events.sign(call.actor().tenant(), saved);
    return RouteAnswer.ok(
        new DeliveryView(
            "/hooks/" + signed.address(),
            signed.headers(),
            Base64.getEncoder().encodeToString(signed.body())));
  }
}
