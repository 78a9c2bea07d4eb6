package dev.hapax.app.http;

import dev.hapax.app.tls.TlsFiles;
import io.javalin.Javalin;
import io.javalin.compression.CompressionStrategy;
import io.javalin.config.JavalinConfig;
import io.javalin.util.JavalinException;
import jakarta.servlet.DispatcherType;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumSet;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.component.LifeCycle;
import org.eclipse.jetty.util.thread.ScheduledExecutorScheduler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The program's own HTTP server: one address, a virtual thread per request, limits. */
public final class Server implements Carrier {
  private static final Logger log = LoggerFactory.getLogger(Server.class);

  private static final int LARGEST_HEADERS = 16 * 1024;

  private final Javalin javalin;
  private final String host;
  private final boolean isEncrypted;
  private final Peers peers;

  private Server(Javalin javalin, String host, boolean isEncrypted, Peers peers) {
    this.javalin = javalin;
    this.host = host;
    this.isEncrypted = isEncrypted;
    this.peers = peers;
  }

  /**
   * The place of the server.
   *
   * @param port 0 for one that is free
   * @param hosts that a request may ask for
   * @param drainWithin how long closing waits for requests that have arrived
   * @param tls null for plain HTTP
   */
  public record Place(
      String host,
      int port,
      HostRule hosts,
      Duration drainWithin,
      PeerLimits limits,
      @Nullable TlsFiles tls) {

    /** A place for any host name, without TLS, with the usual limits. */
    public static Place at(String host, int port) {
      return new Place(host, port, HostRule.ANY, Duration.ofSeconds(5), PeerLimits.USUAL, null);
    }

    public Place hosts(HostRule rule) {
      return new Place(host, port, rule, drainWithin, limits, tls);
    }

    public Place drainWithin(Duration within) {
      return new Place(host, port, hosts, within, limits, tls);
    }

    public Place limits(PeerLimits other) {
      return new Place(host, port, hosts, drainWithin, other, tls);
    }

    public Place tls(@Nullable TlsFiles files) {
      return new Place(host, port, hosts, drainWithin, limits, files);
    }
  }

  /** Starts to answer, for any host name. */
  public static Server start(Routes routes, String host, int port, Duration drainWithin) {
    return start(routes, Place.at(host, port).drainWithin(drainWithin));
  }

  /**
   * Starts to answer.
   *
   * @throws IllegalArgumentException if the files for TLS are unusable
   */
  public static Server start(Routes routes, Place place) {
    Tls tls = place.tls() == null ? null : Tls.open(place.tls());
    var peers = new Peers(new ScheduledExecutorScheduler("hapax-peers", true), place.limits());
    Javalin javalin =
        Javalin.create(
            config -> {
              configure(config, place, tls, peers);
              routes.register(config.routes, "");
            });
    return new Server(javalin.start(), place.host(), tls != null, peers);
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

  private static void configure(JavalinConfig config, Place place, @Nullable Tls tls, Peers peers) {
    behave(config);
    config.concurrency.useVirtualThreads = true;
    config.jetty.modifyHttpConfiguration(Server::limit);
    config.jetty.addConnector(
        (server, http) -> {
          ServerConnector connector = connector(server, http, place, tls);
          connector.addBean(peers.scheduler());
          connector.addBean(peers);
          connector.addEventListener(
              new LifeCycle.Listener() {
                @Override
                public void lifeCycleStarted(LifeCycle started) {
                  peers.start();
                  if (tls != null) {
                    tls.follow(peers.scheduler());
                  }
                }
              });
          return connector;
        });
    config.jetty.modifyServer(
        server -> {
          server.setErrorHandler(new PlainErrors());
          server.setHandler(new GracefulHandler());
          server.setStopTimeout(place.drainWithin().toMillis());
        });
    // A key may hold a slash: its path then holds %2F, which is part of a name and no separator.
    config.jetty.modifyServletContextHandler(
        context -> {
          context.getServletHandler().setDecodeAmbiguousURIs(true);
          context.addFilter(
              new EntranceFilter(new Entrance(place.hosts()), peers),
              "/*",
              EnumSet.of(DispatcherType.REQUEST));
        });
  }

  private static void limit(HttpConfiguration http) {
    http.setSendServerVersion(false);
    http.setSendXPoweredBy(false);
    http.setRequestHeaderSize(LARGEST_HEADERS);
    http.setHeaderCacheSize(0); // it ignores case: a cookie would get letters of an earlier one
    http.setUriCompliance(
        UriCompliance.DEFAULT.with(
            "keys in paths",
            UriCompliance.Violation.AMBIGUOUS_PATH_SEPARATOR,
            UriCompliance.Violation.AMBIGUOUS_PATH_ENCODING));
  }

  private static ServerConnector connector(
      org.eclipse.jetty.server.Server server,
      HttpConfiguration http,
      Place place,
      @Nullable Tls tls) {
    var plain = new HttpConnectionFactory(http);
    var connector =
        tls == null
            ? new ServerConnector(server, plain)
            : new ServerConnector(server, tls.before(plain), plain);
    connector.setHost(place.host());
    connector.setPort(place.port());
    connector.setIdleTimeout(place.limits().silence().toMillis());
    connector.setAcceptQueueSize(1024);
    return connector;
  }

  public int port() {
    return javalin.port();
  }

  /** Returns how many silent peers have lost their connections to others. */
  public long replacedPeers() {
    return peers.replaced();
  }

  /** Returns how many connections were refused because there were too many. */
  public long refusedPeers() {
    return peers.refused();
  }

  @Override
  public URI address() {
    return URI.create(
        "%s://%s:%d"
            .formatted(
                isEncrypted ? "https" : "http",
                host.contains(":") ? "[" + host + "]" : host,
                port()));
  }

  @Override
  public void close() {
    try {
      javalin.stop();
    } catch (JavalinException e) {
      log.warn("some requests were not answered in time; their callers have to repeat them", e);
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
            case 503 -> Problem.unavailable("the server is about to stop: try again soon");
            default ->
                status < 500
                    ? Problem.of("invalid-input", status, "malformed HTTP request")
                    : Problem.of("internal", status, "an unexpected error happened");
          };
      response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/problem+json");
      response.getHeaders().put(BrowserRule.HEADER, BrowserRule.VALUE);
      String body = new String(Bodies.write(problem.body()), StandardCharsets.UTF_8);
      Content.Sink.write(response, true, body, callback);
      return true;
    }
  }
}
