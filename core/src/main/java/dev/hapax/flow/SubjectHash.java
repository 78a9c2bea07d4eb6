package dev.hapax.flow;

import dev.hapax.json.Digest;
import java.util.HexFormat;

/**
 * A person of a tenant, as the store remembers them: SHA-256 of tenant and id, in hex. The id
 * itself is not stored.
 */
public record SubjectHash(String hex) {
  /** A longer text is no id of a person. */
  public static final int LONGEST_ID = 256;

  public SubjectHash {
    if (!hex.matches("[0-9a-f]{64}")) {
      throw new IllegalArgumentException(
          "hash of a subject: expected 64 digits of 0-9 and a-f, got %d characters"
              .formatted(hex.length()));
    }
  }

  /** The person with this id, such as a customer number or an e-mail address. */
  public static SubjectHash of(String tenant, String id) {
    return new SubjectHash(HexFormat.of().formatHex(Digest.ofParts("subject", tenant, id)));
  }

  /** Checks the id of a person. It appears in no message: it is personal itself. */
  public static String checked(String id) {
    if (id.isBlank() || id.length() > LONGEST_ID || id.indexOf(0) >= 0) {
      throw new IllegalArgumentException(
          "id of the subject: expected a text of 1 to %d characters".formatted(LONGEST_ID));
    }
    return id;
  }

  @Override
  public String toString() {
    return hex;
  }
}
