package dev.hapax.app.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonRawValue;
import dev.hapax.Approvals;
import dev.hapax.flow.Decision;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A question to people, and its state.
 *
 * @param notByStarter whether the caller who started the run may not decide it
 * @param requireToken whether a link decides nothing without a token
 * @param link any holder can decide with it; only for callers who may decide themselves
 */
public record ApprovalView(
    String id,
    String run,
    String step,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String item,
    int round,
    String ask,
    List<String> roles,
    boolean canRework,
    boolean notByStarter,
    boolean requireToken,
    String state,
    Instant askedAt,
    @Nullable Instant expiresAt,
    @Nullable DecisionView decision,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String link) {

  /**
   * A decision and its maker.
   *
   * @param claimed true if the maker only says who they are, as behind a link; absent if proven
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record DecisionView(
      String decision,
      @Nullable String by,
      @Nullable String comment,
      @Nullable @JsonRawValue String values,
      @Nullable Boolean claimed) {

    public static @Nullable DecisionView of(@Nullable Decision decision) {
      return decision == null
          ? null
          : new DecisionView(
              decision.decision().word(),
              decision.by(),
              decision.comment(),
              JsonText.raw(decision.values()),
              decision.claimed());
    }
  }

  public static ApprovalView of(Approvals.Item item, @Nullable String link) {
    return new ApprovalView(
        item.id(),
        item.run(),
        item.step(),
        item.item(),
        item.round(),
        item.ask(),
        item.roles(),
        item.canRework(),
        item.limits().notByStarter(),
        item.limits().needsToken(),
        item.state().word(),
        item.askedAt(),
        item.expiresAt(),
        DecisionView.of(item.decision()),
        link);
  }
}
