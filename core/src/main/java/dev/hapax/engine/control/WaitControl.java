package dev.hapax.engine.control;

import dev.hapax.engine.Engine;
import dev.hapax.engine.parts.Tokens;
import dev.hapax.flow.Decision;
import dev.hapax.flow.Forbidden;
import dev.hapax.flow.NotFound;
import dev.hapax.flow.NotPossible;
import dev.hapax.flow.Run;
import dev.hapax.flow.StoppedDuplicate.Door;
import dev.hapax.flow.WaitState;
import dev.hapax.json.Json;
import dev.hapax.json.Text;
import dev.hapax.run.journal.Answer;
import dev.hapax.run.wait.Wait;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.Store;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Answers the waits of a run, for systems and people. Each answer is durable when its method
 * returns, also one that changes nothing.
 */
public final class WaitControl {
  private final Engine engine;
  private final Store store;
  private final Starters starters;

  public WaitControl(Engine engine, Store store) {
    this.engine = engine;
    this.store = store;
    this.starters = new Starters(store);
  }

  /** Answers the callback of this token with a value as JSON text. */
  public Answer.Heard answer(String tenant, String token, String value) {
    Wait wait = callback(token);
    if (!wait.tenant().equals(tenant)) {
      throw noSuchToken();
    }
    Answer.Heard heard = submit(new Change.AnswerWait(wait.number(), value, null));
    if (heard == null) {
      throw noSuchToken();
    }
    countAgain(wait, heard, "callback of step " + wait.step());
    return heard;
  }

  /** An answer that comes too late for another reason is no duplicate. */
  private void countAgain(Wait wait, Answer.Heard heard, String caller) {
    if (!heard.isFirst() && heard.state() == WaitState.DECIDED) {
      engine.stopped(wait.run(), Door.ANSWER, caller);
    }
  }

  /** Returns the callback of this token, of any tenant. */
  public Wait callback(String token) {
    Wait wait = store.waits().find(Tokens.hash(token));
    if (wait == null || wait.kind() != Wait.Kind.CALLBACK || engine.tokens().isRevoked(wait)) {
      throw noSuchToken();
    }
    return wait;
  }

  /** Returns the secret of the link to this approval. */
  public String linkOf(Wait approval) {
    return approval.id() + "." + engine.tokens().ofApproval(approval);
  }

  /**
   * What a link leads to, of any tenant.
   *
   * @param approval null if its run has not asked yet
   * @param approver whom the link is for; null for anyone
   */
  public record Linked(
      String tenant, long run, @Nullable Wait approval, @Nullable String approver) {}

  /** Returns what this link leads to: one that a person asked for, or one that a flow sent. */
  public Linked linked(String link) {
    int end = link.indexOf('.');
    if (end < 0) {
      return sentLink(link);
    }
    Wait wait = approvalOf(link.substring(0, end));
    if (wait == null || !engine.tokens().isOfApproval(wait, link.substring(end + 1))) {
      throw noSuchLink();
    }
    return new Linked(wait.tenant(), wait.run(), wait, null);
  }

  private Linked sentLink(String token) {
    Wait link = store.waits().find(Tokens.hash(token));
    if (link == null || link.kind() != Wait.Kind.LINK || engine.tokens().isRevoked(link)) {
      throw noSuchLink();
    }
    Wait asked = store.waits().approval(link.run(), link.step());
    return new Linked(link.tenant(), link.run(), asked, link.ask());
  }

  /** Returns whether a flow has handed out this token as a link to an approval. */
  public boolean isLink(String token) {
    Wait link = store.waits().find(Tokens.hash(token));
    return link != null && link.kind() == Wait.Kind.LINK;
  }

  /** Leaves out the link, because a reader of the message may not know it. */
  private static NotFound noSuchLink() {
    return new NotFound("there is no approval behind this link");
  }

