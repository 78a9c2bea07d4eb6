package dev.hapax.app;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.ServerCalls.Reply;
import dev.hapax.app.cli.Cli;
import dev.hapax.app.cli.output.Surroundings;
import dev.hapax.app.http.TokenScope;
import dev.hapax.json.Json;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * The program itself, talkative, traced and backed up, with secrets that their destinations repeat
 * in every form, and two tenants beside the operator. No secret is in any answer to anybody, event,
 * figure, trace, line of the log or file; and nothing of one tenant is in what another one hears.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("MemberName") // the names of tests are sentences
@Tag("server")
class CanaryTest {
  /** By the connection that uses it. */
  private static final Map<String, String> SECRETS =
      new TreeMap<>(
          Map.of(
              "bearer", "c4nary/\"Välue\"+\\one two~*",
              "basic", "b4sic-canary/päss:word",
              "header", "h3ader-canary&value='1'",
              "receiver", "s1gning-canary-0123456789",
              "books", "d4tabase/canary word",
              "hook", "h00k-canary-0123456789"));

  private static final String TYPO = "typ0-canary-value";
  private static final String STORE = "st0re-canary+password";

  @TempDir Path folder;

  private final Listener ear = new Listener();

  private static List<String> formsOf(String secret) {
    byte[] bytes = secret.getBytes(UTF_8);
    String address = URLEncoder.encode(secret, UTF_8);
    String json = Json.write(secret).replaceAll("^\"|\"$", "");
    return Stream.of(
            secret,
            Base64.getEncoder().encodeToString(bytes),
            Base64.getEncoder().withoutPadding().encodeToString(bytes),
            Base64.getUrlEncoder().withoutPadding().encodeToString(bytes),
            address,
            address.replace("+", "%20"),
            address.replace("+", "%20").replace("%7E", "~").replace("*", "%2A"),
            lowerDigits(address),
            json,
            json.replace("/", "\\/"),
            json.replace("ä", "\\u00e4"),
            json.replace("ä", "\\u00E4").replace("/", "\\/"),
            secret.toUpperCase(Locale.ROOT),
            secret.toLowerCase(Locale.ROOT),
            new StringBuilder(secret).reverse().toString(),
            HexFormat.of().formatHex(bytes),
            HexFormat.of().withUpperCase().formatHex(bytes),
            secret.replace("&", "&amp;").replace("\"", "&quot;").replace("'", "&#39;"),
            Base64.getUrlEncoder().encodeToString(bytes),
            base32(bytes),
            base32(bytes).toLowerCase(Locale.ROOT),
            inside(Base64.getEncoder(), bytes, 1),
            inside(Base64.getEncoder(), bytes, 2),
            inside(Base64.getUrlEncoder(), bytes, 1),
            inside(Base64.getUrlEncoder(), bytes, 2))
        .distinct()
        .toList();
  }

  /** The letters of a longer text in base64 that depend on the secret alone. */
  private static String inside(Base64.Encoder encoder, byte[] secret, int before) {
    byte[] longer = new byte[before + secret.length + 3];
    System.arraycopy(secret, 0, longer, before, secret.length);
    return encoder.encodeToString(longer).substring(before + 1, (before + secret.length) * 8 / 6);
  }

  private static String base32(byte[] bytes) {
    var bits = new StringBuilder();
    for (byte one : bytes) {
      bits.append("%8s".formatted(Integer.toBinaryString(one & 0xff)).replace(' ', '0'));
    }
    var text = new StringBuilder();
    for (int at = 0; at < bits.length(); at += 5) {
      String five = bits.substring(at, Math.min(at + 5, bits.length()));
      String padded = five + "0".repeat(5 - five.length());
      text.append("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".charAt(Integer.parseInt(padded, 2)));
    }
    return text.toString();
  }

  private static String lowerDigits(String address) {
    return Pattern.compile("%[0-9A-F]{2}")
        .matcher(address)
        .replaceAll(found -> found.group().toLowerCase(Locale.ROOT));
  }

