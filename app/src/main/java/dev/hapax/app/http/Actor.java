package dev.hapax.app.http;

import java.util.Set;

/**
 * Who calls, as the credential says and never the request.
 *
 * @param name stays in histories and in the audit log
 * @param tenant whose keys, runs, flows and secrets the caller sees; nobody else's
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
