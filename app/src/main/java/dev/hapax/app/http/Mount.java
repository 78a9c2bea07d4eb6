package dev.hapax.app.http;

import dev.hapax.time.Threads;
import io.javalin.Javalin;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves routes in another program's servlet container, which maps the servlet to the prefix. The
 * container's own limits apply before ours: on connections, on headers, on which paths it takes.
 */
public final class Mount implements Carrier {
  private static final Logger log = LoggerFactory.getLogger(Mount.class);

  private final Place place;
  private final RequestDrain drain;
  private final HttpServlet servlet;

  /**
   * The place of the mount.
   *
   * @param prefix in front of every path inside the program, for example {@code /hapax}; empty for
   *     none
   * @param url where callers reach it, with the whole prefix of the paths there
   * @param drainWithin how long closing waits for requests that have arrived
   */
  public record Place(String prefix, URI url, Duration drainWithin) {
    public Place {
      if (!prefix.matches("(/[A-Za-z0-9._~-]+)*")) {
        throw new IllegalArgumentException(
            "prefix: expected a path such as '/hapax', or nothing, got '%s'".formatted(prefix));
      }
    }
  }

  private Mount(Place place, RequestDrain drain, HttpServlet servlet) {
    this.place = place;
    this.drain = drain;
    this.servlet = servlet;
  }

  /** Creates a mount that answers as soon as the program maps the servlet. */
  public static Mount of(Routes routes, Place place, Threads threads) {
    Javalin javalin =
        Javalin.create(
            config -> {
              Server.behave(config);
              routes.register(config.routes, place.prefix());
            });
    var drain = new RequestDrain(threads.signal());
    return new Mount(place, drain, new Drained(javalin.javalinServlet(), drain));
  }

  public HttpServlet servlet() {
    return servlet;
  }

  @Override
  public URI address() {
    return place.url();
  }

  @Override
  public void close() {
    if (!drain.shut(place.drainWithin())) {
      log.warn("some requests were not answered in time; their callers have to repeat them");
    }
  }

  /** Answers until it is closed; requests that arrived by then are answered. */
  @SuppressWarnings("serial") // no container that moves servlets between machines is left
  private static final class Drained extends HttpServlet {
    private final Servlet routes;
    private final RequestDrain drain;
    private final Entrance entrance = new Entrance(HostRule.ANY); // the container's task

    Drained(Servlet routes, RequestDrain drain) {
      this.routes = routes;
      this.drain = drain;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
        throws ServletException, IOException {
      if (!drain.enter()) {
        Entrance.refuse(
            Problem.unavailable("the server is about to stop: try again soon"), response);
        return;
      }
      try {
        HttpServletRequest admitted = entrance.admit(request, response);
        if (admitted != null) {
          routes.service(admitted, response);
        }
      } finally {
        drain.leave();
      }
    }
  }
}
