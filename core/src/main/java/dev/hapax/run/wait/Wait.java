package dev.hapax.run.wait;

import dev.hapax.flow.DeciderLimits;
import dev.hapax.flow.Erased;
import dev.hapax.flow.Fingerprint;
import dev.hapax.flow.Step;
import dev.hapax.flow.TokenKeys;
import dev.hapax.flow.WaitState;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A run's wait for a system or for people, as the store holds it. It is durable before its token
 * leaves, so that an answer always finds it, also one that arrives before the run reaches the wait.
 *
 * @param number its place in the order of creation
 * @param token SHA-256 of the token of a callback or a link, which itself is stored nowhere; null
 *     for an approval
 * @param isAwaited whether the run has reached it, so that deciding it wakes the run
 * @param ask the question of an approval; of a link the person whom it is for, or null for anyone
 * @param roles the roles that may decide it; anyone if there are none
 * @param canRework whether another round may be asked for
 * @param expiresAt from when on it can no longer be decided; null while no run waits, or if it
 *     never expires
 * @param onExpire JSON text of the decision that the expiry of an approval means
 * @param op the group that settled it: the same means "mine" when a batch is sent again
 * @param decision JSON text of a callback's value, or of an approval's decision
 * @param by who decided an approval
 * @param laterAnswers answers that came after it was settled and changed nothing
 * @param keyVersion of the key that its token is made with
 * @param limits who may decide an approval, beside the roles
 */
