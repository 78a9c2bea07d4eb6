package dev.hapax.flow;

import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which runs to list; null or empty does not filter.
 *
 * @param flow a flow's name, or its beginning and a {@code *}
 * @param statuses any of these: in one read, so that no run is missed that goes from one to another
 * @param parent only the children of the run with this number
 * @param before only runs with a smaller number, to page on
 * @param notOfRelease only runs of other releases than this
 * @param search for other properties
 */
public record RunFilter(
    String tenant,
    @Nullable String flow,
    @Nullable String key,
    Set<RunStatus> statuses,
    @Nullable Long parent,
    @Nullable Long before,
    @Nullable Integer notOfRelease,
    RunSearch search,
    int limit) {

  public RunFilter {
    var inOrder = EnumSet.noneOf(RunStatus.class); // so that every process prints the same order
    inOrder.addAll(statuses);
    statuses = Collections.unmodifiableSet(inOrder);
  }

  public RunFilter(
      String tenant,
      @Nullable String flow,
      @Nullable String key,
      @Nullable RunStatus status,
      @Nullable Long before,
      int limit) {
    this(
        tenant,
        flow,
        key,
        status == null ? Set.of() : Set.of(status),
        null,
        before,
        null,
        RunSearch.NONE,
        limit);
  }

  public static RunFilter of(String tenant) {
    return new RunFilter(tenant, null, null, null, null, 200);
  }

  /** Only runs of this flow, or of all flows that begin with the part before a {@code *}. */
  public RunFilter flow(String name) {
    return new RunFilter(tenant, name, key, statuses, parent, before, notOfRelease, search, limit);
  }

  /** Only runs with this key. */
  public RunFilter key(String business) {
    return new RunFilter(
        tenant, flow, business, statuses, parent, before, notOfRelease, search, limit);
  }

  public RunFilter status(RunStatus status) {
    return anyOf(Set.of(status));
  }

  /** Only runs with one of these statuses. */
  public RunFilter anyOf(Set<RunStatus> statuses) {
    return new RunFilter(tenant, flow, key, statuses, parent, before, notOfRelease, search, limit);
  }

  /** The page after the one that ended with the run with this number. */
  public RunFilter before(long number) {
    return new RunFilter(tenant, flow, key, statuses, parent, number, notOfRelease, search, limit);
  }

  public RunFilter limit(int most) {
    return new RunFilter(tenant, flow, key, statuses, parent, before, notOfRelease, search, most);
  }

  /** Only runs of other releases. */
  public RunFilter notOfRelease(int release) {
    return new RunFilter(tenant, flow, key, statuses, parent, before, release, search, limit);
  }

  /** Only the runs that this one started as its children. */
  public RunFilter childrenOf(Run run) {
    return new RunFilter(
        tenant, flow, key, statuses, run.number(), before, notOfRelease, search, limit);
  }

  /** Only runs that have these properties. */
  public RunFilter search(RunSearch wanted) {
    return new RunFilter(tenant, flow, key, statuses, parent, before, notOfRelease, wanted, limit);
  }

  /** Only runs whose searchable field has this value. */
  public RunFilter field(String name, String value) {
    var fields = new HashMap<>(search.fields());
    fields.put(name, value);
    return search(search.fields(fields));
  }

  /** Only runs that failed with this code. */
  public RunFilter error(String code) {
    return search(search.error(code));
  }

  /** Only runs that failed, and for which another try without a change could succeed; or not. */
  public RunFilter retryable(boolean wanted) {
    return search(search.retryable(wanted));
  }

  /** Whether the run is in the list, no matter on which page. */
  public boolean admits(Run run) {
    return run.tenant().equals(tenant)
        && admitsFlow(run.flow())
        && (key == null || key.equals(run.key()))
        && admits(run.status())
        && (parent == null || parent.equals(run.parent()))
        && (notOfRelease == null || run.release() != notOfRelease)
        && search.admits(run);
  }

  public boolean admits(RunStatus status) {
    return statuses.isEmpty() || statuses.contains(status);
  }

  /** Whether the filter includes a flow of this name. */
  public boolean admitsFlow(String name) {
    String asked = flow;
    if (asked == null) {
      return true;
    }
    return asked.endsWith("*")
        ? name.startsWith(asked.substring(0, asked.length() - 1))
        : name.equals(asked);
  }

  /** The same filter for the runs of this tenant, no matter which one it named. */
  public RunFilter ownedBy(String owner) {
    return new RunFilter(owner, flow, key, statuses, parent, before, notOfRelease, search, limit);
  }
}