  private @Nullable Wait approvalOf(String id) {
    try {
      Wait wait = store.waits().find(Wait.number(id));
      return wait == null || wait.kind() != Wait.Kind.APPROVAL ? null : wait;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** Leaves out the token, because a reader of the message may not know it. */
  private static NotFound noSuchToken() {
    return new NotFound("there is no callback with this token");
  }

  /** Returns the approval of this id in its current state. */
  public Wait approval(String tenant, String id) {
    Wait wait = store.waits().find(Wait.number(id));
    if (wait == null || wait.kind() != Wait.Kind.APPROVAL || !wait.tenant().equals(tenant)) {
      throw new NotFound("there is no approval " + id, wait == null ? null : wait.tenant());
    }
    return wait;
  }

  /**
   * Decides an approval, if the actor has one of the roles that it asks for, and is not otherwise
   * excluded.
   *
   * @param actorId of the actor's credential; null if only the name is known
   */
  public Answer.Heard decide(
      String tenant, String id, Decision decision, @Nullable String actorId, Set<String> roles) {
    refuseUnstorable(decision);
    Wait wait = approval(tenant, id);
    refuseExcluded(wait, decision, actorId);
    if (!wait.roles().isEmpty() && Collections.disjoint(wait.roles(), roles)) {
      throw new Forbidden(
          "approval %s needs one of the roles %s, but '%s' has %s. Nothing was decided"
              .formatted(id, wait.roles(), decision.by(), roles.isEmpty() ? "no role" : roles));
    }
    if (wait.isOpen() && decision.decision() == Decision.Choice.REWORK && !wait.canRework()) {
      throw new NotPossible(
          "approval %s cannot be sent back for rework: %s. Approve or reject it."
              .formatted(
                  id,
                  wait.step().round() == null
                      ? "its flow allows one round"
                      : "round %d was its last".formatted(wait.step().round())));
    }
    Answer.Heard heard =
        submit(new Change.AnswerWait(wait.number(), Json.write(decision), decision.by()));
    if (heard == null) {
      throw new NotFound("there is no approval " + id);
    }
    countAgain(wait, heard, "approval of step %s, by %s".formatted(wait.step(), decision.by()));
    return heard;
  }

  private void refuseExcluded(Wait wait, Decision decision, @Nullable String actorId) {
    if (!wait.limits().needsProof()) {
      return;
    }
    if (decision.onlyClaims()) {
      throw new Forbidden(
          "approval %s needs the token of the person who decides: a link does not prove who uses it. Nothing was decided"
              .formatted(wait.id()));
    }
    if (wait.limits().notByStarter()
        && starters.isOne(wait.run(), actorId, String.valueOf(decision.by()))) {
      throw new Forbidden(
          "approval %s needs another person: '%s' has started the run or corrected its input. Nothing was decided"
              .formatted(wait.id(), decision.by()));
    }
  }

  /** Returns whether this caller has started a run, or a run above it, or corrected its input. */
  public boolean isStarter(Run run, String credential, String name) {
    return starters.isOne(run.number(), credential, name);
  }

  private static void refuseUnstorable(Decision decision) {
    String by = decision.by();
    String comment = decision.comment();
    if (by == null || by.isBlank() || !Text.isStorable(by)) {
      throw new IllegalArgumentException(
          "by: expected the name of the person who decides, for the history");
    }
    if (comment != null && !Text.isStorable(comment)) {
      throw new IllegalArgumentException(
          "comment: expected at most 10,000 characters without NUL and lone surrogates");
    }
  }

  /** Null if the wait is gone. */
  private Answer.@Nullable Heard submit(Change change) {
    engine.refuseIfClosed();
    var group = Group.always(engine.ids().next(), engine.clock().now(), List.of(change));
    return switch (engine.committer().commit(group)) {
      case GroupAnswer.Landed landed -> (Answer.Heard) landed.answers().getFirst();
      case GroupAnswer.Lost _ -> null;
      case GroupAnswer.Exists _,
          GroupAnswer.Expired _,
          GroupAnswer.Queued _,
          GroupAnswer.Busy _,
          GroupAnswer.Blocked _,
          GroupAnswer.NoSpace _ ->
          throw new IllegalStateException("nothing was inserted");
      case GroupAnswer.Refused(var problem) ->
          throw new IllegalArgumentException("the store refused this answer: " + problem);
    };
  }
}
