package dev.hapax.flow;

import org.jspecify.annotations.Nullable;

/**
 * Which approvals to list; null does not filter.
 *
 * @param role only those that this role may decide
 * @param before only those with a smaller number, to page on
 */
public record ApprovalFilter(
    String tenant,
    @Nullable String role,
    @Nullable WaitState state,
    @Nullable Long before,
    int limit) {
  public static ApprovalFilter of(String tenant) {
    return new ApprovalFilter(tenant, null, null, null, 200);
  }

  public ApprovalFilter role(String decider) {
    return new ApprovalFilter(tenant, decider, state, before, limit);
  }

  public ApprovalFilter state(WaitState wanted) {
    return new ApprovalFilter(tenant, role, wanted, before, limit);
  }

  /** The page after the one that ended with this one. */
  public ApprovalFilter before(long number) {
    return new ApprovalFilter(tenant, role, state, number, limit);
  }

  public ApprovalFilter limit(int most) {
    return new ApprovalFilter(tenant, role, state, before, most);
  }

  /** The same filter for the approvals of this tenant, no matter which one it named. */
  public ApprovalFilter ownedBy(String owner) {
    return new ApprovalFilter(owner, role, state, before, limit);
  }
}
