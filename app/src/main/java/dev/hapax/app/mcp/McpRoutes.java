package dev.hapax.app.mcp;

import dev.hapax.app.http.FlowSubject;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.RouteAnswer;
import dev.hapax.app.http.TokenScope;
import java.net.URI;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** {@code POST /mcp}, and the document of RFC 9728 that says how to get a token for it. */
public final class McpRoutes {
  private static final String PATH = "/mcp";
  private static final String DOCUMENT = "/.well-known/oauth-protected-resource";

  private final McpEndpoint endpoint;
  private final Supplier<String> address;
  private final @Nullable URI issuer;

  /**
   * The routes of an endpoint.
   *
   * @param address where callers reach this server, without a slash at its end
   * @param issuer that gives tokens beside the server; null if there is none
   */
  public McpRoutes(McpEndpoint endpoint, Supplier<String> address, @Nullable URI issuer) {
    this.endpoint = endpoint;
    this.address = address;
    this.issuer = issuer;
  }

  /** Returns its routes. */
  public List<Route> routes() {
    return List.of(
        Route.post(
                PATH,
                TokenScope.ANY,
                "Send a message of the Model Context Protocol, for agents",
                endpoint::answer)
            .about(FlowSubject.SHARED)
            .challenging(() -> address.get() + DOCUMENT + PATH)
            .takes(Object.class)
            .gives(200, Object.class),
        described(DOCUMENT),
        described(DOCUMENT + PATH));
  }

  private Route described(String path) {
    return Route.get(
            path,
            TokenScope.PUBLIC,
            "Get how agents get a token for /mcp (RFC 9728)",
            _ -> RouteAnswer.ok(document()))
        .gives(200, Object.class);
  }

  private Map<String, Object> document() {
    var document = new LinkedHashMap<String, Object>();
    document.put("resource", address.get() + PATH);
    if (issuer != null) {
      document.put("authorization_servers", List.of(issuer.toString()));
    }
    document.put(
        "scopes_supported",
        Arrays.stream(TokenScope.values())
            .filter(TokenScope::isGranted)
            .map(TokenScope::word)
            .toList());
    document.put("bearer_methods_supported", List.of("header"));
    document.put("resource_name", "Hapax");
    return document;
  }
}
