package dev.hapax.app.access;

import dev.hapax.Kv;
import dev.hapax.app.data.Records;
import dev.hapax.app.data.Stored;
import dev.hapax.app.http.Actor;
import dev.hapax.app.http.Authenticator;
import dev.hapax.app.http.FlowLimit;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.TokenScope;
import dev.hapax.time.Ports;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tokens of all tenants and their owners. A token that was read is trusted for two seconds, so
 * that a request costs no read. A revocation takes effect at once on this node, and on all nodes
 * within that time. Safe for many threads and nodes.
 */
public final class TokenBook implements Authenticator {
  private static final Logger log = LoggerFactory.getLogger(TokenBook.class);
  private static final Duration BELIEVED = Duration.ofSeconds(2);
  private static final Duration USE_WRITTEN_EVERY = Duration.ofMinutes(1);
  private static final int MOST_KNOWN = 10_000;
  private static final byte[] NOBODYS_HASH = new byte[32];

  private final Records<Token> tokens;
  private final Ports ports;
  private final RequestRates rates;
  private final @Nullable Integer perSecond;
  private final ConcurrentMap<String, Known> known = new ConcurrentHashMap<>();

  /** A token as this node has read it. */
  @SuppressWarnings("ArrayRecordComponent") // compared by MessageDigest only
  private record Known(Token token, byte[] hash, Actor actor, long readAt) {}

  /** A token that was just created; its text can be seen only now. */
  public record Made(Token token, String text) {
    @Override
    public String toString() {
      return "Made[" + token.id() + "]"; // never the text
    }
  }

  /**
   * The properties of a new token.
   *
   * @param perSecond how many requests it may make; null for the server's own limit
   * @param expiresAt null for never
   * @param flows which flows it may use
   */
  public record Wanted(
      String tenant,
      String name,
      List<String> scopes,
      List<String> roles,
      @Nullable Integer perSecond,
      @Nullable Instant expiresAt,
      FlowLimit flows) {
    public Wanted {
      scopes = List.copyOf(scopes);
      roles = List.copyOf(roles);
    }

    /** A token for all flows. */
    public Wanted(
        String tenant,
        String name,
        List<String> scopes,
        List<String> roles,
        @Nullable Integer perSecond,
        @Nullable Instant expiresAt) {
      this(tenant, name, scopes, roles, perSecond, expiresAt, FlowLimit.ALL);
    }
  }

  /**
   * The book of a server.
   *
   * @param perSecond how many requests a token without its own limit may make, on each node; null
   *     for no limit
   */
  public TokenBook(Kv map, Ports ports, @Nullable Integer perSecond) {
    this.tokens = new Records<>(map, "tokens", Token.class);
    this.ports = ports;
    this.rates = new RequestRates(ports.clock());
    this.perSecond = perSecond;
  }

  public Made create(Wanted wanted, String actor) {
    return create(TokenText.fresh(ports.random()), wanted, actor);
  }

  /** Creates a token from a text that was written down before; repeated calls create it once. */
  Made create(TokenText text, Wanted wanted, String actor) {
    var token =
        new Token(
            text.id(),
            wanted.tenant(),
            wanted.name(),
            text.hexHash(),
            wanted.scopes(),
            wanted.roles(),
            wanted.perSecond(),
            wanted.flows().isAll() ? null : wanted.flows().toStored(),
            ports.clock().now(),
            actor,
            wanted.expiresAt(),
            null,
            null,
            Token.SCOPE_VERSION);
    if (token.allowed().contains(TokenScope.ADMIN) && !wanted.flows().isAll()) {
      throw new IllegalArgumentException(
          "scopes: 'admin' is for the whole tenant, so a token limited to flows cannot have it. Name the scopes that it needs");
    }
    tokens.putIfAbsent(token.id(), token);
    return new Made(token, text.shown());
  }

  /** Returns all tokens of a tenant, also revoked and expired ones. */
  public List<Token> list(String tenant) {
    return tokens.all("").stream()
        .map(Stored::value)
        .filter(token -> token.tenant().equals(tenant))
        .toList();
  }

  /** Revokes a token; returns null if the tenant has no such token. */
  public @Nullable Token revoke(String tenant, String id) {
    Stored<Token> there = tokens.get(Records.name(id));
    if (there == null || !there.value().tenant().equals(tenant)) {
      return null;
    }
    Instant now = ports.clock().now();
    Stored<Token> revoked = tokens.update(there.name(), token -> token.revokedAt(now));
    known.remove(id);
    return revoked == null ? null : revoked.value();
  }

  @Override
  public @Nullable Actor actor(String given) {
    TokenText text = TokenText.parse(given);
    if (text == null) {
      return null;
    }
    Known is = known(text.id());
    boolean matches = MessageDigest.isEqual(is == null ? NOBODYS_HASH : is.hash(), text.hash());
    Instant now = ports.clock().now();
    if (is == null || !matches || !is.token().isGoodAt(now)) {
      return null;
    }
    Integer own = is.token().perSecond();
    Integer most = own == null ? perSecond : own;
    long wait = most == null ? 0 : rates.secondsToWait(text.id(), most);
    if (wait > 0) {
      throw Problem.rateLimited(
          "too many requests with the token of '%s': try again in %d s"
              .formatted(is.actor().name(), wait),
          wait);
    }
    noteUse(is, now);
    return is.actor();
  }

  /** Returns null if there is none. Unknown ids are not cached, or they could fill the memory. */
  private @Nullable Known known(String id) {
    Known is = known.get(id);
    if (is != null && ports.clock().nanos() - is.readAt() < BELIEVED.toNanos()) {
      return is;
    }
    long readAt = ports.clock().nanos(); // before the read, so that nothing is trusted for longer
    Stored<Token> found = tokens.get(id);
    if (found == null) {
      known.remove(id);
      return null;
    }
    if (known.size() >= MOST_KNOWN) {
      known.clear();
    }
    Known fresh = known(found.value(), readAt);
    known.put(id, fresh);
    return fresh;
  }

  private static Known known(Token token, long readAt) {
    var actor =
        new Actor(
            "token:" + token.id(),
            token.name(),
            token.tenant(),
            token.allowed(),
            Set.copyOf(token.roles()),
            token.limit());
    return new Known(token, HexFormat.of().parseHex(token.hash()), actor, readAt);
  }

  /** Written seldom, beside the request, which does not wait; a crash may lose the last one. */
  private void noteUse(Known is, Instant now) {
    Instant before = is.token().usedAt();
    if (before != null && Duration.between(before, now).compareTo(USE_WRITTEN_EVERY) < 0) {
      return;
    }
    var noted = new Known(is.token().usedAt(now), is.hash(), is.actor(), is.readAt());
    if (known.replace(is.token().id(), is, noted)) { // one of all requests at this moment
      ports.threads().virtual("hapax-token-use", () -> writeUse(is.token().id(), now));
    }
  }

  private void writeUse(String id, Instant now) {
    try {
      tokens.update(id, token -> token.usedAt(now));
    } catch (RuntimeException e) {
      log.debug("the last use of token {} was not written: {}", id, e.getMessage());
    }
  }
}
