package dev.hapax.app.http;

import io.javalin.Javalin;
import io.javalin.compression.CompressionStrategy;
import io.javalin.config.JavalinConfig;
import io.javalin.util.JavalinException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.component.LifeCycle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The program's own HTTP server: one address, a virtual thread per request, limits. */
public final class Server implements Carrier {
  private static final Logger log = LoggerFactory.getLogger(Server.class);

  /** A peer that sends nothing for this long has gone. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final int LARGEST_HEADERS = 16 * 1024;

  private final Javalin javalin;
  private final String host;

  private Server(Javalin javalin, String host) {
    this.javalin = javalin;
    this.host = host;
  }

  /**
   * The place of the server.
   *
   * @param port 0 for one that is free
   * @param hosts the host names that a request may use; empty for any
   * @param drainWithin how long closing waits for requests that have arrived
   * @param patience how long a peer may be silent
   */
  public record Place(
      String host, int port, Set<String> hosts, Duration drainWithin, Duration patience) {
    public Place {
      hosts = Set.copyOf(hosts);
    }

    public Place(String host, int port, Set<String> hosts, Duration drainWithin) {
      this(host, port, hosts, drainWithin, PATIENCE);
    }
  }

  /** Starts to answer, for any host name. */
  public static Server start(Routes routes, String host, int port, Duration drainWithin) {
    return start(routes, new Place(host, port, Set.of(), drainWithin));
  }

  /** Starts to answer. */
  public static Server start(Routes routes, Place place) {
    Javalin javalin =
        Javalin.create(
            config -> {
              configure(config, place);
              if (!place.hosts().isEmpty()) {
                config.routes.before(context -> refuseOtherHosts(context.host(), place.hosts()));
              }
              routes.register(config.routes, "");
            });
    return new Server(javalin.start(), place.host());
  }

  /** Refuses DNS rebinding: pages of another site whose name was made to lead here. */
  private static void refuseOtherHosts(@Nullable String asked, Set<String> hosts) {
    String name = asked == null ? "" : asked.replaceFirst(":\\d+$", "").toLowerCase(Locale.ROOT);
    if (!hosts.contains(name)) {
      throw Problem.forbidden(
          "host '%s' is not served here; http.hosts can name it".formatted(name));
    }
  }

  /** Configures what is the same for every carrier. */
  static void behave(JavalinConfig config) {
    config.startup.showJavalinBanner = false;
    config.startup.showOldJavalinVersionWarning = false;
    config.startup.startupWatcherEnabled = false;
    config.http.prefer405over404 = true;
    config.http.compressionStrategy = CompressionStrategy.NONE;
    config.router.treatMultipleSlashesAsSingleSlash = false;
  }

  private static void configure(JavalinConfig config, Place place) {
    behave(config);
    config.concurrency.useVirtualThreads = true;
    config.jetty.modifyHttpConfiguration(Server::limit);
    config.jetty.addConnector((server, http) -> connector(server, http, place));
    config.jetty.modifyServer(
        server -> {
          server.setErrorHandler(new PlainErrors());
          server.setHandler(new GracefulHandler());
          server.setStopTimeout(place.drainWithin().toMillis());
        });
    // A key may hold a slash: its path then holds %2F, which is part of a name and no separator.
    config.jetty.modifyServletContextHandler(
        context -> context.getServletHandler().setDecodeAmbiguousURIs(true));
  }

  private static void limit(HttpConfiguration http) {
    http.setSendServerVersion(false);
    http.setSendXPoweredBy(false);
    http.setRequestHeaderSize(LARGEST_HEADERS);
    http.setUriCompliance(
        UriCompliance.DEFAULT.with(
            "keys in paths",
            UriCompliance.Violation.AMBIGUOUS_PATH_SEPARATOR,
            UriCompliance.Violation.AMBIGUOUS_PATH_ENCODING));
  }

  private static ServerConnector connector(
      org.eclipse.jetty.server.Server server, HttpConfiguration http, Place place) {
    var connector =
        new ServerConnector(server, new org.eclipse.jetty.server.HttpConnectionFactory(http));
    connector.setHost(place.host());
    connector.setPort(place.port());
    connector.setIdleTimeout(place.patience().toMillis());
    var slowPeers = new SlowPeers(connector.getScheduler(), place.patience());
    connector.addBean(slowPeers);
    connector.addEventListener(
        new LifeCycle.Listener() {
          @Override
          public void lifeCycleStarted(LifeCycle started) {
            slowPeers.start();
          }
        });
    connector.setAcceptQueueSize(1024);
    return connector;
  }

  public int port() {
    return javalin.port();
  }

  @Override
  public URI address() {
    return URI.create(
        "http://%s:%d".formatted(host.contains(":") ? "[" + host + "]" : host, port()));
  }

  @Override
  public void close() {
    try {
      javalin.stop();
    } catch (JavalinException e) {
      log.warn("some requests were not answered in time; whoever sent them will ask again", e);
    }
  }

  /** Answers requests that the HTTP server itself refuses, before any route is called. */
  private static final class PlainErrors extends ErrorHandler {
    @Override
    public boolean handle(Request request, Response response, Callback callback) {
      int status = response.getStatus();
      Problem problem =
          switch (status) {
            case 404 -> Problem.notFound("there is nothing here");
            case 413 -> Problem.tooLarge("the request is too large");
            case 503 -> Problem.unavailable("the server is about to stop: ask again soon");
            default ->
                status < 500
                    ? Problem.of(
                        "invalid-input", status, "the request is no HTTP that is understood")
                    : Problem.of("internal", status, "something unexpected happened");
          };
      response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/problem+json");
      String body = new String(Bodies.write(problem.body()), StandardCharsets.UTF_8);
      Content.Sink.write(response, true, body, callback);
      return true;
    }
  }
}
