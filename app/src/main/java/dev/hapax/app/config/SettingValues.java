package dev.hapax.app.config;

import dev.hapax.flows.alert.AlertPlan;
import dev.hapax.flows.alert.AlertReader;
import dev.hapax.flows.expression.Durations;
import dev.hapax.json.ValueBudget;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Turns given texts into settings. Reports wrong ones, and uses the default in their place. */
final class SettingValues {
  private static final String HERE = "127.0.0.1";
  private static final int USUAL_REQUESTS = 50_000;
  private static final int MOST_REQUESTS = 1_000_000;
  private static final int LEAST_VALUE = 1 << 10;
  private static final int LARGEST_VALUE = 64 << 20;

  /** Settings that may hold a password are not shown. */
  private static final Set<String> SECRET =
      Set.of("store.password", "store.url", "traces.headers", "oidc.clientSecret");

  /** The tools of MCP that decide or change more than one run; a test compares them. */
  static final List<String> DANGEROUS_TOOLS =
      List.of(
          "cancel_run",
          "decide_approval",
          "promote_flow",
          "release_flow",
          "resume_run",
          "retry_run",
          "settle_effect");

  private final Map<String, SettingsReader.Given> given;
  private final List<String> problems;

  SettingValues(Map<String, SettingsReader.Given> given, List<String> problems) {
    this.given = given;
    this.problems = problems;
  }

  Settings settings() {
    return new Settings(
        value("data", "a folder", Path.of("hapax-data"), Path::of),
        http(),
        new OidcSettings(this).read(),
        store(),
        new Settings.Engine(
            (int) number("engine.runsInMemory", 20_000, 1, 10_000_000),
            length("engine.tombstones", Duration.ofDays(365)),
            length("engine.events", Duration.ofDays(30)),
            optional("engine.exportDeleted", "a folder", Path::of)),
        new Settings.Limits(
            (int) number("limits.valueBytes", ValueBudget.USUAL, LEAST_VALUE, LARGEST_VALUE),
            bytes("limits.runBytes"),
            bytes("limits.nodeBytes"),
            number("limits.freeBytes", 1L << 30, 0, Long.MAX_VALUE)),
        alerts(),
        new Settings.Log(
            word("log.format", "text", "json"),
            word("log.level", "info", "debug", "warn", "error")),
        traces(),
        flag("metrics.public", true),
        length("shutdown.within", Duration.ofSeconds(25)),
        optional("secrets.sources", "a file", Path::of),
        word("deploy.approval", "none", "other-person").equals("other-person"),
        dangerousTools());
  }

  private Set<String> dangerousTools() {
    Set<String> named =
        optional(
            "mcp.tools",
            "names among " + String.join(", ", DANGEROUS_TOOLS),
            text -> {
              var names = new TreeSet<String>();
              for (String name : text.split(",", -1)) {
                if (!DANGEROUS_TOOLS.contains(name.strip())) {
                  throw new IllegalArgumentException();
                }
                names.add(name.strip());
              }
              return names;
            });
    return named == null ? Set.of() : named;
  }

  /** Its own problems say more than the value that was given. */
  private AlertPlan alerts() {
    SettingsReader.Given alerts = given.get("alerts");
    if (alerts == null) {
      return AlertPlan.NONE;
    }
    try {
      return AlertReader.readSetting(alerts.value());
    } catch (IllegalArgumentException e) {
      problems.add("alerts: %s (%s)".formatted(e.getMessage(), alerts.where()));
      return AlertPlan.NONE;
    }
  }

  private @Nullable Long bytes(String name) {
    return optional(
        name,
        "a number of bytes, at least %d".formatted(LARGEST_VALUE / 64),
        text -> {
          long bytes = Long.parseLong(text);
          if (bytes < LARGEST_VALUE / 64) {
            throw new IllegalArgumentException();
          }
          return bytes;
        });
  }

  private Settings.Http http() {
    String host = value("http.host", "a name or an address", HERE, text -> text);
    Settings.Tls tls = tls();
    if (!isLoopback(host) && tls == null && !flag("http.withoutTls", false)) {
      problems.add(
          "http.host: '%s' can be reached from other machines, and the traffic is not encrypted. Set http.tls.certificate and http.tls.key, or keep 127.0.0.1 and put a proxy with TLS in front of it, or set http.withoutTls=true"
              .formatted(host));
    }
    SettingsReader.Given hosts = given.get("http.hosts");
    return new Settings.Http(
        host,
        (int) number("http.port", 8899, 0, 65_535),
        optional(
            "http.url", "an address such as https://hapax.example.com", SettingValues::address),
        hosts == null
            ? List.of()
            : Arrays.stream(hosts.value().split(",", -1)).map(String::strip).toList(),
        perSecond("http.requestsPerToken"),
        perSecond("http.requestsPerAddress"),
        numberOrOff("http.wrongTokensPerAddress", 50),
        new Settings.Connections(
            optional(
                "http.connections",
                "10 to " + MOST_REQUESTS,
                text -> within(Integer.parseInt(text), 10, MOST_REQUESTS)),
            given.containsKey("http.connectionsPerAddress")
                ? Objects.requireNonNullElse(
                    numberOrOff("http.connectionsPerAddress", MOST_REQUESTS), MOST_REQUESTS)
                : null,
            length("http.silence", Duration.ofSeconds(30)),
            (int) number("http.streams", 1_000, 1, MOST_REQUESTS),
            numberOrOff("http.streamsPerToken", 50)),
        tls);
  }

