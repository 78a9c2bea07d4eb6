package dev.hapax.app.config;

import dev.hapax.flows.alert.AlertPlan;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a server.
 *
 * @param data its folder: the store, unless that is a database, and the first token
 * @param secretSources the file that names the secrets from outside; null if there are none
 * @param oidc null if only tokens of this server are accepted
 * @param alerts who hears of what happens to the server and to the operator's own flows
 * @param metricsArePublic whether {@code /metrics} answers without a token
 * @param deploysByTwo whether only deployments that another person approves make releases live
 * @param dangerousTools the tools of MCP that are off unless they are named here
 */
public record Settings(
    Path data,
    Http http,
    @Nullable Oidc oidc,
    Store store,
    Engine engine,
    Limits limits,
    AlertPlan alerts,
    Log log,
    Traces traces,
    boolean metricsArePublic,
    Duration shutdownWithin,
    @Nullable Path secretSources,
    boolean deploysByTwo,
    Set<String> dangerousTools) {
  public Settings {
    dangerousTools = Set.copyOf(dangerousTools);
  }

  /**
   * The addresses and limits of the HTTP server.
   *
   * @param port 0 for one that is free
   * @param url where people and other systems reach it; null: where it listens
   * @param hosts names that a request may ask for beside the one it listens on
   * @param requestsPerToken a second, on each node, of a token without its own limit; null for no
   *     limit
   * @param requestsPerAddress a second, on each node; null for no limit
   * @param wrongTokensPerAddress how many are answered at once; null for no limit
   * @param tls null for plain HTTP
   */
  public record Http(
      String host,
      int port,
      @Nullable URI url,
      List<String> hosts,
      @Nullable Integer requestsPerToken,
      @Nullable Integer requestsPerAddress,
      @Nullable Integer wrongTokensPerAddress,
      Connections connections,
      @Nullable Tls tls) {
    public Http {
      hosts = List.copyOf(hosts);
    }
  }

  /**
   * The limits on connections, on each node.
   *
   * @param most null for as many as the process can hold
   * @param perAddress null for half of them
   * @param silence how long a peer may be silent
   * @param streams how many callers may read events
   * @param streamsPerToken null for no limit
   */
  public record Connections(
      @Nullable Integer most,
      @Nullable Integer perAddress,
      Duration silence,
      int streams,
      @Nullable Integer streamsPerToken) {}

  /**
   * The files for TLS.
   *
   * @param clientCa the authorities of clients' certificates; null if clients need none
   */
  public record Tls(Path certificate, Path key, @Nullable Path clientCa, boolean clientsRequired) {}

  /**
   * The issuer whose JSON web tokens are accepted beside the tokens of this server.
   *
   * @param audiences one of which a token must be for
   * @param skew by how much the clocks may differ
   * @param algorithms of signatures that are accepted
   * @param tenant of all callers; null if a claim names it
   * @param tenantClaim names the tenant; null if it is the same for all
   * @param grants the scopes of each role that the issuer gives
   * @param ca the authorities of the issuer's certificate; null for those of the system
   * @param login how people log in with a browser; null if they cannot
   */
  public record Oidc(
      URI issuer,
      Set<String> audiences,
      Duration skew,
      Set<String> algorithms,
      @Nullable String tenant,
      @Nullable String tenantClaim,
      String nameClaim,
      String rolesClaim,
      String scopesClaim,
      Map<String, Set<String>> grants,
      @Nullable Path ca,
      @Nullable OidcLogin login) {
    public Oidc {
      audiences = Set.copyOf(audiences);
      algorithms = Set.copyOf(algorithms);
      grants = Map.copyOf(grants);
    }
  }

  /**
   * This server as a client of the issuer.
   *
   * @param clientSecret null for a public client, which PKCE alone protects
   * @param scopes that the login asks for, separated by spaces
   * @param parameters further ones of the requests for a code and for tokens
   */
  public record OidcLogin(
      String clientId,
      @Nullable String clientSecret,
      String scopes,
      Map<String, String> parameters) {
    public OidcLogin {
      parameters = Map.copyOf(parameters);
    }

    @Override
    public String toString() {
      return "OidcLogin[clientId=" + clientId + "]"; // never the secret
    }
  }

  /**
   * The location of the store.
   *
   * @param url of a PostgreSQL database; null for a file in the data folder
   * @param failoversLoseNothing whether a standby that takes over has everything that was
   *     acknowledged
   * @param copySends the id of the copy whose steps without a connection may send; null for none
   */
  public record Store(
      @Nullable String url,
      @Nullable String user,
      @Nullable String password,
      boolean failoversLoseNothing,
      @Nullable Long copySends) {
    @Override
    public String toString() {
      return "Store[url=" + (url == null ? "a file" : "a database") + "]"; // never a password
    }
  }

  /**
   * The capacity and retention of the engine.
   *
   * @param exportDeleted the folder that records are written into before they are deleted; null if
   *     they are not
   */
  public record Engine(
      int runsInMemory, Duration tombstones, Duration events, @Nullable Path exportDeleted) {}

  /**
   * The room for values.
   *
   * @param valueBytes of the largest value
   * @param runBytes of memory that the values of one run may take; null: half of the next
   * @param nodeBytes of memory that the values of all runs may take; null: a quarter of the heap
   * @param freeBytes of the disk: with fewer, the alert {@code disk low} is sent
   */
  public record Limits(
      int valueBytes, @Nullable Long runBytes, @Nullable Long nodeBytes, long freeBytes) {}

  /** The format and level of the log. */
  public record Log(String format, String level) {}

  /**
   * The export of traces.
   *
   * @param url a collector's address for OTLP over HTTP; null for no export
   * @param headers that the collector wants, for example a credential
   * @param share how many of all traces are exported, from 0 to 1
   * @param every how often they are sent
   */
  public record Traces(
      @Nullable URI url, Map<String, String> headers, double share, Duration every) {
    public Traces {
      headers = Map.copyOf(headers);
    }

    @Override
    public String toString() {
      return "Traces[url=" + (url == null ? "none" : "a collector") + "]"; // never a credential
    }
  }
}
