package dev.hapax;

import dev.hapax.engine.control.WaitControl;
import dev.hapax.flow.ApprovalFilter;
import dev.hapax.flow.DeciderLimits;
import dev.hapax.flow.Decision;
import dev.hapax.flow.Forbidden;
import dev.hapax.flow.Run;
import dev.hapax.flow.WaitState;
import dev.hapax.json.Json;
import dev.hapax.run.journal.Answer;
import dev.hapax.run.wait.Wait;
import dev.hapax.store.Store;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lists the approvals that runs wait for and records people's decisions. Reading an approval does
 * not decide it. Safe for many threads.
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

  /** A question to people, and its current state. */
  public record Item(
      String id,
      String run,
      String step,
      @Nullable String item,
      int round,
      String ask,
      List<String> roles,
      boolean canRework,
      DeciderLimits limits,
      WaitState state,
      Instant askedAt,
      @Nullable Instant expiresAt,
      @Nullable Decision decision) {}

  /**
   * The outcome of a decision.
   *
   * @param state {@code decided}, {@code expired}, or {@code closed} if the run no longer needs a
   *     decision: it is being canceled, or has ended
   * @param isFirst whether this decision counted; if not, {@code decision} is the one that did
   */
  public record Receipt(
      WaitState state, boolean isFirst, @Nullable Decision decision, @Nullable Instant at) {}

  /** Returns a filter for the open approvals of this engine's tenant. */
  public ApprovalFilter open() {
    return ApprovalFilter.of(tenant).state(WaitState.OPEN);
  }

  /** Returns the matching approvals, newest first. */
  public List<Item> list(ApprovalFilter filter) {
    return store.waits().approvals(filter.ownedBy(tenant)).stream().map(this::item).toList();
  }

  public Item get(String id) {
    return item(control.approval(tenant, id));
  }

  /**
   * Decides the approval. The decision is durable when this returns. If several callers decide at
   * once, exactly one decision counts, and all callers get that decision.
   *
   * @throws Forbidden if the actor has none of the roles that may decide, has started the run, or
   *     only claims an identity, and the approval forbids it
   * @throws dev.hapax.flow.NotPossible for a rework after the last round
   */
  public Receipt decide(String id, Verdict verdict) {
    Answer.Heard heard =
        control.decide(tenant, id, verdict.toDecision(), verdict.actorId(), verdict.roles());
    return new Receipt(heard.state(), heard.isFirst(), read(heard.decision()), heard.at());
  }

  /**
   * Returns whether this caller has started a run or a run above it, or has corrected its input.
   *
   * @param credential of the caller, as {@link dev.hapax.flow.Caller#id()}
   */
  public boolean isStarter(Run run, String credential, String name) {
    return control.isStarter(run, credential, name);
  }

  /** Returns a link that lets its holder decide this approval without another credential. */
  public String link(String id) {
    return control.linkOf(control.approval(tenant, id));
  }

  /**
   * Returns the approval behind a link. The link alone names the tenant, so this searches all
   * tenants.
   *
   * @throws dev.hapax.flow.NotFound if this link was never handed out
   */
  public Linked linked(String link) {
    WaitControl.Linked linked = control.linked(link);
    Wait asked = linked.approval();
    Run run = store.run(linked.run());
    return new Linked(
        linked.tenant(),
        run == null ? "" : run.id().toString(),
        asked == null ? null : item(asked),
        linked.approver());
  }

  /**
   * Returns whether a flow has handed out this text as a link to an approval, of any tenant. Such a
   * text is a credential, so a view that shows values to programs leaves it out.
   */
  public boolean isLink(String text) {
    return control.isLink(text);
  }

  /**
   * An approval and the tenant that owns it.
   *
   * @param item null if the run has not asked yet: its flow sent the link before
   * @param approver whom the flow made the link for; null for anyone
   */
  public record Linked(String tenant, String run, @Nullable Item item, @Nullable String approver) {}

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
        wait.limits(),
        wait.state(),
        wait.createdAt(),
        wait.expiresAt(),
        read(wait.decision()));
  }

  private static @Nullable Decision read(@Nullable String decision) {
    return decision == null ? null : Json.read(decision, Decision.class);
  }
}
