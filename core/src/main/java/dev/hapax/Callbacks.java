package dev.hapax;

import dev.hapax.effect.Payload;
import dev.hapax.engine.control.WaitControl;
import dev.hapax.flow.NotFound;
import dev.hapax.flow.Run;
import dev.hapax.flow.WaitState;
import dev.hapax.run.journal.Answer;
import dev.hapax.run.wait.Wait;
import dev.hapax.store.Store;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Accepts the answers of outside systems that runs wait for. Safe for many threads. */
public final class Callbacks {
  private final WaitControl control;
  private final Store store;
  private final String tenant;

  Callbacks(WaitControl control, Store store, String tenant) {
    this.control = control;
    this.store = store;
    this.tenant = tenant;
  }

  /**
   * The outcome of an answer.
   *
   * @param state {@code decided}, {@code expired}, or {@code closed} if the run no longer needs an
   *     answer
   * @param isFirst whether this answer counted; if not, {@code value} is the answer that did
   * @param value JSON text; null if it expired or was closed
   */
  public record Receipt(
      WaitState state, boolean isFirst, @Nullable String value, @Nullable Instant at) {}

  /**
   * The run and tenant that a token belongs to. The token alone names them, so this can be another
   * tenant.
   *
   * @param run the id of the run that waits, or will
   * @param isOpen whether an answer would still count
   */
  public record Owner(
      String tenant, String run, String flow, int release, String step, boolean isOpen) {}

  /**
   * Returns the run that handed out this token, of any tenant.
   *
   * @throws dev.hapax.flow.NotFound if no run did
   */
  public Owner owner(String token) {
    Wait wait = control.callback(token);
    Run run = store.run(wait.run());
    if (run == null) {
      throw new NotFound("there is no callback with this token");
    }
    return new Owner(
        wait.tenant(),
        run.id().toString(),
        run.flow(),
        run.release(),
        wait.step().name(),
        wait.isOpen());
  }

  /**
   * Answers the callback of this token. The answer is durable when this returns. The first answer
   * counts, however early it arrives. A later answer changes nothing, and its caller gets the first
   * one.
   *
   * @throws dev.hapax.flow.NotFound if no run handed out this token
   */
  public Receipt answer(String token, @Nullable Object value) {
    Answer.Heard heard = control.answer(tenant, token, Payload.writeBounded(value));
    return new Receipt(heard.state(), heard.isFirst(), heard.decision(), heard.at());
  }
}
