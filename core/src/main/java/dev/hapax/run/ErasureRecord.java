package dev.hapax.run;

import dev.hapax.flow.Names;
import dev.hapax.flow.SubjectHash;
import dev.hapax.json.Json;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A request to erase what is stored about a person. It is remembered for good, so that a restored
 * backup loses the same values again.
 *
 * @param number the runs with a smaller number are erased; later ones were started after the
 *     request
 * @param externalIds whether the destinations' ids are erased too
 * @param scans whether every run and event is read for the person's id, because the index may not
 *     know them
 * @param endedAt when nothing was left to erase; null while something is
 * @param runs how many runs were erased
 */
public record ErasureRecord(
    long number,
    String tenant,
    SubjectHash subject,
    Instant at,
    String actor,
    String reason,
    boolean externalIds,
    boolean scans,
    @Nullable Instant endedAt,
    long runs) {
  /** The flow whose runs carry out the requests. */
  public static final String FLOW = Names.RESERVED + "erasure";

  /** The id of the public contract. */
  public String id() {
    return id(number);
  }

  public static String id(long number) {
    return "x-" + Long.toString(number, 36);
  }

  public static long number(String id) {
    try {
      if (id.startsWith("x-")) {
        return Long.parseLong(id.substring(2), 36);
      }
    } catch (NumberFormatException e) {
      // falls through to the one message
    }
    throw new IllegalArgumentException("erasure id: expected 'x-' and a number, got '" + id + "'");
  }

  /** One line of JSON, for the list that is kept outside the store. */
  public String line() {
    return Json.write(
        Map.of(
            "erasure", id(),
            "tenant", tenant,
            "subject", subject.hex(),
            "at", at.toString(),
            "actor", actor,
            "reason", reason,
            "externalIds", externalIds));
  }

  /** Reads such a line. */
  public static ErasureRecord parse(String line) {
    try {
      JsonNode members = Json.tree(line);
      return new ErasureRecord(
          number(members.path("erasure").asString()),
          members.path("tenant").asString(),
          new SubjectHash(members.path("subject").asString()),
          Instant.parse(members.path("at").asString()),
          members.path("actor").asString(),
          members.path("reason").asString(),
          members.path("externalIds").asBoolean(),
          true,
          null,
          0);
    } catch (RuntimeException e) {
      throw new IllegalArgumentException(
          "list of erasures: expected a line of JSON with erasure, tenant, subject, at, actor, reason and externalIds, as 'hapax subject erasures --all' writes it: "
              + e.getMessage(),
          e);
    }
  }

  /** The same request, of which nothing is left to erase. */
  public ErasureRecord ended(Instant when, long erased) {
    return new ErasureRecord(
        number, tenant, subject, at, actor, reason, externalIds, scans, when, erased);
  }

  /** The same request, which is to be carried out in a store that was restored. */
  public ErasureRecord again() {
    return new ErasureRecord(
        number, tenant, subject, at, actor, reason, externalIds, true, null, 0);
  }
}
