package dev.hapax.app.oidc;

import dev.hapax.app.access.BrowserLogins;
import dev.hapax.app.config.Settings;
import dev.hapax.app.http.Actor;
import dev.hapax.app.http.AuditTrail;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.RouteAnswer;
import dev.hapax.app.http.TokenScope;
import dev.hapax.flows.connection.HttpAnswer;
import dev.hapax.json.Digest;
import dev.hapax.json.Json;
import dev.hapax.time.Ports;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * Logs people in with a browser at the issuer: the authorization code flow with PKCE (RFC 7636). A
 * login that fails leads back to the page where it began, with the reason as one of a few words in
 * its query. Safe for many threads and nodes.
 */
public final class BrowserLogin {
  private static final Logger log = LoggerFactory.getLogger(BrowserLogin.class);
  private static final String PATH = "/login/oidc";
  private static final String BACK = PATH + "/callback";
  private static final Duration FRESH = Duration.ofMinutes(10);
  private static final Duration BETWEEN_FAILURES = Duration.ofSeconds(5);
  private static final int LONGEST_PATH = 1000;

  /** A path of this server, never an address: no browser reads one of these as another host. */
  private static final Pattern OWN_PATH = Pattern.compile("/(?![/\\\\])[!-\\[\\]-~]*");

  /** Why there is no session; the words of the query, for which the UI has sentences. */
  private enum Failure {
    /** The issuer did not answer. */
    AWAY,
    /** The person or the issuer said no. */
    REFUSED,
    /** This browser has begun no login, or too long ago, or has used it. */
    EXPIRED,
    /** The issuer's token is not good here. */
    UNKNOWN,
    /** No cookie can hold the token. */
    LARGE;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private static final class Failed extends Exception {
    private static final long serialVersionUID = 1;
    private final Failure failure;

    Failed(Failure failure, @Nullable String message) {
      super(message);
      this.failure = failure;
    }
  }

  private record Known(IssuerClient.@Nullable Doors doors, long at) {}

  private final URI issuer;
  private final Settings.OidcLogin settings;
  private final IssuerTokens tokens;
  private final IdTokens idTokens;
  private final BrowserLogins logins;
  private final AuditTrail audit;
  private final Supplier<String> address;
  private final Ports ports;
  private final ReentrantLock asking = new ReentrantLock();
  private volatile @Nullable Known known;

  private BrowserLogin(
      Settings.Oidc oidc,
      Settings.OidcLogin login,
      IssuerTokens tokens,
      BrowserLogins logins,
      AuditTrail audit,
      Supplier<String> address,
      Ports ports) {
    this.issuer = oidc.issuer();
    this.settings = login;
    this.tokens = tokens;
    this.idTokens = new IdTokens(oidc, login.clientId(), tokens.keys(), ports.clock());
    this.logins = logins;
    this.audit = audit;
    this.address = address;
    this.ports = ports;
  }

  /**
   * Returns the routes of the login; none if the settings name no client.
   *
   * @param address where browsers reach this server, without a slash at its end
   */
  public static List<Route> routes(
      Settings.Oidc oidc,
      IssuerTokens tokens,
      BrowserLogins logins,
      AuditTrail audit,
      Supplier<String> address,
      Ports ports) {
    Settings.OidcLogin login = oidc.login();
    return login == null
        ? List.of()
        : new BrowserLogin(oidc, login, tokens, logins, audit, address, ports).routes();
  }

  private List<Route> routes() {
    return List.of(
        Route.get(PATH, TokenScope.PUBLIC, "Lead a browser to the issuer to log in", this::leave)
            .query("to", "The path of this server where the browser is led after the login.")
            .gives(303, Void.class),
        Route.get(
                BACK,
                TokenScope.PUBLIC,
                "Begin the session of a browser that the issuer leads back",
                this::comeBack)
            .query("code", "The issuer's code, which is good once.")
            .query("state", "The value that the browser left with.")
            .query("iss", "The issuer.")
            .query("error", "Why the issuer gives no code.")
            .query("error_description", "The same in words, for the log.")
            .gives(303, Void.class));
  }

