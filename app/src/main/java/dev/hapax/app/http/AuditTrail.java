package dev.hapax.app.http;

import org.jspecify.annotations.Nullable;

/** Takes lines for the audit log. */
@FunctionalInterface
public interface AuditTrail {
  /** Appends a line; durable when this returns. */
  void append(Line line);

  /**
   * A line of a tenant's log.
   *
   * @param actor the name of the caller
   * @param token the id of the credential; null if there is none
   * @param address of the caller; null if the server itself acts
   * @param action the request: method and path of the route
   * @param target its subject, without credentials
   * @param outcome {@code asked}, or {@code refused} and by which problem
   */
  record Line(
      String tenant,
      String actor,
      @Nullable String token,
      @Nullable String address,
      String action,
      String target,
      String outcome) {

    /** A line of a caller with a credential. */
    public static Line of(Actor actor, String address, Route route, String target) {
      return new Line(
          actor.tenant(), actor.name(), actor.id(), address, route.toString(), target, "asked");
    }

    /** Returns the same line with another outcome. */
    public Line outcome(String other) {
      return new Line(tenant, actor, token, address, action, target, other);
    }

    /** Returns the same line for a call that failed. */
    public Line refused(RuntimeException why) {
      return outcome("refused: " + Problems.nameOf(why));
    }
  }
}
