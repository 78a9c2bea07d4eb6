package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.RunHandle;
import dev.hapax.flow.Flow;
import dev.hapax.flow.RunStatus;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A run that waits again and again reads only what is new when it wakes up. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class WakeCostTest extends EngineTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final AtomicInteger looks = new AtomicInteger();

  @Test
  void a_wake_up_reads_the_rows_that_were_added_and_not_the_whole_journal() {
    int waits = 300;
    var flow = register(polling(waits));
    RunHandle<Receipt> run = hapax.start(flow, order("A-1"));

    moveUntil(MINUTE, () -> hapax.run(run.id()).status() == RunStatus.SUCCEEDED);

    assertThat(looks).hasValue(waits);
    assertThat(process.rowsLoaded()).isLessThan(4 * waits);
  }

  @Test
  void after_a_crash_the_whole_journal_is_read_once() {
    int waits = 60;
    var flow = register(polling(waits));
    RunHandle<Receipt> run = hapax.start(flow, order("A-1"));
    moveUntil(MINUTE, () -> looks.get() >= waits / 2);

    crash(flow);
    moveUntil(MINUTE, () -> hapax.run(run.id()).status() == RunStatus.SUCCEEDED);

    assertThat(looks.get()).isBetween(waits, waits + 1); // one may have been on its way
    assertThat(process.rowsLoaded()).isLessThan(4 * waits);
  }

  /** No matter how often the body reached it in earlier passes. */
  @Test
  void code_that_leaves_out_what_was_sent_is_noticed_in_every_pass() {
    var forgets = new AtomicBoolean();
    var sent = new AtomicInteger();
    var flow =
        register(
            orders("poll")
                .body(
                    (run, order) -> {
                      if (!forgets.get()) {
                        run.effect(
                            "mail",
                            create(order).keyed(),
                            _ -> sent.incrementAndGet(),
                            Integer.class);
                      }
                      for (int i = 0; i < 8; i++) {
                        run.item("round-" + i).sleep("pause", MINUTE);
                        looks.incrementAndGet();
                      }
                      run.effect(
                          "other",
                          create(order).keyed(),
                          _ -> sent.incrementAndGet(),
                          Integer.class);
                      return new Receipt(order.id(), "done");
                    }));
    RunHandle<Receipt> run = hapax.start(flow, order("A-1"));
    moveUntil(MINUTE, () -> looks.get() > 15); // it has come to the mail in six passes
    awaitStatus(run, RunStatus.WAITING);

    forgets.set(true);
    moveUntil(MINUTE, () -> hapax.run(run.id()).status().isEnd());

    assertThat(errorOf(run).code()).isEqualTo("journal-mismatch");
    assertThat(sent).hasValue(1);
  }

  /** Looks at something and waits a minute, in a plain loop. */
  private Flow<Order, Receipt> polling(int waits) {
    return orders("poll")
        .body(
            (run, order) -> {
              for (int i = 0; i < waits; i++) {
                var round = run.item("round-" + i);
                round.step("look", looks::incrementAndGet, Integer.class);
                round.sleep("pause", MINUTE);
              }
              return new Receipt(order.id(), "done");
            });
  }
}