  private RouteAnswer leave(Call call) {
    call.allowQuery("to");
    String to = ownPath(call.query("to"));
    IssuerClient.Doors doors;
    try {
      doors = doors();
    } catch (Failed e) {
      return failed(to, e);
    }
    var login = new BrowserLogins.Pending(random(), random(), random() + random(), to);
    Map<String, String> question = new LinkedHashMap<>(settings.parameters());
    question.put("response_type", "code");
    question.put("client_id", settings.clientId());
    question.put("redirect_uri", address.get() + BACK);
    question.put("scope", settings.scopes());
    question.put("state", login.state());
    question.put("nonce", login.nonce());
    question.put("code_challenge", base64(Digest.sha256(login.verifier())));
    question.put("code_challenge_method", "S256");
    String door = doors.authorization().toString();
    return plain(
        RouteAnswer.seeOther(door + (door.contains("?") ? "&" : "?") + form(question))
            .cookie(logins.kept(login)));
  }

  /** The session's cookie is Strict: the page that this leads to asks for data with it itself. */
  private RouteAnswer comeBack(Call call) {
    BrowserLogins.Pending login = logins.find(call.header("Cookie"));
    String to = login == null ? "/" : login.to();
    try {
      if (login == null) {
        throw new Failed(Failure.EXPIRED, "the browser has begun no login, or too long ago");
      }
      String credential = credential(login, code(call, login));
      Actor actor = tokens.actor(credential);
      if (actor == null) {
        throw new Failed(Failure.UNKNOWN, "the access token is not good for this server");
      }
      String session = session(credential);
      audit.append(
          new AuditTrail.Line(
              actor.tenant(),
              actor.name(),
              actor.id(),
              call.remoteAddress(),
              "GET " + BACK,
              "",
              "asked"));
      return plain(RouteAnswer.seeOther(to).cookie(session).cookie(logins.cleared()));
    } catch (Failed e) {
      return failed(to, e);
    } catch (Problem away) {
      if (away.status() != 503) {
        throw away;
      }
      return failed(to, new Failed(Failure.AWAY, away.getMessage()));
    }
  }

  /** Returns the code, if this browser is the one that asked for it. */
  private String code(Call call, BrowserLogins.Pending login) throws Failed {
    String state = call.query("state");
    if (state == null || !isEqual(state, login.state())) {
      throw new Failed(Failure.EXPIRED, "the state is not that of this browser's login");
    }
    String from = call.query("iss");
    if (from != null && !from.equals(issuer.toString())) {
      throw new Failed(Failure.REFUSED, "another issuer has answered (RFC 9207)");
    }
    String error = call.query("error");
    String code = call.query("code");
    if (error != null || code == null || code.isEmpty()) {
      throw new Failed(
          Failure.REFUSED,
          "the issuer gives no code: %s, %s".formatted(error, call.query("error_description")));
    }
    return code;
  }

  /** Changes the code into an access token for the person whom the ID token names. */
  private String credential(BrowserLogins.Pending login, String code) throws Failed {
    Map<String, String> question = new LinkedHashMap<>(settings.parameters());
    question.put("grant_type", "authorization_code");
    question.put("code", code);
    question.put("redirect_uri", address.get() + BACK);
    question.put("code_verifier", login.verifier());
    question.put("client_id", settings.clientId());
    JsonNode given = given(question);
    String access = given.path("access_token").asString("");
    String person = idTokens.subject(given.path("id_token").asString(""), login.nonce());
    Actor actor = person == null ? null : tokens.actor(access);
    if (actor == null || !actor.id().equals("oidc:" + person)) {
      throw new Failed(
          Failure.UNKNOWN,
          person == null
              ? "the ID token is not of this login"
              : "the access token is no JSON web token for this server: see oidc.audience, oidc.tenantClaim and oidc.loginParameters");
    }
    return access;
  }

