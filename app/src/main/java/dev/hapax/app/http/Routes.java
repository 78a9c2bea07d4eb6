package dev.hapax.app.http;

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
  private final Access access;
  private final Tenants tenants;
  private final BooleanSupplier isClosing;
  private final Observer observer;
  private final String base;

  /** Wraps every call. */
  @FunctionalInterface
  public interface Observer {
    /** Returns the answer of the handling, which it calls at most once and which does not throw. */
    Answer around(Route route, Request request, Supplier<Answer> handling);
  }

  public Routes(List<Route> all, Access access, Tenants tenants, BooleanSupplier isClosing) {
    this(all, access, tenants, isClosing, (_, _, handling) -> handling.get());
  }

  /**
   * Routes with an observer around them.
   *
   * @param isClosing whether the server is closing, so that streams should end
   */
  public Routes(
      List<Route> all,
      Access access,
      Tenants tenants,
      BooleanSupplier isClosing,
      Observer observer) {
    this(all, access, tenants, isClosing, observer, "");
  }

  private Routes(
      List<Route> all,
      Access access,
      Tenants tenants,
      BooleanSupplier isClosing,
      Observer observer,
      String base) {
    this.all = List.copyOf(all);
    this.access = access;
    this.tenants = tenants;
    this.isClosing = isClosing;
    this.observer = observer;
    this.base = base;
    refuseTwins(all);
  }

  private static void refuseTwins(List<Route> all) {
    Set<String> seen = new HashSet<>();
    for (Route route : all) {
      if (!seen.add(route.method() + " " + route.path().replaceAll("\\{\\+?[a-zA-Z]+}", "{}"))) {
        throw new IllegalArgumentException("the route " + route + " is there twice");
      }
    }
  }

  /**
   * Returns the same routes for callers that use this prefix before every path, for example {@code
   * /hapax}: because they are mounted there, or because a proxy removes it.
   */
  public Routes below(String path) {
    return new Routes(all, access, tenants, isClosing, observer, path);
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
      routes.addHttpHandler(
          HandlerType.findOrCreate(route.method().name()),
          prefix + route.path().replaceAll("\\{\\+([a-zA-Z]+)}", "<$1>"),
          context -> serve(context, route));
    }
    routes.exception(HttpResponseException.class, Routes::refuse);
    routes.exception(
        Problem.class, (problem, context) -> send(context, problem.answer(), () -> true));
  }

  private void serve(Context context, Route route) {
    var request = new JavalinRequest(context, route.largestBody(), rooms);
    Answer answer;
    try {
      answer = observer.around(route, request, () -> answer(request, route));
    } finally {
      request.forgetBody();
    }
    send(context, located(answer), new Stay(request, route)::isOver);
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

  private Answer answer(Request request, Route route) {
    try {
      return route.handler().handle(new Call(request, allowed(request, route), tenants));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Problem.unavailable("the server is about to stop: ask again soon").answer();
    } catch (Exception | StackOverflowError e) {
      return Problems.of(e, route).answer();
    }
  }

  /** Denies by default: only a public route is answered without a token. */
  private @Nullable Actor allowed(Request request, Route route) {
    if (route.scope() == Scope.PUBLIC) {
      return null;
    }
    String credential = request.header("Authorization");
    if (credential == null || !credential.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
      throw Problem.unauthorized("expected a token: 'Authorization: Bearer hapax_…'");
    }
    Actor actor = access.actor(credential.substring(BEARER.length()).strip());
    if (actor == null) {
      throw Problem.unauthorized("the token is unknown, expired or revoked");
    }
    if (!actor.may(route.scope())) {
      throw Problem.forbidden(
              "the token of '%s' does not allow '%s'".formatted(actor.name(), route.scope().word()))
          .with("scope", route.scope().word());
    }
    return actor;
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
                      "%s does not answer %s".formatted(context.path(), context.method()))
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
  private Answer located(Answer answer) {
    String place = answer.headers().get("Location");
    return place == null || base.isEmpty() ? answer : answer.header("Location", base + place);
  }

  private static void send(Context context, Answer answer, BooleanSupplier isClosing) {
    context.status(answer.status());
    answer.headers().forEach(context::header);
    switch (answer.body()) {
      case Answer.Empty _ -> {}
      case Answer.Json(var value) ->
          context.contentType("application/json").result(Bodies.write(value));
      case Answer.Bytes(var content, var type) -> context.contentType(type).result(content);
      case Answer.Stream(var writer, var type) -> {
        context.contentType(type);
        stream(context, writer, isClosing);
      }
    }
  }

  /** The peer reads while the writer writes, so nothing written can be taken back. */
  private static void stream(Context context, Answer.Writer writer, BooleanSupplier isClosing) {
    try {
      OutputStream out = context.res().getOutputStream();
      out.flush();
      writer.write(
          new Answer.Sink() {
            @Override
            public void send(String text) throws IOException {
              out.write(text.getBytes(StandardCharsets.UTF_8));
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
