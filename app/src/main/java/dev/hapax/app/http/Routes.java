package dev.hapax.app.http;

import dev.hapax.flow.WaitingCaller;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import io.javalin.http.HttpResponseException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The routes of all areas, and the checks before each of them: authentication and permission.
 * Mounted by our own {@link Server}, or in another program's servlet container by a {@link Mount}.
 */
public final class Routes {
  private static final String BEARER = "Bearer ";

  /** How often the token of a stream's reader is checked, only when there is something to send. */
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

  private final BodyRooms rooms = new BodyRooms();
  private final List<Route> all;
  private final Authenticator access;
  private final Tenants tenants;
  private final BooleanSupplier isClosing;
  private final Observer observer;
  private final RefusalWatch refusals;
  private final StreamLimits streams;
  private final LabelsOfFlows labels;
  private final Browsers browsers;
  private final String base;

  /** What browsers get beside the routes. */
  private record Browsers(Sessions sessions, Site site) {
    static final Browsers NONE = new Browsers(Sessions.NONE, Site.NONE);
  }

  /** Wraps every call. */
  @FunctionalInterface
  public interface Observer {
    /** Returns the answer of the handling, which it calls at most once and which does not throw. */
    RouteAnswer around(Route route, Request request, Supplier<RouteAnswer> handling);
  }

  public Routes(List<Route> all, Authenticator access, Tenants tenants, BooleanSupplier isClosing) {
    this(all, access, tenants, isClosing, (_, _, handling) -> handling.get());
  }

  /**
   * Routes with an observer around them.
   *
   * @param isClosing whether the server is closing, so that streams should end
   */
  public Routes(
      List<Route> all,
      Authenticator access,
      Tenants tenants,
      BooleanSupplier isClosing,
      Observer observer) {
    this(
        all,
        access,
        tenants,
        isClosing,
        observer,
        RefusalWatch.NONE,
        new StreamLimits(Integer.MAX_VALUE, null, _ -> Integer.MAX_VALUE),
        LabelsOfFlows.NONE,
        Browsers.NONE,
        "");
  }

  private Routes(
      List<Route> all,
      Authenticator access,
      Tenants tenants,
      BooleanSupplier isClosing,
      Observer observer,
      RefusalWatch refusals,
      StreamLimits streams,
      LabelsOfFlows labels,
      Browsers browsers,
      String base) {
    this.all = List.copyOf(all);
    this.access = access;
    this.tenants = tenants;
    this.isClosing = isClosing;
    this.observer = observer;
    this.refusals = refusals;
    this.streams = streams;
    this.labels = labels;
    this.browsers = browsers;
    this.base = base;
    refuseTwins(all);
  }

  private static void refuseTwins(List<Route> all) {
    Set<String> seen = new HashSet<>();
    for (Route route : all) {
      if (!seen.add(route.method() + " " + route.path().replaceAll("\\{\\+?[a-zA-Z]+}", "{}"))) {
        throw new IllegalArgumentException("the route " + route + " exists twice");
      }
    }
  }

  /**
   * Returns the same routes for callers that use this prefix before every path, for example {@code
   * /hapax}: because they are mounted there, or because a proxy removes it.
   */
  public Routes below(String path) {
    return new Routes(
        all, access, tenants, isClosing, observer, refusals, streams, labels, browsers, path);
  }

  /** Returns the same routes, which report every refused request. */
  public Routes refusalsTo(RefusalWatch watch) {
    return new Routes(
        all, access, tenants, isClosing, observer, watch, streams, labels, browsers, base);
  }

  /** Returns the same routes, which give so many streams at once. */
  public Routes streamsWithin(StreamLimits limits) {
    return new Routes(
        all, access, tenants, isClosing, observer, refusals, limits, labels, browsers, base);
  }

  /** Returns the same routes for tokens that may be limited to these labels. */
  public Routes labelsFrom(LabelsOfFlows flows) {
    return new Routes(
        all, access, tenants, isClosing, observer, refusals, streams, flows, browsers, base);
  }

  /** Returns the same routes for browsers, too: with sessions, and with pages beside the routes. */
  public Routes browsersBy(Sessions sessions, Site site) {
    return new Routes(
        all,
        access,
        tenants,
        isClosing,
        observer,
        refusals,
        streams,
        labels,
        new Browsers(sessions, site),
        base);
  }

