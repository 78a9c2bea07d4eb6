package dev.hapax.effect;

import dev.hapax.flow.NotApplied;
import dev.hapax.flow.Rejected;
import dev.hapax.json.NotSerializable;
import dev.hapax.json.Text;
import dev.hapax.store.NoAnswer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What became of one attempt. It speaks for this attempt only. */
sealed interface AnswerMeaning {
  /** It happened, and this is its result as JSON text. */
  record Done(String output) implements AnswerMeaning {}

  /** It happened, but its result cannot be stored. */
  record DoneUnreadable(String evidence) implements AnswerMeaning {}

  /** Nothing happened; worth another try. */
  record Nothing(String evidence, @Nullable Duration retryAfter) implements AnswerMeaning {}

  /** Our own store could not tell what the call needs, so that it was not made. */
  record NotCalled(String evidence) implements AnswerMeaning {}

  /** Nothing happened, and the same request never will. */
  record Refusal(String code, String evidence) implements AnswerMeaning {}

  /**
   * A mistake in the program ended the attempt: another one would end the same way, and what it did
   * before that may have happened.
   */
  record Mistake(String code, String evidence) implements AnswerMeaning {}

  /** Nobody knows. */
  record Ambiguous(String evidence, @Nullable Duration retryAfter, boolean repeatTells)
      implements AnswerMeaning {
    Ambiguous(String evidence, @Nullable Duration retryAfter) {
      this(evidence, retryAfter, true);
    }

    Ambiguous(String evidence) {
      this(evidence, null);
    }
  }

  /** Whether the destination works: a refusal is an answer, a reset or a closed door is none. */
  default boolean isAnswer() {
    return switch (this) {
      case Done _, DoneUnreadable _, Refusal _, Mistake _ -> true;
      case Nothing _, Ambiguous _, NotCalled _ -> retryAfter() != null;
    };
  }

  /** How long the destination asks to be left alone; null if it does not. */
  default @Nullable Duration retryAfter() {
    return null;
  }

  /**
   * What an exception of a sender means: NotApplied retries, Rejected is final, anything else is
   * ambiguous.
   */
  static AnswerMeaning of(Throwable thrown) {
    return switch (thrown) {
      case NotApplied nothing when NoAnswer.behind(nothing) != null -> new NotCalled(said(nothing));
      case NotApplied nothing -> new Nothing(said(nothing), nothing.retryAfter());
      case Rejected refusal -> new Refusal(refusal.code(), said(refusal));
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

  /** The sender returned, so it happened; only its result is the trouble. */
  final class ResultRefused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ResultRefused(NotSerializable cause) {
      super("it returned, but its result cannot be stored: " + cause.getMessage(), cause);
    }
  }
}
