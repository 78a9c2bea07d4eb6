package dev.hapax.app.http;

import java.util.Arrays;
import java.util.Set;

/** The permission that a token needs to call a route. A route cannot be made without one. */
public enum TokenScope {
  /** Needs no token. Such a route does its own checks. */
  PUBLIC("public"),
  /** Any good token, whatever it allows: the route is about the caller itself. */
  ANY("any"),
  RUNS_READ("runs:read"),
  RUNS_WRITE("runs:write"),
  EFFECTS_READ("effects:read"),
  EFFECTS_SETTLE("effects:settle"),
  APPROVALS_READ("approvals:read"),
  APPROVALS_DECIDE("approvals:decide"),
  FLOWS_READ("flows:read"),
  FLOWS_WRITE("flows:write"),
  SCHEDULES_READ("schedules:read"),
  SCHEDULES_WRITE("schedules:write"),
  INBOX_READ("inbox:read"),
  INBOX_WRITE("inbox:write"),
  KV_READ("kv:read"),
  KV_WRITE("kv:write"),
  RESOURCES_READ("resources:read"),
  RESOURCES_WRITE("resources:write"),
  CONNECTIONS_READ("connections:read"),
  CONNECTIONS_WRITE("connections:write"),
  /** A release may name connections, and a draft may be run that does. */
  CONNECTIONS_USE("connections:use"),
  /** A release may have a webhook that checks no signature. */
  WEBHOOKS_UNSIGNED("webhooks:unsigned"),
  SECRETS_WRITE("secrets:write"),
  /** Plan and export what is stored about a person. */
  SUBJECTS_READ("subjects:read"),
  SUBJECTS_ERASE("subjects:erase"),
  METRICS_READ("metrics:read"),
  /** Includes every other scope. */
  ADMIN("admin");

  private final String word;

  TokenScope(String word) {
    this.word = word;
  }

  /** Returns the word of the public contract. */
  public String word() {
    return word;
  }

  public static TokenScope of(String word) {
    return Arrays.stream(values())
        .filter(scope -> scope.isGranted() && scope.word.equals(word))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "scope: expected one of %s, got '%s'".formatted(words(), word)));
  }

  private static String words() {
    return String.join(
        ", ", Arrays.stream(values()).filter(TokenScope::isGranted).map(TokenScope::word).toList());
  }

  /** Returns whether a token can have it. */
  public boolean isGranted() {
    return this != PUBLIC && this != ANY;
  }

  /** Returns whether a caller with the given scopes may call a route that needs this one. */
  public boolean isAllowedBy(Set<TokenScope> given) {
    return !isGranted() || given.contains(this) || given.contains(ADMIN);
  }
}
