package dev.hapax.effect;

import dev.hapax.flow.NoAnswer;
import dev.hapax.flow.NotApplied;
import dev.hapax.flow.Rejected;
import dev.hapax.json.NotSerializable;
import dev.hapax.json.Text;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The meaning of the answer to one attempt. It applies to this attempt only. */
sealed interface AnswerMeaning {
  /** It happened, with this result as JSON text. */
  record Done(String output) implements AnswerMeaning {}

  /** It happened, but its result cannot be stored. */
  record DoneUnreadable(String evidence) implements AnswerMeaning {}

  /** Nothing happened; worth another try. */
  record Nothing(String evidence, @Nullable Duration retryAfter) implements AnswerMeaning {}

  /**
   * Our own store, or a source of secrets, could not provide what the call needs, so the call was
   * not made.
   *
   * @param pause before the next try; null for a short one
   */
  record NotCalled(String evidence, @Nullable Duration pause) implements AnswerMeaning {}

  /**
   * Nothing happened, and the same request will never succeed.
   *
   * @param isStored whether the destination repeats its one answer to all requests with this key
   */
  record Refusal(String code, String evidence, boolean isStored) implements AnswerMeaning {}

  /**
   * A mistake in the program ended the attempt. Another attempt would end the same way, and this
   * one may have happened.
   */
  record Mistake(String code, String evidence) implements AnswerMeaning {}

  /** It is unknown whether it happened. */
  record Ambiguous(String evidence, @Nullable Duration retryAfter, boolean repeatTells)
      implements AnswerMeaning {
    Ambiguous(String evidence, @Nullable Duration retryAfter) {
      this(evidence, retryAfter, true);
    }

    Ambiguous(String evidence) {
      this(evidence, null);
    }
  }

  /** Whether the destination works: a refusal is an answer, a failed connection is not. */
  default boolean isAnswer() {
    return switch (this) {
      case Done _, DoneUnreadable _, Refusal _, Mistake _ -> true;
      case Nothing _, Ambiguous _, NotCalled _ -> retryAfter() != null;
    };
  }

  /** How long the destination asks for a pause; null if it does not. */
  default @Nullable Duration retryAfter() {
    return null;
  }

  /**
   * Returns the meaning of a sender's exception: NotApplied retries, Rejected is final, anything
   * else is ambiguous.
   */
  static AnswerMeaning of(Throwable thrown) {
    return switch (thrown) {
      case NotApplied nothing when NoAnswer.behind(nothing) != null ->
          new NotCalled(said(nothing), nothing.retryAfter());
      case NotApplied nothing -> new Nothing(said(nothing), nothing.retryAfter());
      case Rejected refusal -> new Refusal(refusal.code(), said(refusal), refusal.isStored());
      case dev.hapax.flow.Ambiguous unknown ->
          new Ambiguous(said(unknown), unknown.retryAfter(), unknown.repeatTells());
      case ResultRefused refused -> new DoneUnreadable(said(refused));
      default -> ofOther(thrown);
    };
  }

  private static AnswerMeaning ofOther(Throwable thrown) {
    WrongThread mistake = WrongThread.behind(thrown);
    return mistake == null
        ? new Ambiguous(thrown.getClass().getName() + ": " + said(thrown))
        : new Mistake("wrong-thread", said(mistake));
  }

  private static String said(Throwable thrown) {
    String message = Text.messageOf(thrown);
    return message.equals("null") ? thrown.getClass().getSimpleName() : Text.storable(message);
  }

  /** The sender returned, so it happened; only its result cannot be stored. */
  final class ResultRefused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ResultRefused(NotSerializable cause) {
      super("the call returned, but its result cannot be stored: " + cause.getMessage(), cause);
    }
  }
}
