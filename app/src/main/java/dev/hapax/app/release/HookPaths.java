package dev.hapax.app.release;

import dev.hapax.app.data.Records;
import java.util.List;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The addresses of webhooks, as paths below {@code /hooks/}. Each belongs to one flow. Those of the
 * operator's tenant are the paths in its flow files. Those of any other tenant begin with its name,
 * so that no tenant can take an address that another one needs. A flow that had a path without the
 * name before this rule keeps it.
 */
public final class HookPaths {
  static final String OPERATOR = "default";

  /** Their events have sources of this form. */
  private static final String OF_QUEUES = "queue/";

  private static final Set<String> DOTS = Set.of("", ".", "..");

  private final Claims claims;
  private final Predicate<String> isTenant;
  private final BiPredicate<FlowName, Predicate<String>> usesPath;

  /**
   * The addresses of all flows.
   *
   * @param isTenant whether there is a tenant of this name
   * @param usesPath whether a release of a flow, live or newer, has a webhook with such a path
   */
  HookPaths(
      Claims claims,
      Predicate<String> isTenant,
      BiPredicate<FlowName, Predicate<String>> usesPath) {
    this.claims = claims;
    this.isTenant = isTenant;
    this.usesPath = usesPath;
  }

  /** Returns the flow that answers at this address; null if there is none. */
  public @Nullable FlowName owner(String address) {
    return claims.owner(Records.name(address));
  }

  /** Returns the flow of a tenant that has this path in its file; null if there is none. */
  public @Nullable FlowName owner(String tenant, String path) {
    FlowName asWritten = owner(path);
    return asWritten != null && asWritten.tenant().equals(tenant)
        ? asWritten
        : owner(withTenant(tenant, path));
  }

  /** Returns the address of a flow's webhook. */
  public String address(FlowName flow, String path) {
    return flow.equals(owner(path)) ? path : withTenant(flow.tenant(), path);
  }

  private static String withTenant(String tenant, String path) {
    return tenant.equals(OPERATOR) || path.startsWith(tenant + "/") ? path : tenant + "/" + path;
  }

  /** Takes the address of a webhook for a flow; returns what is in the way, or null. */
  @Nullable String take(FlowName flow, String path) {
    String address = address(flow, path);
    boolean isNew = !flow.equals(owner(path));
    if (isNew && List.of(path.split("/", -1)).stream().anyMatch(DOTS::contains)) {
      return "has an empty segment, or one of dots, which clients and proxies change on the way";
    }
    if (isNew && path.startsWith(OF_QUEUES)) {
      return "begins as the sources of queues in the inbox do";
    }
    if (isNew && flow.tenant().equals(OPERATOR) && isOfTenant(path)) {
      return "is below the name of a tenant, and only that tenant may use it";
    }
    // One of them may be an older claim: both would have the same source in the inbox.
    for (String name : new String[] {path, withTenant(flow.tenant(), path)}) {
      FlowName other = owner(name);
      if (other != null
          && !other.equals(flow)
          && other.tenant().equals(flow.tenant())
          && usesPath.test(other, path::equals)) {
        return takenBy(other, flow);
      }
    }
    FlowName other =
        claims.take(
            Records.name(address),
            flow,
            it ->
                usesPath.test(
                    it,
                    its -> its.equals(address) || withTenant(it.tenant(), its).equals(address)));
    return other == null ? null : takenBy(other, flow);
  }

  private boolean isOfTenant(String path) {
    int end = path.indexOf('/');
    String first = end < 0 ? "" : path.substring(0, end);
    return !first.isEmpty() && !first.equals(OPERATOR) && isTenant.test(first);
  }

  static String takenBy(FlowName owner, FlowName asks) {
    return "is taken by "
        + (owner.tenant().equals(asks.tenant()) ? owner : "a flow of another tenant");
  }
}
