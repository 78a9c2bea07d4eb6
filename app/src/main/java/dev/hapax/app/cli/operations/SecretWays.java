package dev.hapax.app.cli.operations;

import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Exit;
import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.Refusal;
import dev.hapax.app.cli.output.Words;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Where the secrets of a tenant may go: finds connections that would send one without encryption
 * beyond the server's machine, and secrets that are not bound to hosts yet.
 */
final class SecretWays {
  private static final String PLAIN = "http://";
  private static final int PAGE = 200;

  /** A connection that sends a secret without encryption. */
  private record Open(String connection, String secret, String host, String hostAndPort) {
    boolean isAllowed(Map<String, List<String>> hosts) {
      List<String> allowed = hosts.getOrDefault(secret, List.of());
      return allowed.contains(PLAIN + host) || allowed.contains(PLAIN + hostAndPort);
    }

    String text() {
      return "'%s' (secret '%s' to %s)".formatted(connection, secret, hostAndPort);
    }
  }

  private SecretWays() {}

  /** Returns two findings; one that the token may not make says so. */
  static List<DoctorFinding> check(ServerClient server) {
    Map<String, List<String>> hosts = null;
    DoctorFinding secrets;
    try {
      hosts = hosts(server);
      secrets = secrets(hosts);
    } catch (Refusal refusal) {
      secrets = unseen("secrets", refusal);
    }
    try {
      List<Open> open =
          all(server, "/api/connections").stream().flatMap(one -> open(one).stream()).toList();
      return List.of(connections(open, hosts), secrets);
    } catch (Refusal refusal) {
      return List.of(unseen("connections", refusal), secrets);
    }
  }

  private static Map<String, List<String>> hosts(ServerClient server) {
    var hosts = new HashMap<String, List<String>>();
    all(server, "/api/secrets")
        .forEach(secret -> hosts.put(secret.text("name"), secret.words("hosts")));
    return hosts;
  }

  private static DoctorFinding unseen(String what, Refusal refusal) {
    return refusal.code().equals("forbidden")
        ? DoctorFinding.well(what, "not checked: the token may not list them")
        : DoctorFinding.failed(what, refusal);
  }

  private static DoctorFinding secrets(Map<String, List<String>> hosts) {
    List<String> unbound =
        hosts.entrySet().stream()
            .filter(secret -> secret.getValue().isEmpty())
            .map(Map.Entry::getKey)
            .sorted()
            .toList();
    if (unbound.isEmpty()) {
      return DoctorFinding.well("secrets", "each names the hosts that it may go to");
    }
    return DoctorFinding.warning(
        "secrets",
        "%s without hosts: %s"
            .formatted(Words.count(unbound.size(), "secret"), String.join(", ", unbound)),
        "write each again with its hosts: hapax secrets put NAME --host HOST. One that only checks"
            + " webhooks needs none");
  }

  /**
   * About connections without encryption.
   *
   * @param hosts of the secrets; null if the token may not list them
   */
  private static DoctorFinding connections(
      List<Open> open, @Nullable Map<String, List<String>> hosts) {
    if (open.isEmpty()) {
      return DoctorFinding.well("connections", "none sends a secret without encryption");
    }
    if (hosts == null) {
      return DoctorFinding.warning(
          "connections",
          "these have a secret and no encryption: " + text(open.stream()),
          "use TLS. A token with secrets:write shows whether the operator allows it");
    }
    String refused = text(open.stream().filter(one -> !one.isAllowed(hosts)));
    String allowed = text(open.stream().filter(one -> one.isAllowed(hosts)));
    if (refused.isEmpty()) {
      return DoctorFinding.warning(
          "connections",
          "the operator lets these send a secret without encryption: " + allowed,
          "use TLS, then write the secret again without http:// in its hosts");
    }
    String also = allowed.isEmpty() ? "" : "; the operator allows it for " + allowed;
    return DoctorFinding.failed(
        "connections",
        Refusal.of(
                Exit.REFUSED,
                "secret-unencrypted",
                "these connections have a secret and no encryption, so every request is refused: "
                    + refused
                    + also)
            .hint(
                "use https (tls for mail and databases), or as the operator: hapax secrets put NAME"
                    + " --host http://HOST"));
  }

  private static String text(Stream<Open> open) {
    return open.map(Open::text).collect(Collectors.joining(", "));
  }

  /** A webhook's secret only signs and is not sent, so its way does not matter. */
  private static List<Open> open(Item connection) {
    Item form = connection.inner("form");
    String name = connection.text("name");
    Item http = form.inner("http");
    String base = http.text("base");
    if (base.toLowerCase(Locale.ROOT).startsWith(PLAIN)) {
      Item auth = http.inner("auth");
      return Stream.of(
              auth.text("bearer"),
              auth.inner("basic").text("secret"),
              auth.inner("header").text("secret"))
          .map(secret -> open(name, secret, base))
          .filter(Objects::nonNull)
          .toList();
    }
    var open = new ArrayList<Open>();
    Item model = form.inner("llm");
    if (model.text("base").toLowerCase(Locale.ROOT).startsWith(PLAIN)) {
      Open found = open(name, model.text("secret"), model.text("base"));
      if (found != null) {
        open.add(found);
      }
    }
    for (String kind : List.of("smtp", "postgres", "rabbitmq")) {
      Item inner = form.inner(kind);
      if (inner.text("tls").equals("none")) {
        String port = inner.text("port").isEmpty() ? usualPort(kind) : inner.text("port");
        Open found = open(name, inner.text("secret"), PLAIN + inner.text("host") + ":" + port);
        if (found != null) {
          open.add(found);
        }
      }
    }
    Item kafka = form.inner("kafka");
    if (kafka.text("tls").equals("none")) {
      for (String server : kafka.words("servers")) {
        Open found = open(name, kafka.inner("login").text("secret"), PLAIN + server);
        if (found != null) {
          open.add(found);
        }
      }
    }
    return open;
  }

  private static String usualPort(String kind) {
    return switch (kind) {
      case "smtp" -> "587";
      case "rabbitmq" -> "5672";
      default -> "5432";
    };
  }

  private static @Nullable Open open(String connection, String secret, String address) {
    URI uri;
    try {
      uri = URI.create(address);
    } catch (IllegalArgumentException e) {
      return null; // nothing is sent to what is no address
    }
    if (secret.isEmpty() || uri.getHost() == null || isHere(uri.getHost())) {
      return null;
    }
    String host = uri.getHost().toLowerCase(Locale.ROOT);
    return new Open(
        connection, secret, host, host + ":" + (uri.getPort() < 0 ? 80 : uri.getPort()));
  }

  /** Whether the name is the server's own machine for certain. */
  private static boolean isHere(String host) {
    return host.equalsIgnoreCase("localhost")
        || host.matches("127\\.\\d+\\.\\d+\\.\\d+")
        || host.equals("[::1]");
  }

  private static List<Item> all(ServerClient server, String path) {
    var all = new ArrayList<Item>();
    String after = null;
    do {
      JsonNode page =
          server.ask(ServerRequest.get(path).query("limit", PAGE).query("after", after)).json();
      page.path("items").forEach(item -> all.add(new Item(item)));
      String next = page.path("next").asString("");
      after = next.isEmpty() ? null : next;
    } while (after != null);
    return all;
  }
}
