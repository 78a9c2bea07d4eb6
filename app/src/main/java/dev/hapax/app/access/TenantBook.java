package dev.hapax.app.access;

import dev.hapax.Kv;
import dev.hapax.app.data.Records;
import dev.hapax.app.data.Stored;
import dev.hapax.app.http.Problem;
import dev.hapax.json.Text;
import dev.hapax.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The tenants of a server. Safe for many threads and nodes. */
public final class TenantBook {
  /** The tenant of the people who operate the server; it always exists. */
  public static final String OPERATOR = "default";

  /** No slash: the tenant of the server's own records cannot be named. */
  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,62}");

  private final Records<Tenant> tenants;
  private final Clock clock;

  /** An owner of flows, runs and secrets that no other tenant sees. */
  public record Tenant(String name, Instant createdAt, String createdBy) {}

  public TenantBook(Kv map, Clock clock) {
    this.tenants = new Records<>(map, "tenants", Tenant.class);
    this.clock = clock;
  }

  /** Creates a tenant; returns null if the name is taken. */
  public @Nullable Tenant create(String name, String actor) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "name of the tenant: expected 1 to 63 letters a-z, digits or '-' that begin with a letter or digit, got '%s'"
              .formatted(Text.storable(name)));
    }
    var tenant = new Tenant(name, clock.now(), actor);
    boolean isTaken = name.equals(OPERATOR) || !tenants.putIfAbsent(name, tenant).written();
    return isTaken ? null : tenant;
  }

  /** Returns all tenants, without the operator's own. */
  List<Tenant> all() {
    return tenants.all("").stream().map(Stored::value).toList();
  }

  public boolean exists(String name) {
    return name.equals(OPERATOR) || (NAME.matcher(name).matches() && tenants.get(name) != null);
  }

  /**
   * Returns the tenant of this name.
   *
   * @throws Problem if there is none
   */
  Tenant existing(String name) {
    if (name.equals(OPERATOR)) {
      return new Tenant(OPERATOR, Instant.EPOCH, "first start");
    }
    Stored<Tenant> found = NAME.matcher(name).matches() ? tenants.get(name) : null;
    if (found == null) {
      throw Problem.notFound("there is no tenant '%s'".formatted(Text.storable(name)));
    }
    return found.value();
  }

  /** Returns tenants in the order of their names, without the operator's own. */
  public List<Tenant> list(@Nullable String after, int limit) {
    return tenants.list("", after, limit).stream().map(Stored::value).toList();
  }
}