  private JsonNode given(Map<String, String> question) throws Failed {
    IssuerClient.Doors doors = doors();
    HttpAnswer answer;
    try {
      answer = tokens.client().post(doors.token(), authorization(), form(question));
    } catch (IOException e) {
      throw new Failed(Failure.AWAY, e.getMessage());
    }
    JsonNode body;
    try {
      body = Json.tree(new String(answer.body(), StandardCharsets.UTF_8));
    } catch (RuntimeException unreadable) {
      throw new Failed(Failure.AWAY, "the issuer's answer is not JSON: " + answer.status());
    }
    if (answer.status() != 200) {
      throw new Failed(
          answer.status() >= 500 ? Failure.AWAY : Failure.REFUSED,
          "the issuer answered %d %s to the code"
              .formatted(answer.status(), body.path("error").asString("")));
    }
    return body;
  }

  /** A public client has no secret: then the verifier alone proves who asks. */
  private Map<String, String> authorization() {
    String secret = settings.clientSecret();
    if (secret == null) {
      return Map.of();
    }
    String pair = encoded(settings.clientId()) + ":" + encoded(secret);
    return Map.of(
        "Authorization",
        "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8)));
  }

  private String session(String credential) throws Failed {
    try {
      return logins.session(credential);
    } catch (Problem tooLarge) {
      throw new Failed(Failure.LARGE, tooLarge.getMessage());
    }
  }

  /** One thread asks at a time, and not again at once after a failure. */
  private IssuerClient.Doors doors() throws Failed {
    asking.lock();
    try {
      Known last = known;
      Duration age = last == null ? null : Duration.ofNanos(ports.clock().nanos() - last.at());
      IssuerClient.Doors doors = last == null ? null : last.doors();
      if (doors != null && age != null && age.compareTo(FRESH) < 0) {
        return doors;
      }
      if (doors == null && age != null && age.compareTo(BETWEEN_FAILURES) < 0) {
        throw new Failed(Failure.AWAY, "the issuer did not answer a moment ago");
      }
      known = new Known(null, ports.clock().nanos());
      IssuerClient.Doors read = tokens.client().doors();
      known = new Known(read, ports.clock().nanos());
      return read;
    } catch (IOException | RuntimeException e) {
      throw new Failed(Failure.AWAY, e.getMessage());
    } finally {
      asking.unlock();
    }
  }

  private RouteAnswer failed(String to, Failed why) {
    log.warn("a login at the issuer failed: {}", oneLine(why.getMessage()));
    String place = to + (to.contains("?") ? "&" : "?") + "login=" + why.failure.word();
    return plain(RouteAnswer.seeOther(place).cookie(logins.cleared()));
  }

  private static String oneLine(@Nullable String text) {
    String line = String.valueOf(text).replaceAll("\\p{Cntrl}", "?");
    return line.length() <= 500 ? line : line.substring(0, 500);
  }

  private static RouteAnswer plain(RouteAnswer answer) {
    return answer.header("Referrer-Policy", "no-referrer");
  }

  /** Returns the path if it is one of this server; else the first page. */
  static String ownPath(@Nullable String to) {
    return to != null && to.length() <= LONGEST_PATH && OWN_PATH.matcher(to).matches() ? to : "/";
  }

  private static boolean isEqual(String given, String expected) {
    return MessageDigest.isEqual(
        given.getBytes(StandardCharsets.UTF_8), expected.getBytes(StandardCharsets.UTF_8));
  }

  private String random() {
    var bytes = ByteBuffer.allocate(32);
    while (bytes.hasRemaining()) {
      bytes.putLong(ports.random().nextLong());
    }
    return base64(bytes.array());
  }

  private static String base64(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private static String form(Map<String, String> fields) {
    return fields.entrySet().stream()
        .map(one -> encoded(one.getKey()) + "=" + encoded(one.getValue()))
        .collect(Collectors.joining("&"));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