  public List<Route> all() {
    return all;
  }

  /**
   * Makes a Javalin answer these routes, and every other request with a problem.
   *
   * @param prefix in front of every path, for example {@code /hapax}; empty for none
   */
  public void register(RoutesConfig routes, String prefix) {
    for (Route route : all) {
      String path = prefix + route.path().replaceAll("\\{\\+([a-zA-Z]+)}", "<$1>");
      routes.addHttpHandler(
          HandlerType.findOrCreate(route.method().name()), path, context -> serve(context, route));
      if (route.method() == Method.GET) { // else the library answers HEAD, and asks for no token
        routes.addHttpHandler(HandlerType.HEAD, path, context -> serve(context, route));
      }
    }
    routes.exception(
        HttpResponseException.class, (refused, context) -> noRoute(refused, context, prefix));
    routes.exception(
        Problem.class, (problem, context) -> send(context, problem.answer(), () -> true));
  }

  private void serve(Context context, Route route) {
    var request = new JavalinRequest(context, route.largestBody(), rooms);
    try (StreamLimits.Slot slot = streams.slot()) {
      RouteAnswer answer;
      try {
        answer = observer.around(route, request, () -> answer(request, route, slot));
      } finally {
        request.forgetBody();
      }
      send(context, unkept(located(answer)), new Stay(request, route)::isOver);
    }
  }

  /** How long a peer may read a stream: until the server ends, or its token becomes invalid. */
  private final class Stay {
    private final Request request;
    private final Route route;
    private long lookedAt = System.nanoTime();

    Stay(Request request, Route route) {
      this.request = request;
      this.route = route;
    }

    boolean isOver() {
      return isClosing.getAsBoolean() || !isStillAllowed();
    }

    private boolean isStillAllowed() {
      if (System.nanoTime() - lookedAt < LOOK_AGAIN.toNanos()) {
        return true;
      }
      lookedAt = System.nanoTime();
      try {
        allowed(request, route);
        return true;
      } catch (Problem refused) {
        return refused.status() == 429; // it exceeds its rate elsewhere, and stays
      }
    }
  }

  private RouteAnswer answer(Request request, Route route, StreamLimits.Slot slot) {
    return WaitingCaller.waitsFor(() -> answerNow(request, route, slot));
  }

  private RouteAnswer answerNow(Request request, Route route, StreamLimits.Slot slot) {
    Actor actor = null;
    try {
      actor = caller(request, route);
      RouteAnswer answer = handled(new Call(request, actor, tenants, labels), route);
      if (answer.body() instanceof RouteAnswer.Stream) {
        slot.take(actor);
      }
      return answer;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Problem.unavailable("the server is about to stop: try again soon").answer();
    } catch (Exception | StackOverflowError e) {
      Problem problem = challenged(Problems.of(e, route), route);
      refusals.refused(new RefusalWatch.Refused(route, request, actor, problem, e));
      return problem.answer();
    }
  }

  /** Calls the handler if the caller may call the route. */
  static RouteAnswer handled(Call call, Route route) throws Exception {
    Actor actor = route.scope() == TokenScope.PUBLIC ? null : call.actor();
    refuseWithoutScope(actor, route);
    if (actor != null && !actor.flows().isAll()) {
      route.subject().refuseOthers(call);
    }
    return route.handler().handle(call);
  }

  /** Says where a caller without a token learns how to get one. */
  private static Problem challenged(Problem problem, Route route) {
    Supplier<String> metadata = route.metadata();
    return metadata == null || problem.status() != 401
        ? problem
        : problem.header(
            "WWW-Authenticate", "Bearer resource_metadata=\"%s\"".formatted(metadata.get()));
  }

  private void allowed(Request request, Route route) {
    refuseWithoutScope(caller(request, route), route);
  }

  /** Denies by default: only a public route is answered without a token, and has no caller. */
  private @Nullable Actor caller(Request request, Route route) {
    if (route.scope() == TokenScope.PUBLIC) {
      return null;
    }
    String token = bearer(request);
    Actor actor = access.actor(token == null ? ofSession(request, route) : token);
    if (actor == null) {
      Problem refused = Problem.unauthorized("the token is unknown, expired or revoked");
      throw token == null ? browsers.sessions().over(refused) : refused;
    }
    return actor;
  }

