package dev.hapax.app.access;

import dev.hapax.app.secret.SessionKey;
import dev.hapax.json.Json;
import dev.hapax.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Logins that another system decides, from the browser's departure to its return. The browser keeps
 * what it left with in a sealed cookie, so every node can go on, and only this browser. The cookie
 * is {@code Lax}: the return comes from the other system's page. Safe for many threads and nodes.
 */
public final class BrowserLogins {
  /** A login that takes longer begins anew. */
  static final Duration LIFE = Duration.ofMinutes(10);

  private static final String PREFIX = "hapax-login-";
  private static final String PATH = "/login/";

  private final SessionKey key;
  private final BrowserSessions sessions;
  private final Clock clock;
  private final BrowserSessions.Place place;

  BrowserLogins(
      SessionKey key, BrowserSessions sessions, Clock clock, BrowserSessions.Place place) {
    this.key = key;
    this.sessions = sessions;
    this.clock = clock;
    this.place = place;
  }

  /**
   * A login under way.
   *
   * @param state must come back with the browser
   * @param nonce must be in the other system's answer
   * @param verifier proves that this server asked for the answer
   * @param to the path of this server where the browser wants to be
   */
  public record Pending(String state, String nonce, String verifier, String to) {
    @Override
    public String toString() {
      return "Pending[to=" + to + "]"; // the rest is secret
    }
  }

  /** What is sealed; e is the end in seconds. */
  private record Sealed(String s, String n, String v, String to, long e) {}

  /** Returns the header that makes a browser keep this login. */
  public String kept(Pending login) {
    long end = clock.now().plus(LIFE).getEpochSecond();
    var sealed = new Sealed(login.state(), login.nonce(), login.verifier(), login.to(), end);
    return cookie(key.seal(Json.write(sealed)), LIFE);
  }

  /** Returns the login of a browser; null if it has begun none, or too long ago. */
  public @Nullable Pending find(@Nullable String cookies) {
    if (cookies == null || !cookies.contains(PREFIX)) {
      return null;
    }
    String wanted = name() + "=";
    for (String one : cookies.split(";", -1)) {
      if (one.strip().startsWith(wanted)) {
        return opened(one.strip().substring(wanted.length()));
      }
    }
    return null;
  }

  private @Nullable Pending opened(String sealed) {
    String text = sealed.isEmpty() ? null : key.open(sealed);
    if (text == null) {
      return null;
    }
    JsonNode read = Json.tree(text);
    return clock.now().isBefore(Instant.ofEpochSecond(read.path("e").asLong()))
        ? new Pending(
            read.path("s").asString(),
            read.path("n").asString(),
            read.path("v").asString(),
            read.path("to").asString())
        : null;
  }

  /** Returns the header that makes a browser forget its login. */
  public String cleared() {
    return cookie("", Duration.ZERO);
  }

  /** Returns the header that begins a session with a credential that was checked. */
  public String session(String credential) {
    return sessions.begun(credential);
  }

  private String name() {
    return PREFIX + key.shortName();
  }

  private String cookie(String value, Duration life) {
    return "%s=%s; Path=%s; Max-Age=%d; HttpOnly; SameSite=Lax%s"
        .formatted(
            name(),
            value,
            place.path() + PATH,
            life.toSeconds(),
            place.isEncrypted() ? "; Secure" : "");
  }
}
