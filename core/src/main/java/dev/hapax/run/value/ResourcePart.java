package dev.hapax.run.value;

import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A part of a value on its way into the store. Parts of one content are always cut alike, so
 * storing it again, from anywhere, stores the same rows; most values are one part.
 *
 * @param number for the resource's row, if this part makes it
 * @param size of the whole, in bytes
 * @param index of this part, from 0
 */
@SuppressWarnings("ArrayRecordComponent") // a megabyte is not copied; nothing changes it
public record ResourcePart(
    long number,
    String tenant,
    ResourceRef ref,
    String contentType,
    int size,
    int index,
    byte[] bytes) {

  /** The part of a value that one commit carries: larger ones would delay other commits. */
  public static final int LARGEST = 1 << 20;

  /** How long a value without references stays after it was last put. */
  public static final Duration GRACE = Duration.ofHours(24);

  /** The part of this index. */
  public static ResourcePart of(
      long number, String tenant, ResourceRef ref, String contentType, byte[] content, int index) {
    int from = index * LARGEST;
    byte[] bytes =
        content.length <= LARGEST
            ? content
            : Arrays.copyOfRange(content, from, Math.min(content.length, from + LARGEST));
    return new ResourcePart(number, tenant, ref, contentType, content.length, index, bytes);
  }

  /** How many parts a content of this size has; an empty one has one, too. */
  public static int count(int size) {
    return Math.max(1, Math.ceilDiv(size, LARGEST));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ResourcePart part
        && tenant.equals(part.tenant)
        && ref.equals(part.ref)
        && index == part.index;
  }

  @Override
  public int hashCode() {
    return 31 * ref.hashCode() + index;
  }

  @Override
  public String toString() {
    return "part " + index + " of " + ref;
  }
}