  /**
   * A token in the header counts before a cookie: who sends one means it. Another header does not,
   * because a proxy may ask the browser for its own.
   */
  private static @Nullable String bearer(Request request) {
    String header = request.header("Authorization");
    return header != null && header.regionMatches(true, 0, BEARER, 0, BEARER.length())
        ? header.substring(BEARER.length()).strip()
        : null;
  }

  private String ofSession(Request request, Route route) {
    String ofSession = browsers.sessions().credential(request, route.method());
    if (ofSession == null) {
      throw Problem.unauthorized("expected a token: 'Authorization: Bearer hapax_…'");
    }
    return ofSession;
  }

  private static void refuseWithoutScope(@Nullable Actor actor, Route route) {
    if (actor != null && !actor.may(route.scope())) {
      throw Problem.forbidden(
              "the token of '%s' does not allow '%s'".formatted(actor.name(), route.scope().word()))
          .with("scope", route.scope().word());
    }
  }

  /** A browser may get a page where there is no route. */
  private void noRoute(HttpResponseException refused, Context context, String prefix) {
    boolean isRead =
        context.method().equals(HandlerType.GET) || context.method().equals(HandlerType.HEAD);
    RouteAnswer page =
        isRead && refused.getStatus() == 404 && context.path().startsWith(prefix)
            ? browsers.site().answer(context.path().substring(prefix.length()), context::header)
            : null;
    if (page == null) {
      refuse(refused, context);
    } else {
      send(context, page, () -> true);
    }
  }

  /** Answers requests without a route: an unknown path, a method that the path does not have. */
  private static void refuse(HttpResponseException refused, Context context) {
    Problem problem =
        switch (refused.getStatus()) {
          case 404 -> Problem.notFound("there is nothing at " + context.path());
          case 405 ->
              Problem.of(
                      "method-not-allowed",
                      405,
                      "%s does not support %s".formatted(context.path(), context.method()))
                  .header("Allow", allow(refused));
          default ->
              Problem.of(
                  "invalid-input", refused.getStatus(), String.valueOf(refused.getMessage()));
        };
    send(context, problem.answer(), () -> true);
  }

  private static String allow(HttpResponseException refused) {
    return refused.getDetails().getOrDefault("availableMethods", "");
  }

  /** Adds the prefix to the location: handlers do not know it. */
  private RouteAnswer located(RouteAnswer answer) {
    String place = answer.headers().get("Location");
    return place == null || base.isEmpty() || !place.startsWith("/")
        ? answer
        : answer.header("Location", base + place);
  }

  /** No browser or proxy keeps what a token showed, unless the route says so. */
  private static RouteAnswer unkept(RouteAnswer answer) {
    return answer.headers().containsKey("Cache-Control")
        ? answer
        : answer.header("Cache-Control", "no-store");
  }

  private static void send(Context context, RouteAnswer answer, BooleanSupplier isClosing) {
    context.status(answer.status());
    context.header(BrowserRule.HEADER, BrowserRule.VALUE);
    answer.headers().forEach(context::header);
    answer.cookies().forEach(cookie -> context.res().addHeader("Set-Cookie", cookie));
    switch (answer.body()) {
      case RouteAnswer.Empty _ -> {}
      case RouteAnswer.Json(var value) ->
          context.contentType("application/json").result(Bodies.write(value));
      case RouteAnswer.Bytes(var content, var type) -> context.contentType(type).result(content);
      case RouteAnswer.Stream(var writer, var type) -> {
        context.contentType(type);
        if (!context.method().equals(HandlerType.HEAD)) {
          stream(context, writer, isClosing);
        }
      }
    }
  }

  /** The peer reads while the writer writes, so nothing written can be taken back. */
  private static void stream(
      Context context, RouteAnswer.Writer writer, BooleanSupplier isClosing) {
    try {
      OutputStream out = context.res().getOutputStream();
      out.flush();
      writer.write(
          new RouteAnswer.Sink() {
            @Override
            public void send(String text) throws IOException {
              out.write(text.getBytes(StandardCharsets.UTF_8));
              out.flush();
            }

            @Override
            public void sendJson(Object value) throws IOException {
              Bodies.write(value, out);
              out.flush();
            }

            @Override
            public boolean isClosing() {
              return isClosing.getAsBoolean();
            }
          });
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      // The peer has gone, or nothing more can be sent to it: the connection ends.
    }
  }
}
