package dev.hapax.flow;

import org.jspecify.annotations.Nullable;

/**
 * A gate or a lock for which runs wait in line.
 *
 * @param flow whose gate it is; null for a lock
 * @param key of the lock, or of a gate that counts per key
 * @param limit how many may hold it at once
 * @param release of the flow that says so; a higher one overrides it
 */
public record Line(
    Subject subject,
    String tenant,
    @Nullable String flow,
    @Nullable String key,
    int limit,
    int release) {

  public static Line lock(String tenant, String key) {
    return new Line(Subject.lock(tenant, key), tenant, null, key, 1, 0);
  }

  public boolean isLock() {
    return flow == null;
  }

  /** The same line under the limit that is in force there already. */
  public Line under(int heldLimit, int heldRelease) {
    return new Line(subject, tenant, flow, key, heldLimit, heldRelease);
  }
}