  @Test
  void no_secret_is_anywhere_and_no_tenant_hears_of_another() throws Exception {
    var forms = new TreeMap<String, List<String>>();
    SECRETS.forEach((name, secret) -> forms.put(name, formsOf(secret)));
    String traced;
    String log;
    List<String> credentials = new ArrayList<>();
    try (var collector = new Collector();
        var destinations = new Destinations(forms);
        var server =
            new ServerProcess(
                folder,
                List.of(),
                "log.level=debug",
                "traces.url=" + collector.address(),
                "traces.every=200ms")) {
      ear.listenTo(server);
      String rival = tenant(server, "rival");
      Queue<String> events = ear.follow(server.token());
      Queue<String> eventsOfRival = ear.follow(rival);
      useSecrets(server, destinations);
      sayItWrong(server);
      Map<String, String> tokens = roles(server);
      tokens.forEach(ear::walkCarefully);
      ear.walkCarefully("nobody", null);
      ear.walkCarefully("operator", server.token());
      String acme = tenant(server, "acme");
      var tenants = new TwoTenants(server, ear);
      tenants.haveThings(acme);
      assertThat(tenants.toldTo(rival, eventsOfRival)).isEmpty();
      assertThat(events.toString()).contains("use-bearer").doesNotContain("acme");
      credentials.addAll(tokens.values());
      credentials.addAll(List.of(acme, rival));
      ServerProcess.must(server.ask(server.token(), "POST", "/api/backups", "{}"));
      await(() -> !collector.everything().contains("run use-header"));
      ear.heard.put("events", events.toString());
      server.stop();
      traced = collector.everything();
      log = server.log();
    }
    ear.heard.put("the log", log);
    ear.heard.put("traces", traced);
    ear.heard.put("a start that fails", startBadly());

    assertThat(ear.heard.values()).anyMatch(text -> text.contains("[redacted]"));
    assertThat(traced).contains("effect use-bearer/write");
    var hidden = new ArrayList<>(List.of(TYPO, STORE));
    forms.values().forEach(hidden::addAll);
    formsOf(STORE).forEach(hidden::add);
    String admin = Files.readString(folder.resolve("data/admin.token")).strip();
    String key = Files.readString(folder.resolve("data/master.key")).strip();
    hidden.addAll(List.of(admin, key));
    credentials.forEach(token -> hidden.add(token.substring(token.lastIndexOf('_') + 1)));
    var told = new ArrayList<String>();
    for (String secret : hidden) {
      ear.heard.forEach((where, text) -> tellIf(text.contains(secret), told, secret, where));
      told.addAll(filesWith(secret));
    }
    told.remove("'%s' in data/admin.token".formatted(admin));
    told.remove("'%s' in data/master.key".formatted(key));
    assertThat(told).isEmpty();
  }

  static void tellIf(boolean isTold, List<String> told, String secret, String where) {
    if (isTold) {
      told.add("'%s' in %s".formatted(secret, where));
    }
  }

  // ---- what is done

  private static String tenant(ServerProcess server, String name) throws Exception {
    ServerProcess.must(
        server.ask(server.token(), "POST", "/api/tenants", "{\"name\": \"%s\"}".formatted(name)));
    return server
        .ask(server.token(), "POST", "/api/tenants/" + name + "/tokens", "{}")
        .at("/token");
  }

  private static Map<String, String> roles(ServerProcess server) throws Exception {
    var tokens = new LinkedHashMap<String, String>();
    for (TokenScope scope : TokenScope.values()) {
      if (scope.isGranted()) {
        String wish = "{\"name\": \"only %1$s\", \"scopes\": [\"%1$s\"]}".formatted(scope.word());
        tokens.put(
            scope.word(), server.ask(server.token(), "POST", "/api/tokens", wish).at("/token"));
      }
    }
    return tokens;
  }

  private void useSecrets(ServerProcess server, Destinations to) throws Exception {
    String admin = server.token();
    for (Map.Entry<String, String> secret : SECRETS.entrySet()) {
      put(server, admin, "/api/secrets/" + secret.getKey(), Map.of("value", secret.getValue()));
    }
    Set<String> here = Set.of("127.0.0.1");
    Map<String, Object> auths =
        Map.of(
            "bearer", Map.of("bearer", "bearer"),
            "basic", Map.of("basic", Map.of("user", "me", "secret", "basic")),
            "header", Map.of("header", Map.of("name", "X-Key", "secret", "header")));
    for (var auth : auths.entrySet()) {
      String name = auth.getKey();
      Map<String, Object> form =
          Map.of("base", to.http(name), "auth", auth.getValue(), "privateHosts", here);
      put(server, admin, "/api/connections/" + name, Map.of("http", form));
    }
    Map<String, Object> receiver =
        Map.of("url", to.http("receiver/410"), "secret", "receiver", "privateHosts", here);
    put(server, admin, "/api/connections/receiver", Map.of("webhook", receiver));
    Map<String, Object> books =
        Map.of(
            "host",
            "127.0.0.1",
            "port",
            to.database(),
            "database",
            "books",
            "user",
            "me",
            "secret",
            "books",
            "tls",
            "none",
            "privateHosts",
            here);
    put(server, admin, "/api/connections/books", Map.of("postgres", books));
    for (String name : auths.keySet()) {
      server.release(admin, USES.replace("NAME", name));
      for (String how : List.of("json", "400", "302", "500", "broken")) {
        var input = Map.of("id", name + "-" + how, "how", how);
        ear.heard.put(name + " " + how, run(server, admin, "use-" + name, input).text());
      }
    }
    server.release(admin, OTHERS);
    ear.heard.put("others", run(server, admin, "others", Map.of("id", "o")).text());
    ear.heard.put(
        "hook", server.ask(SECRETS.get("hook"), "POST", "/hooks/canary", "{}").toString());
    for (JsonNode run : server.get(admin, "/api/runs?limit=200").json().path("items")) {
      ear.things.put("/api/runs/", run.path("id").asString());
      ear.hear("operator", admin, "GET", ear.real("/api/runs/{id}"), null);
      ear.hear("operator", admin, "GET", ear.real("/api/runs/{id}/history"), null);
      ear.hear("operator", admin, "POST", ear.real("/api/runs/{id}/cancel"), "{}");
    }
    for (JsonNode effect : server.get(admin, "/api/effects?limit=200").json().path("items")) {
      ear.things.put("/api/effects/", effect.path("id").asString());
      ear.hear("operator", admin, "GET", ear.real("/api/effects/{id}"), null);
    }
    ear.things.putAll(
        Map.of(
            "/api/flows/", "use-bearer",
            "/api/connections/", "bearer",
            "/api/secrets/", "bearer",
            "/api/kv/", "bearer-json"));
  }

