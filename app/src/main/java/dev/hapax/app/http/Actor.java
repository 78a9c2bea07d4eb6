package dev.hapax.app.http;

import java.util.Set;

/**
 * The caller, from the credential and never from the request.
 *
 * @param name stays in histories and in the audit log
 * @param tenant the caller sees only this tenant's keys, runs, flows and secrets
 * @param roles that approvals may ask for
 */
public record Actor(String name, String tenant, Set<Scope> scopes, Set<String> roles) {
  public Actor {
    scopes = Set.copyOf(scopes);
    roles = Set.copyOf(roles);
  }

  public boolean may(Scope scope) {
    return scope.isAllowedBy(scopes);
  }
}
