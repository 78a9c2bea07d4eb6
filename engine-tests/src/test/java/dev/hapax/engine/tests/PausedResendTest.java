package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.RunHandle;
import dev.hapax.flow.Effect;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Flow;
import dev.hapax.flow.RunStatus;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The machine stands still between the decision to send again and the first byte. */
class PausedResendTest extends EngineTest {
  private static final Duration WINDOW = Duration.ofHours(10);

  /** The window closes a minute and this long before it ends, and no attempt is given up before. */
  private static final Duration TIMEOUT = Duration.ofHours(5);

  private static final Duration PAUSE = TIMEOUT.minusSeconds(30);

  private final AtomicInteger sent = new AtomicInteger();

  @Test
  void a_doubt_is_not_sent_again_after_the_window_of_its_key_by_a_machine_that_stood_still() {
    hapax.close();
    hapax =
        Hapax.open(
            process,
            HapaxOptions.DEFAULT
                .ports(time.ports())
                .closeWithin(Duration.ZERO)
                .interceptor(
                    (sending, sender) -> {
                      if (sending.attempt() == 2) {
                        time.move(PAUSE);
                      }
                      return sender.send();
                    }));
    Effect<?> effect = Effect.create("A").keyed(WINDOW).timeout(TIMEOUT);
    Flow<Order, Receipt> flow =
        register(
            charging(
                "charge",
                effect,
                _ -> {
                  sent.incrementAndGet();
                  throw new IOException("reset");
                }));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    moveUntil(
        Duration.ofMillis(500),
        () -> hapax.run(run.id()).status() == RunStatus.REVIEW || sent.get() > 1);

    assertThat(sent).hasValue(1);
    awaitStatus(run, RunStatus.REVIEW);
    assertThat(effect(EffectState.REVIEW).evidence()).contains("window");
    assertThat(hapax.history(run.id()))
        .anySatisfy(line -> assertThat(String.valueOf(line.evidence())).contains("was paused"));
  }
}
