package dev.hapax.flow;

import dev.hapax.json.Digest;
import dev.hapax.json.Json;
import dev.hapax.json.NotSerializable;
import java.net.URI;
import java.util.HexFormat;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What reviews have in common: they come from one step of one flow, went to one destination and
 * have the same error.
 *
 * @param flow null if the record of the run has expired
 * @param destination the connection, or the host; null if it is unknown
 * @param error the evidence without what differs from case to case
 */
public record ReviewCause(
    @Nullable String flow, String step, @Nullable String destination, String error) {
  private static final int LONGEST_ERROR = 300;
  private static final Pattern QUOTED = Pattern.compile("'[^']{0,300}'|\"[^\"]{0,300}\"");

  /** Anything with a digit but the status of an answer, which is a cause of its own. */
  private static final Pattern NUMBERED =
      Pattern.compile("(?<!HTTP )(?<![\\w.:/-])[\\w.:/-]*\\d[\\w.:/-]*");

  /**
   * The cause of a review.
   *
   * @param owner the run that owns the effect; null if its record has expired
   */
  public static ReviewCause of(EffectRecord row, @Nullable Run owner) {
    return new ReviewCause(
        owner == null ? null : owner.flow(),
        row.step().name(),
        destination(row.request()),
        error(row.evidence()));
  }

  /** A short name for commands and filters, such as {@code JobSelection.cause}. */
  public String id() {
    byte[] hash =
        Digest.ofParts(
            flow == null ? "" : flow, step, destination == null ? "" : destination, error);
    return HexFormat.of().formatHex(hash, 0, 6);
  }

  private static @Nullable String destination(@Nullable String request) {
    if (request == null) {
      return null;
    }
    try {
      JsonNode sent = Json.tree(request);
      String connection = sent.path("connection").asString("");
      return connection.isEmpty() ? host(sent.path("target").asString("")) : connection;
    } catch (NotSerializable e) { // a large one is stored elsewhere
      return null;
    }
  }

  private static @Nullable String host(String target) {
    try {
      return target.isEmpty() ? null : URI.create(target).getHost();
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** Numbers, ids, times and quoted values differ from case to case. */
  static String error(@Nullable String evidence) {
    if (evidence == null) {
      return "";
    }
    String begin =
        evidence.length() <= LONGEST_ERROR ? evidence : evidence.substring(0, LONGEST_ERROR);
    String words = NUMBERED.matcher(QUOTED.matcher(begin).replaceAll("…")).replaceAll("#");
    return words.strip();
  }
}
