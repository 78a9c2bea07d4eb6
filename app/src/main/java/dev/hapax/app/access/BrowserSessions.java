package dev.hapax.app.access;

import dev.hapax.app.http.Method;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Request;
import dev.hapax.app.http.Sessions;
import dev.hapax.app.secret.SessionKey;
import dev.hapax.json.Json;
import dev.hapax.time.Clock;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Sessions of browsers, as cookies that hold the credential sealed: no script can read it, every
 * node can open it, and the credential is checked anew at each request, so whatever ends it ends
 * its sessions. Safe for many threads and nodes: the server keeps nothing.
 */
public final class BrowserSessions implements Sessions {
  /** A session ends then, no matter how much it is used. */
  static final Duration LIFE = Duration.ofHours(12);

  /** A request that changes something brings the session's proof in it. */
  public static final String PROOF = "X-Hapax-CSRF";

  /** Browsers keep no larger cookie. */
  private static final int LARGEST = 3900;

  private static final String OVER = "the session has ended: log in again";

  private final SessionKey key;
  private final Clock clock;
  private final Place place;

  /**
   * Where browsers reach the server.
   *
   * @param path the prefix of all its paths; empty for none
   * @param authority host and port of its public address
   * @param isEncrypted whether that address begins with https
   */
  public record Place(String path, String authority, boolean isEncrypted) {}

  /**
   * A session that a browser has begun.
   *
   * @param sealed the content of its cookie
   * @param proof the value of {@link #PROOF} in its requests
   */
  record Session(String sealed, String credential, Instant endsAt, String proof) {
    @Override
    public String toString() {
      return "Session[endsAt=" + endsAt + "]"; // never the credential
    }
  }

  /** What is sealed: t is the credential, e the end in seconds. */
  private record Sealed(String t, long e) {}

  public BrowserSessions(SessionKey key, Clock clock, Place place) {
    this.key = key;
    this.clock = clock;
    this.place = place;
  }

  Session begin(String credential) {
    Instant end = Instant.ofEpochSecond(clock.now().plus(LIFE).getEpochSecond());
    String sealed = key.seal(Json.write(new Sealed(credential, end.getEpochSecond())));
    if (sealed.length() > LARGEST) {
      throw Problem.invalidInput(
          "the token has %,d characters, and a browser keeps no cookie for more than about 2,900. Let the issuer put fewer claims into it, or use a token of this server"
              .formatted(credential.length()));
    }
    return new Session(sealed, credential, end, key.proof(sealed));
  }

  /** Returns the session of a request; null if it has none, or it is over. */
  @Nullable Session find(@Nullable String cookies) {
    String sealed = cookies == null ? null : cookie(cookies);
    String text = sealed == null || sealed.isEmpty() ? null : key.open(sealed);
    if (sealed == null || text == null) {
      return null;
    }
    JsonNode read = Json.tree(text);
    Instant end = Instant.ofEpochSecond(read.path("e").asLong());
    return clock.now().isBefore(end)
        ? new Session(sealed, read.path("t").asString(), end, key.proof(sealed))
        : null;
  }

  private @Nullable String cookie(String cookies) {
    if (!cookies.contains(PREFIX)) {
      return null; // the usual case of programs: no read of the key
    }
    String wanted = name() + "=";
    for (String one : cookies.split(";", -1)) {
      if (one.strip().startsWith(wanted)) {
        return one.strip().substring(wanted.length());
      }
    }
    return null;
  }

  private static final String PREFIX = "hapax-session-";

  /** With this prefix a browser takes no cookie from another host of our domain. */
  private static final String OWN_HOST = "__Host-";

  private String name() {
    boolean isOwnHost = place.isEncrypted() && place.path().isEmpty(); // else browsers refuse it
    return (isOwnHost ? OWN_HOST : "") + PREFIX + key.shortName();
  }

  @Override
  public @Nullable String credential(Request request, Method method) {
    String cookies = request.header("Cookie");
    if (cookies == null || cookie(cookies) == null) {
      return null;
    }
    Session session = find(cookies);
    if (session == null) {
      throw ended();
    }
    refuseOtherPages(request, method, session);
    return session.credential();
  }

  /** The answer to a session that is over; its cookie goes. */
  Problem ended() {
    return over(Problem.unauthorized(OVER));
  }

  @Override
  public Problem over(Problem refused) {
    return refused.header("Set-Cookie", cleared());
  }

  /** A page of another site, or of another server on this host, must not act for our user. */
  private void refuseOtherPages(Request request, Method method, Session session) {
    String site = request.header("Sec-Fetch-Site");
    if (site != null && !site.equals("same-origin") && !site.equals("none")) {
      throw Problem.forbidden(
          "a session serves the pages of this server only, not those of others");
    }
    if (method == Method.GET) {
      return;
    }
    String origin = request.header("Origin");
    if (origin != null && !isOurs(origin, request.header("Host"))) {
      throw Problem.forbidden(
          "the origin '%s' is not this server. Behind a proxy, set http.url to the address that browsers use"
              .formatted(origin));
    }
    String proof = request.header(PROOF);
    if (proof == null || !isEqual(proof, session.proof())) {
      throw Problem.forbidden(
          "a request of a session that changes something needs the header %s; GET /api/session has its value"
              .formatted(PROOF));
    }
  }

  private static boolean isEqual(String given, String expected) {
    return MessageDigest.isEqual(
        given.getBytes(StandardCharsets.UTF_8), expected.getBytes(StandardCharsets.UTF_8));
  }

  private boolean isOurs(String origin, @Nullable String host) {
    int begin = origin.indexOf("://");
    String authority = begin < 0 ? "" : origin.substring(begin + 3).toLowerCase(Locale.ROOT);
    return authority.equals(place.authority())
        || (host != null && authority.equals(host.toLowerCase(Locale.ROOT)));
  }

  /** Returns the header that makes a browser keep the session. */
  String kept(Session session) {
    return cookie(session.sealed(), LIFE);
  }

  /** Returns the header that makes a browser forget its session. */
  String cleared() {
    return cookie("", Duration.ZERO);
  }

  /** Returns the header that begins a session with a credential that was checked. */
  String begun(String credential) {
    return kept(begin(credential));
  }

  private String cookie(String value, Duration life) {
    return "%s=%s; Path=%s; Max-Age=%d; HttpOnly; SameSite=Strict%s"
        .formatted(
            name(),
            value,
            place.path().isEmpty() ? "/" : place.path(),
            life.toSeconds(),
            place.isEncrypted() ? "; Secure" : "");
  }
}
