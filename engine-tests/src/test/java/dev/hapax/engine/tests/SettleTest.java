package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.RunHandle;
import dev.hapax.Settlement;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.NotPossible;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.StaleReview;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A person settles the doubt that the person looked at, and no other. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class SettleTest extends EngineTest {
  private EffectRecord inReview() {
    var flow = register(mailer(Duration.ofDays(7)));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    awaitStatus(run, RunStatus.REVIEW);
    return effect(EffectState.REVIEW);
  }

  private static Settlement happened() {
    return Settlement.happened(null, "seen at the provider", "ada");
  }

  @Test
  void a_doubt_that_was_sent_again_since_it_was_looked_at_is_not_settled() {
    EffectRecord seen = inReview();
    hapax.settle(seen.id(), Settlement.notHappened("not there", "bob").seen(seen));
    eventually(
        () ->
            hapax.effects(hapax.effects().state(EffectState.REVIEW)).stream()
                .anyMatch(row -> row.attempts() == 2));

    assertThatThrownBy(() -> hapax.settle(seen.id(), happened().seen(seen)))
        .isInstanceOf(StaleReview.class)
        .hasMessageContaining("2 attempts");

    EffectRecord now = effect(EffectState.REVIEW);
    hapax.settle(now.id(), happened().seen(now));
    assertThat(effect(EffectState.DONE).attempts()).isEqualTo(2);
  }

  @Test
  void a_doubt_that_was_settled_meanwhile_is_stale() {
    EffectRecord seen = inReview();
    hapax.settle(seen.id(), happened().seen(seen));

    assertThatThrownBy(() -> hapax.settle(seen.id(), Settlement.abandon("gone", "bob").seen(seen)))
        .isInstanceOf(StaleReview.class);
    assertThat(effect(EffectState.DONE).evidence()).contains("ada");
  }

  @Test
  void another_revision_is_stale() {
    EffectRecord seen = inReview();

    assertThatThrownBy(() -> hapax.settle(seen.id(), happened().seen(2, seen.attempts())))
        .isInstanceOf(StaleReview.class)
        .hasMessageContaining("revision 1");
    assertThat(effect(EffectState.REVIEW)).isEqualTo(seen);
  }

  @Test
  void without_a_word_about_what_was_seen_the_present_doubt_is_settled() {
    EffectRecord seen = inReview();

    hapax.settle(seen.id(), happened());

    assertThat(effect(EffectState.DONE).attempts()).isEqualTo(1);
    assertThatThrownBy(() -> hapax.settle(seen.id(), happened()))
        .isInstanceOf(NotPossible.class)
        .isNotInstanceOf(StaleReview.class);
  }
}
