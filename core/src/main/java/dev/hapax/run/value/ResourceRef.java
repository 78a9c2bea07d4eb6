package dev.hapax.run.value;

import dev.hapax.json.Digest;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The name of a stored value: {@code res://} and the SHA-256 of its bytes in hex. No JSON text
 * begins like this, so a stored text is either JSON or the reference to one.
 */
public record ResourceRef(String hex) {
  private static final String SCHEME = "res://";
  private static final Pattern HEX = Pattern.compile("[0-9a-f]{64}");
  private static final Pattern REF = Pattern.compile(SCHEME + "([0-9a-f]{64})(?![0-9a-zA-Z])");

  public static ResourceRef to(byte[] content) {
    return new ResourceRef(HexFormat.of().formatHex(Digest.sha256(content)));
  }

  public static ResourceRef parse(String text) {
    if (!isRef(text) || !HEX.matcher(text.substring(SCHEME.length())).matches()) {
      String shown = text.length() <= 100 ? text : text.substring(0, 100) + "…";
      throw new IllegalArgumentException(
          "reference of a resource: expected 'res://' and 64 characters of 0-9 and a-f, got '%s'"
              .formatted(shown));
    }
    return new ResourceRef(text.substring(SCHEME.length()));
  }

  /** Whether a stored text is a reference, and not JSON. */
  public static boolean isRef(@Nullable String stored) {
    return stored != null && stored.startsWith(SCHEME);
  }

  /** Every reference that occurs in the text; nearly always none. */
  public static List<ResourceRef> in(@Nullable String text) {
    if (text == null || !text.contains(SCHEME)) {
      return List.of();
    }
    Set<ResourceRef> found = new LinkedHashSet<>();
    for (Matcher refs = REF.matcher(text); refs.find(); ) {
      found.add(new ResourceRef(refs.group(1)));
    }
    return List.copyOf(found);
  }

  public byte[] bytes() {
    return HexFormat.of().parseHex(hex);
  }

  @Override
  public String toString() {
    return SCHEME + hex;
  }
}
