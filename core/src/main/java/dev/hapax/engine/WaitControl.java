package dev.hapax.engine;

import dev.hapax.flow.Decision;
import dev.hapax.json.Json;
import dev.hapax.json.Text;
import dev.hapax.run.Answer;
import dev.hapax.run.Wait;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.Store;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
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

  public WaitControl(Engine engine, Store store) {
    this.engine = engine;
    this.store = store;
  }

  /** Answers the callback of this token with a value as JSON text. */
  public Answer.Heard answer(String tenant, String token, String value) {
    Wait wait = store.waits().find(Tokens.hash(token));
    if (wait == null || !wait.tenant().equals(tenant)) {
      throw noSuchToken();
    }
    Answer.Heard heard = submit(new Change.AnswerWait(wait.number(), value, null));
    if (heard == null) {
      throw noSuchToken();
    }
    return heard;
  }

  /** Returns the callback of this token, of any tenant. */
  public Wait callback(String token) {
    Wait wait = store.waits().find(Tokens.hash(token));
    if (wait == null) {
      throw noSuchToken();
    }
    return wait;
  }

  /** Returns the secret of the link to this approval. */
  public String linkOf(Wait approval) {
    return approval.id() + "." + engine.tokens().ofApproval(approval);
  }

  /** Returns the approval of a link, of any tenant. */
  public Wait linked(String link) {
    int end = link.indexOf('.');
    Wait wait = end < 0 ? null : approvalOf(link.substring(0, end));
    if (wait == null || !isSame(engine.tokens().ofApproval(wait), link.substring(end + 1))) {
      throw new RunControl.NotFound("there is no approval behind this link");
    }
    return wait;
  }

  private @Nullable Wait approvalOf(String id) {
    try {
      Wait wait = store.waits().find(Wait.number(id));
      return wait == null || wait.kind() != Wait.Kind.APPROVAL ? null : wait;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static boolean isSame(String expected, String given) {
    return MessageDigest.isEqual(
        expected.getBytes(StandardCharsets.UTF_8), given.getBytes(StandardCharsets.UTF_8));
  }

  /** Leaves out the token, because a reader of the message may not know it. */
  private static RunControl.NotFound noSuchToken() {
    return new RunControl.NotFound("there is no callback with this token");
  }

  /** Returns the approval of this id in its current state. */
  public Wait approval(String tenant, String id) {
    Wait wait = store.waits().find(Wait.number(id));
    if (wait == null || wait.kind() != Wait.Kind.APPROVAL || !wait.tenant().equals(tenant)) {
      throw new RunControl.NotFound("there is no approval " + id);
    }
    return wait;
  }

  /** Decides an approval, if the caller has one of the roles that it asks for. */
  public Answer.Heard decide(String tenant, String id, Decision decision, Set<String> roles) {
    refuseUnstorable(decision);
    Wait wait = approval(tenant, id);
    if (!wait.roles().isEmpty() && Collections.disjoint(wait.roles(), roles)) {
      throw new Forbidden(
          "approval %s is for %s; '%s' has %s and decided nothing"
              .formatted(id, wait.roles(), decision.by(), roles.isEmpty() ? "no role" : roles));
    }
    if (wait.isOpen() && decision.decision() == Decision.Choice.REWORK && !wait.canRework()) {
      throw new RunControl.NotPossible(
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
      throw new RunControl.NotFound("there is no approval " + id);
    }
    return heard;
  }

  private static void refuseUnstorable(Decision decision) {
    String by = decision.by();
    String comment = decision.comment();
    if (by == null || by.isBlank() || !Text.isStorable(by)) {
      throw new IllegalArgumentException(
          "a decision needs to say who decides: it stays in the history");
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
    return switch (engine.committer().submit(group).await()) {
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
          throw new IllegalArgumentException("the store refuses this answer: " + problem);
    };
  }

  /** The caller may not decide this approval. */
  public static final class Forbidden extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Forbidden(String message) {
      super(message);
    }
  }
}
