package dev.hapax.app.http;

import dev.hapax.flow.Caller;
import java.util.Set;

/**
 * The caller, from the credential and never from the request.
 *
 * @param id identifies the credential, for example {@code token:<id>}; no two callers share one
 * @param name of its user; stays in histories and in the audit log
 * @param tenant the caller sees only this tenant's keys, runs, flows and secrets
 * @param roles that approvals may ask for
 * @param flows that it may use
 */
public record Actor(
    String id,
    String name,
    String tenant,
    Set<TokenScope> scopes,
    Set<String> roles,
    FlowLimit flows) {
  public Actor {
    scopes = Set.copyOf(scopes);
    roles = Set.copyOf(roles);
  }

  /** A caller that may use all flows. */
  public Actor(String id, String name, String tenant, Set<TokenScope> scopes, Set<String> roles) {
    this(id, name, tenant, scopes, roles, FlowLimit.ALL);
  }

  /** A caller whose name identifies the credential, too. */
  public Actor(String name, String tenant, Set<TokenScope> scopes, Set<String> roles) {
    this(name, name, tenant, scopes, roles);
  }

  /** Returns the identity as runs and decisions record it. */
  public Caller caller() {
    return new Caller(id, name);
  }

  public boolean may(TokenScope scope) {
    return scope.isAllowedBy(scopes);
  }
}
