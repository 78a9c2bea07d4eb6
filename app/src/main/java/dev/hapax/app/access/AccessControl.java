package dev.hapax.app.access;

import dev.hapax.Hapax;
import dev.hapax.Kv;
import dev.hapax.app.data.ServerMap;
import dev.hapax.app.http.AuditTrail;
import dev.hapax.app.http.Authenticator;
import dev.hapax.app.http.RefusalWatch;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.Routes;
import dev.hapax.app.http.Sessions;
import dev.hapax.app.secret.ConnectionBatch;
import dev.hapax.app.secret.ConnectionBook;
import dev.hapax.app.secret.ConnectionRoutes;
import dev.hapax.app.secret.SecretBindings;
import dev.hapax.app.secret.SecretBook;
import dev.hapax.app.secret.SecretHosts;
import dev.hapax.app.secret.SecretRoutes;
import dev.hapax.app.secret.SessionKey;
import dev.hapax.app.secret.TokenKeyBook;
import dev.hapax.app.secret.Vault;
import dev.hapax.app.secret.outside.OutsideSecrets;
import dev.hapax.flow.TokenKeys;
import dev.hapax.flows.connection.Connections;
import dev.hapax.flows.connection.Secrets;
import dev.hapax.store.Store;
import dev.hapax.time.Ports;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Holds all parts of a server's access control, wired together once at its start. */
public final class AccessControl {
  private static final String KEY_FILE = "master.key";

  private final TokenBook tokens;
  private final AddressRates addresses;
  private final WrongTokens wrongTokens;
  private final SecretBook secrets;
  private final TokenKeyBook tokenKeys;
  private final ConnectionBook connections;
  private final ConnectionBatch batch;
  private final AuditLog audit;
  private final DocumentSigner documents;
  private final RefusalLog refusals;
  private final RestoreAudit restores;
  private final TenantBook tenants;
  private final TenantEraser eraser;
  private final BrowserSessions sessions;
  private final BrowserLogins logins;
  private final List<Route> routes;
  private final @Nullable String firstToken;

  private AccessControl(
      Hapax opened,
      Store store,
      TermsBook terms,
      Path folder,
      OutsideSecrets outside,
      RequestLimits limits,
      BrowserSessions.Place browsers,
      Ports ports)
      throws IOException {
    Kv map = ServerMap.of(opened);
    this.tokens = new TokenBook(map, ports, limits.perToken());
    this.addresses = new AddressRates(ports.clock(), limits.perAddress());
    this.wrongTokens = new WrongTokens(ports, limits.wrongTokens());
    Vault vault = Vault.open(map, folder.resolve(KEY_FILE), ports);
    this.tokenKeys = TokenKeyBook.open(map, store, vault, ports);
    this.connections = new ConnectionBook(map, ports.clock(), opened::copiedAt);
    this.audit = new AuditLog(map, vault.auditKey(), ports.clock());
    this.refusals = new RefusalLog(audit, ports.clock());
    var hosts = new SecretHosts(map, ports.clock());
    this.secrets =
        new SecretBook(
            vault,
            outside,
            (tenant, name, event) -> audit.append(tenant, "server", "use secret", name, event),
            hosts);
    this.restores = new RestoreAudit(opened, map, audit);
    restores.catchUp();
    this.tenants = new TenantBook(map, ports.clock());
    var bindings = new SecretBindings(vault, outside, connections, hosts);
    bindings.bindAll(TenantBook.OPERATOR);
    tenants.all().forEach(tenant -> bindings.bindAll(tenant.name()));
    this.eraser = new TenantEraser(opened, map, terms, audit, ports.clock());
    this.sessions = new BrowserSessions(new SessionKey(vault, ports), ports.clock(), browsers);
    this.logins =
        new BrowserLogins(
            new SessionKey(vault, ports).ofLogins(), sessions, ports.clock(), browsers);
    List<Route> all = new ArrayList<>();
    all.addAll(new SessionRoutes(sessions).routes());
    all.addAll(new TokenRoutes(tokens, ports.clock()).routes());
    all.addAll(new OperatorRoutes(tenants, terms, tokens, vault).routes());
    all.addAll(new QuotaRoutes(tenants, terms, map).routes());
    all.addAll(new SuspensionRoutes(tenants, terms, map, audit, ports.clock()).routes());
    all.addAll(new DeletionRoutes(tenants, terms, eraser, map, audit, ports.clock()).routes());
    all.addAll(new TokenKeyRoutes(tokenKeys).routes());
    var signer = new CheckpointSigner(vault, ports.clock());
    this.documents = new DocumentSigner(signer, audit, opened);
    all.addAll(new AuditRoutes(audit, refusals, signer, opened).routes());
    all.addAll(new SecretRoutes(vault, outside, bindings, OperatorRoutes::isOperator).routes());
    all.addAll(new ConnectionRoutes(connections, bindings, OperatorRoutes::isOperator).routes());
    this.batch = new ConnectionBatch(connections, bindings, OperatorRoutes::isOperator);
    this.routes = List.copyOf(all);
    this.firstToken = new FirstToken(map, tokens, ports.random()).makeIn(folder);
  }