  /** Returns null if nothing of it is given. */
  private Settings.@Nullable Tls tls() {
    Path certificate = optional("http.tls.certificate", "a PEM file", Path::of);
    Path key = optional("http.tls.key", "a PEM file", Path::of);
    Path clientCa = optional("http.tls.clientCa", "a PEM file", Path::of);
    boolean isRequired = word("http.tls.clients", "required", "optional").equals("required");
    if (certificate == null) {
      if (isGiven("http.tls.")) {
        problems.add("http.tls.certificate: expected a PEM file with the server's certificate");
      }
      return null;
    }
    if (clientCa == null && given.containsKey("http.tls.clients")) {
      problems.add("http.tls.clients: expected http.tls.clientCa, too: whose clients are trusted?");
    }
    return new Settings.Tls(certificate, key == null ? certificate : key, clientCa, isRequired);
  }

  private static URI address(String text) {
    URI address = URI.create(text.endsWith("/") ? text.substring(0, text.length() - 1) : text);
    if (address.getHost() == null || !List.of("http", "https").contains(address.getScheme())) {
      throw new IllegalArgumentException();
    }
    return address;
  }

  private static boolean isLoopback(String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }

  private Settings.Store store() {
    String url =
        optional(
            "store.url",
            "an address such as jdbc:postgresql://host/database",
            text -> {
              if (!text.startsWith("jdbc:postgresql:")) {
                throw new IllegalArgumentException();
              }
              return text;
            });
    return new Settings.Store(
        url,
        optional("store.user", "a name", text -> text),
        optional("store.password", "a password", text -> text),
        flag("store.failoversLoseNothing", false),
        optional(
            "store.copySends",
            "the id of the copy that 'hapax restore --as copy' printed",
            text -> Long.valueOf(Long.parseLong(text, Character.MAX_RADIX))));
  }

  private Settings.Traces traces() {
    return new Settings.Traces(
        optional(
            "traces.url",
            "an address such as http://127.0.0.1:4318/v1/traces",
            SettingValues::address),
        value("traces.headers", "name=value, name=value", Map.of(), SettingValues::pairs),
        value("traces.share", "0 to 1", 1.0, SettingValues::share),
        length("traces.every", Duration.ofSeconds(5)));
  }

  static Map<String, String> pairs(String text) {
    Map<String, String> pairs = new LinkedHashMap<>();
    for (String pair : text.split(",", -1)) {
      int end = pair.indexOf('=');
      if (end < 1) {
        throw new IllegalArgumentException();
      }
      pairs.put(pair.substring(0, end).strip(), pair.substring(end + 1).strip());
    }
    return pairs;
  }

  private static double share(String text) {
    double share = Double.parseDouble(text);
    if (!(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException();
    }
    return share;
  }

  /** Defaults to more than a node can answer; null for no limit. */
  private @Nullable Integer perSecond(String name) {
    return numberOrOff(name, USUAL_REQUESTS);
  }

  private @Nullable Integer numberOrOff(String name, int usual) {
    SettingsReader.Given one = given.get(name);
    if (one != null && one.value().equals("off")) {
      return null;
    }
    return value(
        name,
        "1 to %d, or off".formatted(MOST_REQUESTS),
        usual,
        text -> within(Integer.parseInt(text), 1, MOST_REQUESTS));
  }

  private boolean flag(String name, boolean usual) {
    String word = usual ? word(name, "true", "false") : word(name, "false", "true");
    return word.equals("true");
  }

  boolean isGiven(String section) {
    return given.keySet().stream().anyMatch(name -> name.startsWith(section));
  }

  void refuse(String problem) {
    problems.add(problem);
  }

  private static int within(int number, int least, int most) {
    if (number < least || number > most) {
      throw new IllegalArgumentException();
    }
    return number;
  }

  private long number(String name, long usual, long least, long most) {
    return value(
        name,
        "%d to %d".formatted(least, most),
        usual,
        text -> {
          long number = Long.parseLong(text);
          if (number < least || number > most) {
            throw new IllegalArgumentException();
          }
          return number;
        });
  }

  Duration length(String name, Duration usual) {
    return value(
        name,
        "a duration such as 25s",
        usual,
        text -> {
          Duration length = Durations.parse(text);
          if (length == null || length.isNegative() || length.isZero()) {
            throw new IllegalArgumentException();
          }
          return length;
        });
  }

  /** Returns one of these words; the first is the default. */
  private String word(String name, String usual, String... others) {
    return value(
        name,
        usual + " or " + String.join(" or ", others),
        usual,
        text -> {
          if (!text.equals(usual) && !List.of(others).contains(text)) {
            throw new IllegalArgumentException();
          }
          return text;
        });
  }

  <T> @Nullable T optional(String name, String expected, Function<String, T> reading) {
    return given.containsKey(name) ? read(name, expected, reading) : null;
  }

  <T> T value(String name, String expected, T usual, Function<String, T> reading) {
    T read = given.containsKey(name) ? read(name, expected, reading) : null;
    return read == null ? usual : read;
  }

  private <T> @Nullable T read(String name, String expected, Function<String, T> reading) {
    SettingsReader.Given one = given.get(name);
    if (one == null) {
      return null;
    }
    try {
      return reading.apply(one.value());
    } catch (IllegalArgumentException e) { // also a bad number, path or address
      String shown = SECRET.contains(name) ? "" : ", got '" + one.value() + "'";
      problems.add("%s: expected %s%s (%s)".formatted(name, expected, shown, one.where()));
      return null;
    }
  }
}
