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

/** Everything that a server has about access, put together once at its start. */
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
   * Opens it.
   *
   * @param opened the engine that was opened, not a tenant's part
   * @param folder where the master key and the first token are, or will be
   */
  public static AccessControl open(Hapax opened, Path folder, RequestLimits limits, Ports ports)
      throws IOException {
    return new AccessControl(opened, folder, limits, ports);
  }

  /** The operator's token, if this start made it and so has to show it; null otherwise. */
  public @Nullable String firstToken() {
    return firstToken;
  }

  public Access access() {
    return tokens;
  }

  /** Answers in place of a route where an address asks too often. */
  public Routes.Observer addresses() {
    return addresses;
  }

  /** The routes for tokens, tenants, audit, secrets and connections. */
  public List<Route> routes() {
    return routes;
  }

  /** All routes of the server, those that decide something with the audit log before them. */
  public List<Route> watched(List<Route> all) {
    return AuditedRoutes.by(audit, all);
  }

  /** A person has said through this server what the restored store is. */
  public void declaredHere() {
    restores.declaredHere();
  }

  /** For the flows of this tenant. */
  public Secrets secrets(String tenant) {
    return vault.of(tenant);
  }

  /** For the flows of this tenant. */
  public Connections connections(String tenant) {
    return connections.of(tenant);
  }
}