  /**
   * Opens the access control.
   *
   * @param opened the engine that was opened, not a tenant's part
   * @param store of the engine
   * @param terms what the operator has decided about tenants
   * @param folder where the master key and the first token are, or will be
   * @param outside the secrets that are not in the vault
   * @param browsers where browsers reach the server
   */
  public static AccessControl open(
      Hapax opened,
      Store store,
      TermsBook terms,
      Path folder,
      OutsideSecrets outside,
      RequestLimits limits,
      BrowserSessions.Place browsers,
      Ports ports)
      throws IOException {
    return new AccessControl(opened, store, terms, folder, outside, limits, browsers, ports);
  }

  /** Returns the operator's token if this start created it and must show it; null otherwise. */
  public @Nullable String firstToken() {
    return firstToken;
  }

  public Authenticator access() {
    return tokens;
  }

  /** Returns the sessions of browsers. */
  public Sessions sessions() {
    return sessions;
  }

  /** Returns the logins of browsers that another system decides. */
  public BrowserLogins logins() {
    return logins;
  }

  /** Returns the observer that refuses a call if its address sends too many requests. */
  public Routes.Observer addresses() {
    return addresses;
  }

  /** Returns the observer that slows an address down if it sends wrong tokens. */
  public Routes.Observer wrongTokens() {
    return wrongTokens;
  }

  /** Returns the routes for tokens, tenants, audit, secrets and connections. */
  public List<Route> routes() {
    return routes;
  }

  /** Returns all routes of the server. Those that decide something write to the audit log first. */
  public List<Route> audited(List<Route> all) {
    return AuditedRoutes.by(audit, all);
  }

  /** Returns the audit log, for routes that write to it themselves. */
  public AuditTrail audit() {
    return audit;
  }

  /** Returns the part that signs statements for people outside. */
  public DocumentSigner documents() {
    return documents;
  }

  /** Returns the part that counts refused requests for the audit log. */
  public RefusalWatch refusals() {
    return refusals;
  }

  /** Writes the counted refusals; to be called once a {@link #flushEvery}, and at the end. */
  public void flushRefusals() {
    refusals.flush();
  }

  public Duration flushEvery() {
    return RefusalLog.WINDOW;
  }

  /** Records that a person has declared the restored store through this server. */
  public void declaredHere() {
    restores.declaredHere();
  }

  /** Returns the part that erases deleted tenants. */
  public TenantEraser eraser() {
    return eraser;
  }

  public boolean hasTenant(String name) {
    return tenants.exists(name);
  }

  /** Returns the keys of callback and approval tokens. */
  public TokenKeys tokenKeys() {
    return tokenKeys;
  }

  /** Returns the secrets for the flows of this tenant. */
  public Secrets secrets(String tenant) {
    return secrets.of(tenant);
  }

  /** Returns the operations on connections that are written together. */
  public ConnectionBatch connectionBatch() {
    return batch;
  }

  /** Returns the connections for the flows of this tenant. */
  public Connections connections(String tenant) {
    return connections.of(tenant);
  }
}
