package dev.hapax;

import dev.hapax.effect.Payload;
import dev.hapax.engine.RunControl;
import dev.hapax.engine.WaitControl;
import dev.hapax.run.Answer;
import dev.hapax.run.Run;
import dev.hapax.run.Wait;
import dev.hapax.store.Store;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Where outside systems answer runs that wait for them. Safe for many threads. */
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
   * What an answer has come to.
   *
   * @param state {@code decided}, {@code expired}, or {@code closed} if the run needs no answer any
   *     more
   * @param isFirst whether this answer decided; if not, the value is that of the one that did
   * @param value JSON text; null if it expired or was closed
   */
  public record Receipt(
      Wait.State state, boolean isFirst, @Nullable String value, @Nullable Instant at) {}

  /**
   * Whose callback a token stands for; the token alone says so, so this looks beyond the tenant.
   *
   * @param run the id of the run that waits, or will
   * @param isOpen whether an answer would still decide something
   */
  public record Owner(
      String tenant, String run, String flow, int release, String step, boolean isOpen) {}

  /**
   * Who handed out this token.
   *
   * @throws dev.hapax.engine.RunControl.NotFound if nobody did
   */
  public Owner owner(String token) {
    Wait wait = control.callback(token);
    Run run = store.run(wait.run());
    if (run == null) {
      throw new RunControl.NotFound("there is no callback with this token");
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
   * Answers the callback that this token stands for; durable when it returns. The first answer
   * counts, however early it comes; every later one hears the first and changes nothing.
   *
   * @throws dev.hapax.engine.RunControl.NotFound if nobody handed out this token
   */
  public Receipt answer(String token, @Nullable Object value) {
    Answer.Heard heard = control.answer(tenant, token, Payload.writeBounded(value));
    return new Receipt(heard.state(), heard.isFirst(), heard.decision(), heard.at());
  }
}
