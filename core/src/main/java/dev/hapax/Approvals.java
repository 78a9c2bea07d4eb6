package dev.hapax;

import dev.hapax.engine.WaitControl;
import dev.hapax.flow.Decision;
import dev.hapax.json.Json;
import dev.hapax.run.Answer;
import dev.hapax.run.Run;
import dev.hapax.run.Wait;
import dev.hapax.store.ApprovalFilter;
import dev.hapax.store.Store;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where people see what runs ask them, and decide. Looking decides nothing. Safe for many threads.
 */
public final class Approvals {
  private final WaitControl control;
  private final Store store;
  private final String tenant;

  Approvals(WaitControl control, Store store, String tenant) {
    this.control = control;
    this.store = store;
    this.tenant = tenant;
  }

  /** A question to people, and how it stands. */
  public record Item(
      String id,
      String run,
      String step,
      @Nullable String item,
      int round,
      String ask,
      List<String> roles,
      boolean canRework,
      Wait.State state,
      Instant askedAt,
      @Nullable Instant expiresAt,
      @Nullable Decision decision) {}

  /**
   * What a decision has come to.
   *
   * @param state {@code decided}, {@code expired}, or {@code closed} if the run needs no decision
   *     any more: it is to be canceled, or has ended
   * @param isFirst whether this one decided; if not, the decision is the one that did
   */
  public record Receipt(
      Wait.State state, boolean isFirst, @Nullable Decision decision, @Nullable Instant at) {}

  /** A filter for this engine's tenant: what is open. */
  public ApprovalFilter open() {
    return ApprovalFilter.of(tenant).state(Wait.State.OPEN);
  }

  /** Newest first. */
  public List<Item> list(ApprovalFilter filter) {
    return store.waits().approvals(filter.ownedBy(tenant)).stream().map(this::item).toList();
  }

  public Item get(String id) {
    return item(control.approval(tenant, id));
  }

  /**
   * Decides; durable when it returns. Of several at once exactly one decides, and all hear its
   * decision.
   *
   * @throws WaitControl.Forbidden if the actor has none of the roles that may decide
   * @throws dev.hapax.engine.RunControl.NotPossible for a rework after the last round
   */
  public Receipt decide(String id, Verdict verdict) {
    Answer.Heard heard = control.decide(tenant, id, verdict.toDecision(), verdict.roles());
    return new Receipt(heard.state(), heard.isFirst(), read(heard.decision()), heard.at());
  }

  /** What somebody gives back to decide this one, without another credential. */
  public String link(String id) {
    return control.linkOf(control.approval(tenant, id));
  }

  /**
   * The approval behind a link; the link alone says whose it is, so this looks beyond the tenant.
   *
   * @throws dev.hapax.engine.RunControl.NotFound if nobody handed out this link
   */
  public Linked linked(String link) {
    Wait wait = control.linked(link);
    return new Linked(wait.tenant(), item(wait));
  }

  /** An approval and who owns it. */
  public record Linked(String tenant, Item item) {}

  private Item item(Wait wait) {
    Run run = store.run(wait.run());
    return new Item(
        wait.id(),
        run == null ? "" : run.id().toString(),
        wait.step().name(),
        wait.step().item(),
        wait.step().roundNumber(),
        String.valueOf(wait.ask()),
        wait.roles(),
        wait.canRework(),
        wait.state(),
        wait.createdAt(),
        wait.expiresAt(),
        read(wait.decision()));
  }

  private static @Nullable Decision read(@Nullable String decision) {
    return decision == null ? null : Json.read(decision, Decision.class);
  }
}