public record Wait(
    long number,
    @Nullable Fingerprint token,
    String tenant,
    long run,
    Step step,
    Kind kind,
    WaitState state,
    boolean isAwaited,
    @Nullable String ask,
    List<String> roles,
    boolean canRework,
    Instant createdAt,
    @Nullable Instant expiresAt,
    @Nullable String onExpire,
    @Nullable Long op,
    @Nullable String decision,
    @Nullable String by,
    @Nullable Instant settledAt,
    long laterAnswers,
    int keyVersion,
    DeciderLimits limits) {

  /** The kind of answer that it waits for. */
  public enum Kind {
    CALLBACK,
    APPROVAL,
    /**
     * A person's decision about an effect in review, decided from the beginning; the run reads it.
     */
    REVIEW,
    /**
     * A link to an approval that was handed out before the run asks; the approval itself has
     * another row, from when on it is asked.
     */
    LINK;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    public static Kind of(String word) {
      return valueOf(word.toUpperCase(Locale.ROOT));
    }
  }

  /** An answer to a settled wait: it is kept, and changed nothing. */
  public record LaterAnswer(long number, Instant at, @Nullable String by, String decision) {}

  /** A callback whose token is about to be handed out, or whose run waits for it now. */
  public static Wait callback(
      long number,
      Fingerprint token,
      String tenant,
      long run,
      Step step,
      Instant createdAt,
      boolean isAwaited,
      @Nullable Instant expiresAt,
      int keyVersion) {
    return new Wait(
        number,
        token,
        tenant,
        run,
        step,
        Kind.CALLBACK,
        WaitState.OPEN,
        isAwaited,
        null,
        List.of(),
        false,
        createdAt,
        expiresAt,
        null,
        null,
        null,
        null,
        null,
        0,
        keyVersion,
        DeciderLimits.NONE);
  }

  /**
   * A link to the approval of a step, about to be handed out.
   *
   * @param approver whom it is for; null for anyone
   */
  public static Wait link(
      long number,
      Fingerprint token,
      String tenant,
      long run,
      Step step,
      @Nullable String approver,
      Instant createdAt,
      int keyVersion) {
    return new Wait(
        number,
        token,
        tenant,
        run,
        step,
        Kind.LINK,
        WaitState.OPEN,
        false,
        approver,
        List.of(),
        false,
        createdAt,
        null,
        null,
        null,
        null,
        null,
        null,
        0,
        keyVersion,
        DeciderLimits.NONE);
  }

  /** A question to people; its run waits for the answer. */
  public static Wait approval(
      long number,
      String tenant,
      long run,
      Step step,
      Question question,
      Instant createdAt,
      @Nullable Instant expiresAt,
      int keyVersion) {
    return new Wait(
        number,
        null,
        tenant,
        run,
        step,
        Kind.APPROVAL,
        WaitState.OPEN,
        true,
        question.ask(),
        question.roles(),
        question.canRework(),
        createdAt,
        expiresAt,
        question.onExpire(),
        null,
        null,
        null,
        null,
        0,
        keyVersion,
        question.limits());
  }

  /**
   * A person's decision about an effect in review, for a run that is in another node's memory.
   *
   * @param decision JSON text of the journal entry that the run writes when it learns of it
   */
  public static Wait decidedReview(
      long number, String tenant, long run, Step step, String decision, String actor, Instant at) {
    return new Wait(
        number,
        null,
        tenant,
        run,
        step,
        Kind.REVIEW,
        WaitState.DECIDED,
        true,
        null,
        List.of(),
        false,
        at,
        null,
        null,
        number,
        decision,
        actor,
        at,
        0,
        TokenKeys.OF_STORE,
        DeciderLimits.NONE);
  }

  /** Whether it is a decision that its run does not know yet. */
  public boolean isUnheardReview() {
    return kind == Kind.REVIEW && state == WaitState.DECIDED;
  }

  /** The question of an approval, who may decide it, and the meaning of its expiry. */
  public record Question(
      String ask, List<String> roles, boolean canRework, String onExpire, DeciderLimits limits) {}

  /** The id of the public contract. */
  public String id() {
    return id(number);
  }

  public static String id(long number) {
    return "w-" + Long.toString(number, 36);
  }

  public static long number(String id) {
    try {
      if (id.startsWith("w-")) {
        return Long.parseLong(id.substring(2), 36);
      }
    } catch (NumberFormatException e) {
      // falls through to the one message
    }
    throw new IllegalArgumentException("approval id: expected 'w-' and a number, got '" + id + "'");
  }

  public boolean isOpen() {
    return state == WaitState.OPEN;
  }

  boolean isExpiredAt(Instant now) {
    return expiresAt != null && !now.isBefore(expiresAt);
  }

  /** The run has reached it and waits. */
  public Wait awaited(@Nullable Instant until) {
    return with(state, true, until, op, decision, by, settledAt);
  }

  /** Its run no longer needs an answer. */
  public Wait closed(long closedBy, Instant at) {
    return with(WaitState.CLOSED, isAwaited, expiresAt, closedBy, null, null, at);
  }

  /** Its run goes on after a failure and will reach it again, and then set its expiry. */
  public Wait reopened() {
    return with(WaitState.OPEN, isAwaited, null, null, null, null, null);
  }

  Wait settled(
      WaitState to, long settledBy, @Nullable String value, @Nullable String actor, Instant at) {
    return with(to, isAwaited, expiresAt, settledBy, value, actor, at);
  }

  public Wait withLaterAnswers(long count) {
    return new Wait(
        number,
        token,
        tenant,
        run,
        step,
        kind,
        state,
        isAwaited,
        ask,
        roles,
        canRework,
        createdAt,
        expiresAt,
        onExpire,
        op,
        decision,
        by,
        settledAt,
        count,
        keyVersion,
        limits);
  }

  /** The same wait without its values. The person who decided it stays. */
  public Wait erased() {
    return new Wait(
        number,
        token,
        tenant,
        run,
        Erased.step(run, step),
        kind,
        state,
        isAwaited,
        Erased.text(ask),
        roles,
        canRework,
        createdAt,
        expiresAt,
        Erased.decision(onExpire),
        op,
        Erased.decision(decision),
        Erased.by(decision, by),
        settledAt,
        laterAnswers,
        keyVersion,
        limits);
  }

  private Wait with(
      WaitState to,
      boolean awaited,
      @Nullable Instant until,
      @Nullable Long settledBy,
      @Nullable String value,
      @Nullable String actor,
      @Nullable Instant at) {
    return new Wait(
        number,
        token,
        tenant,
        run,
        step,
        kind,
        to,
        awaited,
        ask,
        roles,
        canRework,
        createdAt,
        until,
        onExpire,
        settledBy,
        value,
        actor,
        at,
        laterAnswers,
        keyVersion,
        limits);
  }
}
