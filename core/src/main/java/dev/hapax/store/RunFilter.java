package dev.hapax.store;

import dev.hapax.run.Run;
import dev.hapax.run.RunStatus;
import org.jspecify.annotations.Nullable;

/**
 * Which runs to list; what is null does not filter.
 *
 * @param flow a flow's name, or its beginning and a {@code *}
 * @param parent only the children of the run with this number
 * @param before only runs with a smaller number, to page on
 * @param notOfRelease only runs of other releases than this
 */
public record RunFilter(
    String tenant,
    @Nullable String flow,
    @Nullable String key,
    @Nullable RunStatus status,
    @Nullable Long parent,
    @Nullable Long before,
    @Nullable Integer notOfRelease,
    int limit) {
  public RunFilter(
      String tenant,
      @Nullable String flow,
      @Nullable String key,
      @Nullable RunStatus status,
      @Nullable Long before,
      int limit) {
    this(tenant, flow, key, status, null, before, null, limit);
  }

  public static RunFilter of(String tenant) {
    return new RunFilter(tenant, null, null, null, null, 200);
  }

  public RunFilter status(RunStatus status) {
    return new RunFilter(tenant, flow, key, status, parent, before, notOfRelease, limit);
  }

  public RunFilter limit(int most) {
    return new RunFilter(tenant, flow, key, status, parent, before, notOfRelease, most);
  }

  /** Only runs of other releases. */
  public RunFilter notOfRelease(int release) {
    return new RunFilter(tenant, flow, key, status, parent, before, release, limit);
  }

  /** Only the runs that this one started as its children. */
  public RunFilter childrenOf(Run run) {
    return new RunFilter(tenant, flow, key, status, run.number(), before, notOfRelease, limit);
  }

  /** Whether a flow of this name is among those that are asked for. */
  public boolean admitsFlow(String name) {
    String asked = flow;
    if (asked == null) {
      return true;
    }
    return asked.endsWith("*")
        ? name.startsWith(asked.substring(0, asked.length() - 1))
        : name.equals(asked);
  }

  /** The same filter over what this tenant owns, whatever it named before. */
  public RunFilter ownedBy(String owner) {
    return new RunFilter(owner, flow, key, status, parent, before, notOfRelease, limit);
  }
}
