package dev.hapax.app.secret;

import dev.hapax.Kv;
import dev.hapax.app.data.Outcome;
import dev.hapax.app.data.Records;
import dev.hapax.app.data.ServerMap;
import dev.hapax.app.data.Stored;
import dev.hapax.flows.connection.Secrets;
import dev.hapax.json.Text;
import dev.hapax.time.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Secrets of all tenants, each encrypted with its own key. Writers cannot read them: only
 * connections get values, through {@link #of}. Safe for many threads and nodes.
 */
public final class Vault {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");
  private static final int LONGEST_VALUE = 64 << 10;

  /**
   * The key of the audit log; it also shows at the start whether the master key is the right one.
   */
  private static final String AUDIT_KEY = "audit-key";

  /** A node uses a secret that another node has changed for at most this long. */
  private static final Duration RECENT = Duration.ofSeconds(1);

  private final Records<Sealed> secrets;
  private final ConcurrentMap<String, Opened> opened = new ConcurrentHashMap<>();
  private final AtomicLong changes = new AtomicLong();
  private final Keyring keys;
  private final Ports ports;

  /** A secret as it is stored. */
  record Sealed(
      String tenant,
      String name,
      long revision,
      Envelope envelope,
      Instant changedAt,
      String changedBy) {
    String[] belongsTo() {
      return new String[] {tenant, name, Long.toString(revision)};
    }
  }

  /**
   * A cached secret: every call to a connection and every delivery needs one.
   *
   * @param changes how often a secret had been changed here before this one was read
   */
  private record Opened(Optional<String> value, Instant at, long changes) {}

  /**
   * The public properties of a secret: never its value.
   *
   * @param revision how often it was written
   */
  public record Listed(String name, long revision, Instant changedAt, String changedBy) {}

  /**
   * The progress of a re-keying.
   *
   * @param rewrapped by this call
   * @param failed secrets that no master key here opens; write them again
   */
  public record Rekeyed(int rewrapped, List<String> failed) {}

  private Vault(Kv map, Keyring keys, Ports ports) {
    this.secrets = new Records<>(map, "secrets", Sealed.class);
    this.keys = keys;
    this.ports = ports;
  }

  /**
   * Opens the secrets of a server with the master key in this file, which is created if the server
   * has no secrets yet.
   *
   * @throws IllegalStateException if the key is missing, or is not the one
   */
  public static Vault open(Kv map, Path keyFile, Ports ports) throws IOException {
    boolean isFresh = map.list("secrets/", null, 1).isEmpty();
    if (!isFresh && !Files.exists(keyFile)) {
      throw new IllegalStateException(
          "%s is missing, and the secrets in the store need it. Restore it from your copy; a new key cannot open them."
              .formatted(keyFile));
    }
    Keyring keys =
        Files.exists(keyFile) ? Keyring.read(keyFile) : Keyring.make(keyFile, ports.random());
    return open(map, keys, ports);
  }

  /** As above, with keys from another source. */
  public static Vault open(Kv map, Keyring keys, Ports ports) {
    var vault = new Vault(map, keys, ports);
    vault.auditKey();
    return vault;
  }

  /** Seals a secret of the server itself, unless there is one of this name. */
  void sealIfAbsent(String name, String value, String actor) {
    String key = Records.name(ServerMap.TENANT, name);
    if (secrets.get(key) == null) {
      secrets.putIfAbsent(key, sealed(ServerMap.TENANT, name, 1, value, actor));
      forgetOpened();
    }
  }

  /** Returns a secret of the server itself; makes it at the first start. */
  public String ownSecret(String name, Supplier<String> fresh) {
    Optional<String> known = value(ServerMap.TENANT, name);
    if (known.isPresent()) {
      return known.get();
    }
    sealIfAbsent(name, fresh.get(), "start");
    forgetOpened(); // another node may have made it meanwhile
    return value(ServerMap.TENANT, name).orElseThrow();
  }

  /** Returns the key of the audit log; creates it at the first start. */
  public byte[] auditKey() {
    try {
      return Base64.getDecoder()
          .decode(
              ownSecret(
                  AUDIT_KEY,
                  () -> Base64.getEncoder().encodeToString(Keyring.bytes(ports.random()))));
    } catch (SecretUnreadable e) {
      throw new IllegalStateException(
          "the master key does not open the secrets of this store: %s. Another node may have made its own at its first start: all nodes need the same key file."
              .formatted(e.getMessage()),
          e);
    }
  }

  /** Writes a secret, in place of any earlier one. */
  public void put(String tenant, String name, String value, String actor) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "name of the secret: expected 1 to 128 letters, digits, '.', '_' or '-' that begin with a letter or digit, got '%s'"
              .formatted(Text.storable(name)));
    }
    if (value.isEmpty() || value.length() > LONGEST_VALUE) {
      throw new IllegalArgumentException(
          "value of secret '%s': expected 1 to %,d characters, got %,d"
              .formatted(name, LONGEST_VALUE, value.length()));
    }
    String key = Records.name(tenant, name);
    Stored<Sealed> there = secrets.get(key);
    while (true) {
      long revision = there == null ? 1 : there.value().revision() + 1;
      Sealed next = sealed(tenant, name, revision, value, actor);
      Outcome<Sealed> outcome =
          secrets.compareAndSet(key, there == null ? 0 : there.version(), next);
      if (outcome.written()) {
        forgetOpened();
        return;
      }
      there = outcome.standing();
    }
  }

  private Sealed sealed(String tenant, String name, long revision, String value, String actor) {
    Envelope envelope =
        Envelope.seal(keys.current(), value, ports.random(), tenant, name, Long.toString(revision));
    return new Sealed(tenant, name, revision, envelope, ports.clock().now(), actor);
  }

  /** Returns false if there was none. */
  public boolean delete(String tenant, String name) {
    boolean wasThere = secrets.delete(Records.name(tenant, name));
    forgetOpened();
    return wasThere;
  }

  /** Discards reads in progress, too: they began before this change. */
  private void forgetOpened() {
    changes.incrementAndGet();
    opened.clear();
  }

  boolean has(String tenant, String name) {
    return secrets.get(Records.name(tenant, name)) != null;
  }

  /** Returns the secrets of a tenant, in the order of their names. */
  public List<Listed> list(String tenant, @Nullable String after, int limit) {
    String last = after == null ? null : Records.name(tenant, after);
    return secrets.list(Records.name(tenant), last, limit).stream()
        .map(Stored::value)
        .map(one -> new Listed(one.name(), one.revision(), one.changedAt(), one.changedBy()))
        .toList();
  }

  /** Returns the secrets of one tenant, for its connections. */
  public Secrets of(String tenant) {
    return name -> value(tenant, name);
  }

  private Optional<String> value(String tenant, String name) {
    long before = changes.get();
    Instant now = ports.clock().now();
    Opened last = opened.get(Records.name(tenant, name));
    if (last != null
        && last.changes() == before
        && !now.isBefore(last.at())
        && now.isBefore(last.at().plus(RECENT))) {
      return last.value();
    }
    Optional<String> value = open(tenant, name);
    opened.put(Records.name(tenant, name), new Opened(value, now, before));
    return value;
  }

  private Optional<String> open(String tenant, String name) {
    Stored<Sealed> found = secrets.get(Records.name(tenant, name));
    if (found == null) {
      return Optional.empty();
    }
    try {
      // By the requested name, not by the one in the record: a moved record does not open.
      return Optional.of(
          found
              .value()
              .envelope()
              .open(keys, tenant, name, Long.toString(found.value().revision())));
    } catch (Envelope.CannotOpen e) {
      throw new SecretUnreadable(
          "secret '%s' cannot be opened: %s".formatted(name, e.getMessage()), e);
    }
  }

  /**
   * Puts every secret that is still under an older master key under the current one. Can be stopped
   * at any moment and called again, on any node. When it finds nothing more to do, the older keys
   * are no longer needed.
   */
  public Rekeyed rekey() {
    int rewrapped = 0;
    var failed = new ArrayList<String>();
    for (Stored<Sealed> one : secrets.all("")) {
      try {
        rewrapped += rekey(one) ? 1 : 0;
      } catch (Envelope.CannotOpen e) {
        failed.add(one.value().tenant() + "/" + one.value().name());
      }
    }
    return new Rekeyed(rewrapped, failed);
  }

  private boolean rekey(Stored<Sealed> one) throws Envelope.CannotOpen {
    Stored<Sealed> there = one;
    while (there != null && !there.value().envelope().masterKey().equals(keys.current().id())) {
      Sealed old = there.value();
      Envelope fresh = old.envelope().rewrapped(keys, ports.random(), old.belongsTo());
      Outcome<Sealed> outcome =
          secrets.compareAndSet(
              there.name(),
              there.version(),
              new Sealed(
                  old.tenant(),
                  old.name(),
                  old.revision(),
                  fresh,
                  old.changedAt(),
                  old.changedBy()));
      if (outcome.written()) {
        return true;
      }
      there = outcome.standing(); // it was written meanwhile, by a node that has another key
    }
    return false;
  }

  /** A secret exists, but cannot be read. */
  public static final class SecretUnreadable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    SecretUnreadable(String message, Throwable cause) {
      super(message, cause);
    }
  }
}
