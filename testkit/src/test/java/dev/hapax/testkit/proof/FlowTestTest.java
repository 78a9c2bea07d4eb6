package dev.hapax.testkit.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.RunFailed;
import dev.hapax.RunHandle;
import dev.hapax.flow.HistoryEntry;
import dev.hapax.flow.NotApplied;
import dev.hapax.flow.Rejected;
import dev.hapax.flow.RunStatus;
import dev.hapax.testkit.FlowTest;
import dev.hapax.testkit.proof.Shop.Order;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a user's test can do with a flow. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FlowTestTest {
  private static final Order ORDER = new Order("A-1", 40);

  private final Shop shop = new Shop();
  private final dev.hapax.flow.Flow<Order, String> flow = shop.flow();
  private final FlowTest test = FlowTest.of(flow);

  @AfterEach
  void close() {
    test.close();
  }

  @Test
  void a_run_is_brought_to_its_end_through_all_its_waits() {
    assertThat(test.run(flow, ORDER)).isEqualTo("receipt for 40");
    assertThat(shop.mails()).containsExactly("A-1");
  }

  @Test
  void time_is_moved_step_by_step() {
    RunHandle<String> run = test.start(flow, ORDER);
    assertThat(run.run().status()).isEqualTo(RunStatus.WAITING);

    test.move(Duration.ofHours(23));
    assertThat(shop.parcels).isEmpty();
    test.move(Duration.ofHours(1));
    assertThat(shop.parcels).hasSize(1);
  }

  @Test
  void a_lost_answer_leads_to_a_second_request_with_the_same_key() {
    test.loseAnswer("charge");

    test.run(flow, ORDER);

    assertThat(test.sent("charge")).hasSize(2);
    assertThat(test.sent("charge").getFirst().wireKey())
        .isEqualTo(test.sent("charge").getLast().wireKey());
    assertThat(shop.charges).hasSize(1);
  }

  @Test
  void answers_are_given_by_the_test() {
    test.fail("charge", new NotApplied("busy")).answer("charge", "from the test");

    assertThat(test.run(flow, ORDER)).isEqualTo("from the test");
    assertThat(shop.charges).isEmpty();
  }

  @Test
  void a_refusal_fails_the_run_and_the_history_shows_why() {
    test.fail("charge", new Rejected("declined", "no money"));
    RunHandle<String> run = test.start(flow, ORDER);

    assertThatThrownBy(run::await)
        .isInstanceOfSatisfying(
            RunFailed.class, failed -> assertThat(failed.code()).isEqualTo("declined"));
    assertThat(test.history(run).stream().map(HistoryEntry::type))
        .containsExactly("accepted", "intent", "failed", "ended");
  }

  @Test
  void a_crash_loses_nothing() {
    RunHandle<String> run = test.start(flow, ORDER);

    test.crash();
    test.move(Duration.ofDays(1));

    assertThat(test.hapax().run(run.id()).status()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(test.sent("charge")).hasSize(1);
  }
}