  private static final String USES =
      """
      flow: use-NAME
      key: ${input.id}
      steps:
        - id: json
          http: {connection: NAME, path: /json}
        - id: text
          http: {connection: NAME, path: /text}
        - id: large
          http: {connection: NAME, path: /large}
        - id: keep
          kv: {put: {key: "${input.id}", value: "${steps.text.output}"}}
        - id: write
          http: {connection: NAME, method: POST, path: "/${input.how}", body: {told: "${steps.json.output}"}}
          effect: {kind: create, key: "${input.id}", guard: none}
          retry: {attempts: 1}
      output: {text: "${steps.text.output}", json: "${steps.json.output}", large: "${steps.large.output}"}
      """;

  private static final String OTHERS =
      """
      flow: others
      key: ${input.id}
      triggers:
        - webhook: {path: canary, verify: {scheme: hmac, secret: hook, header: X-Signature}, event: "${event.body.id}", input: "${event.body}"}
      steps:
        - id: tell
          publish: {connection: receiver, type: told, data: {id: "${input.id}"}}
        - id: books
          db: {connection: books, sql: "SELECT 1"}
          retry: {attempts: 1}
      """;

  static Reply run(ServerProcess server, String token, String flow, Object input) throws Exception {
    return ServerProcess.must(
        server.ask(
            token, "POST", "/api/flows/" + flow + "/runs", Json.write(input), "Prefer", "wait=20"));
  }

  static void put(ServerProcess server, String token, String path, Object body) throws Exception {
    ServerProcess.must(server.ask(token, "PUT", path, Json.write(body)));
  }

  /** A caller that mistypes a secret, or puts it into another field, does not get it back. */
  private void sayItWrong(ServerProcess server) throws Exception {
    String admin = server.token();
    for (String body :
        List.of(
            TYPO,
            "{\"value\": " + TYPO + "}",
            "{\"value\": {\"" + TYPO + "\": \"" + TYPO + "\"}}",
            "{\"value\": [\"" + TYPO + "\"]}",
            "{\"" + TYPO + "\": 1}",
            "[\"" + TYPO + "\"]",
            "{\"value\": \"" + TYPO + "\" \"" + TYPO + "\"}")) {
      Reply refused = server.ask(admin, "PUT", "/api/secrets/typo", body);
      assertThat(refused.status()).as(body).isEqualTo(400);
      ear.heard.put("wrong " + body.replace(TYPO, ""), refused.toString());
    }
    for (String address :
        List.of("https://me:%s@shop.example/", "https://me:%s@shop.example:port/", "jdbc:%s")) {
      String form = "{\"http\": {\"base\": \"%s\"}}".formatted(address.formatted(TYPO));
      Reply refused = server.ask(admin, "PUT", "/api/connections/typo", form);
      assertThat(refused.status()).as(address).isEqualTo(400);
      ear.heard.put("wrong " + address, refused.toString());
    }
    ear.heard.put("unknown token", server.get(TYPO, "/api/runs").toString());
  }

  /** Without its password where the database cannot be found; its address is wrong. */
  private String startBadly() {
    var said = new ByteArrayOutputStream();
    var out = new PrintStream(said, true, UTF_8);
    for (String url :
        List.of(
            "jdbc:postgresql://127.0.0.1:port/x", "jdbc:postgresql://127.0.0.1:1/x", "jdbc:x")) {
      var place =
          new Surroundings(
              new ByteArrayInputStream(new byte[0]),
              out,
              out,
              false,
              Map.of("HAPAX_STORE_PASSWORD", STORE, "HAPAX_STORE_URL", url),
              folder,
              _ -> null);
      int exit = new Cli(Main.verbs(), place).run("serve", "--data", "bad", "--port", "0");
      assertThat(exit).as(said.toString(UTF_8)).isNotZero();
    }
    return said.toString(UTF_8);
  }

  // ---- looking

  /** Something that may fail while it is not there yet. */
  interface Missing {
    boolean isTrue() throws Exception;
  }

  static void await(Missing missing) throws Exception {
    while (missing.isTrue()) {
      LockSupport.parkNanos(20_000_000); // the test's own time limit ends this
    }
  }

  private List<String> filesWith(String secret) throws IOException {
    String bytes = new String(secret.getBytes(UTF_8), ISO_8859_1);
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> contentOf(file).contains(bytes))
          .map(file -> "'%s' in %s".formatted(secret, folder.relativize(file)))
          .toList();
    }
  }

  private static String contentOf(Path file) {
    try {
      return new String(Files.readAllBytes(file), ISO_8859_1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
