package dev.hapax.app.secret;

import dev.hapax.Kv;
import dev.hapax.app.data.Outcome;
import dev.hapax.app.data.Records;
import dev.hapax.app.data.ServerMap;
import dev.hapax.app.data.Stored;
import dev.hapax.flow.StoreUnavailable;
import dev.hapax.flow.TokenKeys;
import dev.hapax.store.Store;
import dev.hapax.time.Ports;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys of callback and approval tokens, each sealed in the vault: a copy of the database
 * without the master key forges no token. Safe for many threads and nodes; other nodes notice a
 * rotation or a revocation within a second.
 */
public final class TokenKeyBook implements TokenKeys {
  private static final Logger log = LoggerFactory.getLogger(TokenKeyBook.class);
  private static final Duration RECENT = Duration.ofSeconds(1);
  private static final String ONLY = "only";

  private final Records<Versions> records;
  private final Vault vault;
  private final Ports ports;
  private volatile @Nullable Read last;

  /**
   * The versions of the keys.
   *
   * @param current for new waits
   * @param known those that are not revoked, in ascending order
   */
  record Versions(int current, List<Version> known) {}

  /** A key; its bytes are in the vault. */
  public record Version(int version, Instant createdAt) {}

  private record Read(Versions versions, long atNanos) {}

  /**
   * The outcome of a rotation.
   *
   * @param version of the new key
   * @param revoked the versions whose tokens answer as unknown from now on
   * @param valid the versions whose tokens are valid, with the new one
   */
  public record Rotated(int version, List<Integer> revoked, List<Integer> valid) {}

  private TokenKeyBook(Kv map, Vault vault, Ports ports) {
    this.records = new Records<>(map, "token-keys", Versions.class);
    this.vault = vault;
    this.ports = ports;
  }

  /**
   * Opens the keys of a server; makes the first one at its first start. A key that an older version
   * left in the store is sealed first and then erased there, so a crash in between loses nothing:
   * the next start continues. Two nodes that start at once seal the same key.
   */
  public static TokenKeyBook open(Kv map, Store store, Vault vault, Ports ports) {
    var book = new TokenKeyBook(map, vault, ports);
    byte[] old = store.secretKey();
    if (book.records.get(ONLY) == null) {
      if (old != null) {
        book.seal(old);
      }
      book.begin(old != null);
    } else if (old != null && !Arrays.equals(old, book.open(OF_STORE))) {
      log.warn(
          "a node of an older version has made its own token key: links to approvals that it made"
              + " answer as unknown. Decide these approvals with a token");
    }
    if (old != null) {
      store.eraseSecretKey(old);
      log.info(
          "the key of callback and approval tokens was moved from the store into the vault; older"
              + " backups still contain it");
    }
    return book;
  }

  /** Until the versions are recorded, the store's key is the one that tokens were made with. */
  private void seal(byte[] old) {
    if (!Arrays.equals(old, open(OF_STORE))) {
      vault.put(ServerMap.TENANT, name(OF_STORE), text(old), "start");
    }
  }

  private void begin(boolean hasOld) {
    Instant now = ports.clock().now();
    makeKey(1);
    List<Version> known = new ArrayList<>();
    if (hasOld) {
      known.add(new Version(OF_STORE, now));
    }
    known.add(new Version(1, now));
    records.putIfAbsent(ONLY, new Versions(1, known)); // another node may be first, with these keys
  }

  private void makeKey(int version) {
    vault.sealIfAbsent(name(version), text(Keyring.bytes(ports.random())), "start");
  }

  /** Makes a key for new waits. Tokens of the others stay valid, unless they are revoked. */
  public Rotated rotate(boolean revoke) {
    while (true) {
      Stored<Versions> there = stored();
      Versions now = there.value();
      int next = now.current() + 1;
      makeKey(next);
      List<Version> known = new ArrayList<>(revoke ? List.of() : now.known());
      known.add(new Version(next, ports.clock().now()));
      var versions = new Versions(next, List.copyOf(known));
      Outcome<Versions> outcome = records.compareAndSet(ONLY, there.version(), versions);
      last = null;
      if (outcome.written()) {
        List<Integer> revoked =
            revoke ? now.known().stream().map(Version::version).toList() : List.of();
        revoked.forEach(version -> vault.delete(ServerMap.TENANT, name(version)));
        return new Rotated(next, revoked, known.stream().map(Version::version).toList());
      }
    }
  }

  /** Returns the keys that are not revoked, the oldest first. */
  public List<Version> list() {
    return stored().value().known();
  }

  @Override
  public int current() {
    return versions().current();
  }

  @Override
  public byte @Nullable [] find(int version) {
    boolean isKnown = versions().known().stream().anyMatch(one -> one.version() == version);
    return isKnown ? open(version) : null;
  }

  private Versions versions() {
    Read read = last;
    long now = ports.clock().nanos();
    if (read != null && now - read.atNanos() < RECENT.toNanos()) {
      return read.versions();
    }
    Versions fresh = stored().value();
    last = new Read(fresh, now);
    return fresh;
  }

  private Stored<Versions> stored() {
    Stored<Versions> found = records.get(ONLY);
    if (found == null) {
      throw new StoreUnavailable("the record of the token keys is missing", null);
    }
    return found;
  }

  private byte @Nullable [] open(int version) {
    Optional<String> value = vault.of(ServerMap.TENANT).value(name(version));
    return value.map(Base64.getDecoder()::decode).orElse(null);
  }

  private static String name(int version) {
    return "token-key-" + version;
  }

  private static String text(byte[] key) {
    return Base64.getEncoder().encodeToString(key);
  }
}
