package dev.hapax.app.access;

import dev.hapax.Hapax;
import dev.hapax.app.data.ServerMap;
import dev.hapax.app.http.Access;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.Routes;
import dev.hapax.app.secret.ConnectionBook;
import dev.hapax.app.secret.ConnectionRoutes;
import dev.hapax.app.secret.SecretRoutes;
import dev.hapax.app.secret.Vault;
import dev.hapax.flows.connection.Connections;
import dev.hapax.flows.connection.Secrets;
import dev.hapax.kv.Kv;
import dev.hapax.time.Ports;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Holds all parts of a server's access control, wired together once at its start. */
public final class AccessControl {
  private static final String KEY_FILE = "master.key";

  private final TokenBook tokens;
  private final AddressRates addresses;
  private final Vault vault;
  private final ConnectionBook connections;
  private final AuditLog audit;
  private final RestoreAudit restores;
  private final List<Route> routes;
  private final @Nullable String firstToken;

  private AccessControl(Hapax opened, Path folder, RequestLimits limits, Ports ports)
      throws IOException {
    Kv map = ServerMap.of(opened);
    this.tokens = new TokenBook(map, ports, limits.perToken());
    this.addresses = new AddressRates(ports.clock(), limits.perAddress());
    this.vault = Vault.open(map, folder.resolve(KEY_FILE), ports);
    this.connections = new ConnectionBook(map, ports.clock(), opened::copiedAt);
    this.audit = new AuditLog(map, vault.auditKey(), ports.clock());
    this.restores = new RestoreAudit(opened, map, audit);
    restores.catchUp();
    var tenants = new TenantBook(map, ports.clock());
    List<Route> all = new ArrayList<>();
    all.addAll(new TokenRoutes(tokens, ports.clock()).routes());
    all.addAll(new OperatorRoutes(tenants, tokens, vault).routes());
    all.addAll(new AuditRoutes(audit, opened).routes());
    all.addAll(new SecretRoutes(vault).routes());
    all.addAll(new ConnectionRoutes(connections, OperatorRoutes::isOperator).routes());
    this.routes = List.copyOf(all);
    this.firstToken = new FirstToken(map, tokens, ports.random()).makeIn(folder);
  }

  /**
   * Opens the access control.
   *
   * @param opened the engine that was opened, not a tenant's part
   * @param folder where the master key and the first token are, or will be
   */
  public static AccessControl open(Hapax opened, Path folder, RequestLimits limits, Ports ports)
      throws IOException {
    return new AccessControl(opened, folder, limits, ports);
  }

  /** Returns the operator's token if this start created it and must show it; null otherwise. */
  public @Nullable String firstToken() {
    return firstToken;
  }

  public Access access() {
    return tokens;
  }

  /** Returns the observer that refuses a call if its address sends too many requests. */
  public Routes.Observer addresses() {
    return addresses;
  }

  /** Returns the routes for tokens, tenants, audit, secrets and connections. */
  public List<Route> routes() {
    return routes;
  }

  /** Returns all routes of the server. Those that decide something write to the audit log first. */
  public List<Route> watched(List<Route> all) {
    return AuditedRoutes.by(audit, all);
  }

  /** Records that a person has declared the restored store through this server. */
  public void declaredHere() {
    restores.declaredHere();
  }

  /** Returns the secrets for the flows of this tenant. */
  public Secrets secrets(String tenant) {
    return vault.of(tenant);
  }

  /** Returns the connections for the flows of this tenant. */
  public Connections connections(String tenant) {
    return connections.of(tenant);
  }
}
