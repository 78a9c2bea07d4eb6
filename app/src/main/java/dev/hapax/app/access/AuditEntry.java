package dev.hapax.app.access;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.hapax.json.Digest;
import java.time.Instant;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * One line of a tenant's audit log.
 *
 * @param number counts up by one
 * @param token the id of the caller's credential; null if there was none, and in older lines
 * @param address of the caller; null if the server itself acted, and in older lines
 * @param action the request: method and path of the route
 * @param target its subject: the values in the path
 * @param outcome {@code asked}, or {@code refused} and by which problem
 * @param previous the mark of the line before
 * @param mark over everything here, by a key that is not in the store
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AuditEntry(
    long number,
    Instant at,
    String tenant,
    String actor,
    @Nullable String token,
    @Nullable String address,
    String action,
    String target,
    String outcome,
    String previous,
    String mark) {

  /** Before the first line. */
  static final String NOTHING = "";

  AuditEntry marked(byte[] key) {
    return new AuditEntry(
        number, at, tenant, actor, token, address, action, target, outcome, previous, markBy(key));
  }

  /** The two kinds of lines have different words, so none can be taken for the other. */
  String markBy(byte[] key) {
    String line = Long.toString(number);
    byte[] mark =
        token == null && address == null
            ? Digest.hmac(
                key,
                "audit line",
                line,
                at.toString(),
                tenant,
                actor,
                action,
                target,
                outcome,
                previous)
            : Digest.hmac(
                key,
                "audit line with address",
                line,
                at.toString(),
                tenant,
                actor,
                token == null ? "" : token,
                address == null ? "" : address,
                action,
                target,
                outcome,
                previous);
    return HexFormat.of().formatHex(mark);
  }
}
