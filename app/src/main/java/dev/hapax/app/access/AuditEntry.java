package dev.hapax.app.access;

import dev.hapax.json.Digest;
import java.time.Instant;
import java.util.HexFormat;

/**
 * One line of a tenant's audit log.
 *
 * @param number counts up by one
 * @param action the request: method and path of the route
 * @param target its subject: the values in the path
 * @param outcome {@code asked}, or {@code refused} and by which problem
 * @param previous the mark of the line before
 * @param mark over everything here, by a key that is not in the store
 */
public record AuditEntry(
    long number,
    Instant at,
    String tenant,
    String actor,
    String action,
    String target,
    String outcome,
    String previous,
    String mark) {

  /** Before the first line. */
  static final String NOTHING = "";

  AuditEntry marked(byte[] key) {
    return new AuditEntry(
        number, at, tenant, actor, action, target, outcome, previous, markBy(key));
  }

  String markBy(byte[] key) {
    return HexFormat.of()
        .formatHex(
            Digest.hmac(
                key,
                "audit line",
                Long.toString(number),
                at.toString(),
                tenant,
                actor,
                action,
                target,
                outcome,
                previous));
  }
}
