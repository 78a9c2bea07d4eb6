package dev.hapax.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flow.EffectState;
import dev.hapax.flow.RunStatus;
import dev.hapax.run.NewRun;
import dev.hapax.run.journal.ClaimAnswer.Granted;
import dev.hapax.store.Change;
import dev.hapax.store.GroupAnswer.Landed;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** No wake-up is lost: not between a claim and its release, and not while a run is in memory. */
@SuppressWarnings("MemberName") // the names of tests are sentences
public abstract class WaitContract extends StoreContract {
  private static final Change LEAVE = new Change.Release(RunStatus.WAITING, null);

  @Test
  void settling_an_effect_wakes_its_waiters() {
    NewRun owner = running("A-1");
    Intent held = create(owner, "K");
    Granted granted = granted(held);
    NewRun one = waiterOf("A-2", "K");
    NewRun two = waiterOf("A-3", "K");
    now = later(Duration.ofSeconds(5));

    Landed landed = land(next(owner, held.done(granted, "7")));

    assertThat(landed.woken()).containsExactlyInAnyOrder(one.number(), two.number());
    assertThat(stored(one).dueAt()).isEqualTo(now);
    assertThat(due()).containsExactly(one.number(), two.number());
  }

  @Test
  void every_state_that_is_not_open_wakes_the_waiters_and_no_other_does() {
    for (EffectState state : EffectState.values()) {
      NewRun owner = running("owner " + state);
      Granted granted = granted(create(owner, "K " + state));
      NewRun waiter = waiterOf("waiter " + state, "K " + state);

      Landed landed = land(next(owner, outcome(granted, state)));

      assertThat(landed.woken()).isEqualTo(state.isOpen() ? List.of() : List.of(waiter.number()));
    }
  }

  @Test
  void a_waiter_is_woken_once() {
    NewRun owner = running("A-1");
    Intent held = create(owner, "K");
    Granted granted = granted(held);
    NewRun waiter = waiterOf("A-2", "K");
    land(next(owner, held.done(granted, "7")));
    land(withoutEntries(unowned(waiter, 1, new Change.Take(OWNER))));
    land(withoutEntries(next(waiter, LEAVE)));

    Landed landed = land(next(owner, outcome(granted, EffectState.UNDONE)));

    assertThat(landed.woken()).isEmpty();
    assertThat(stored(waiter).dueAt()).isNull();
  }

  @Test
  void a_run_that_asked_twice_is_woken_once() {
    NewRun owner = running("A-1");
    Intent held = create(owner, "K");
    Granted granted = granted(held);
    NewRun waiter = running("A-2");
    claim(create(waiter, "K"));
    claim(create(waiter, "K"));
    land(withoutEntries(next(waiter, LEAVE)));

    Landed landed = land(next(owner, held.done(granted, "7")));

    assertThat(landed.woken()).containsExactly(waiter.number());
  }

  @Test
  void a_waiter_in_memory_is_not_reported_and_finds_the_wake_up_at_its_release() {
    NewRun owner = running("A-1");
    Intent held = create(owner, "K");
    Granted granted = granted(held);
    NewRun waiter = running("A-2");
    claim(create(waiter, "K"));

    Landed settling = land(next(owner, held.done(granted, "7")));
    Landed leaving = land(next(waiter, LEAVE));

    assertThat(settling.woken()).isEmpty();
    assertThat(leaving.woken()).containsExactly(waiter.number());
    assertThat(due()).containsExactly(waiter.number());
  }

  @Test
  void a_waiter_can_claim_and_leave_in_one_commit() {
    NewRun owner = running("A-1");
    Intent held = create(owner, "K");
    Granted granted = granted(held);
    NewRun waiter = running("A-2");
    land(next(waiter, create(waiter, "K").claim(), LEAVE));

    Landed landed = land(next(owner, held.done(granted, "7")));

    assertThat(landed.woken()).containsExactly(waiter.number());
  }

  @Test
  void a_waiter_that_has_ended_meanwhile_is_not_woken() {
    NewRun owner = running("A-1");
    Intent held = create(owner, "K");
    Granted granted = granted(held);
    NewRun waiter = running("A-2");
    claim(create(waiter, "K"));
    land(next(waiter, new Change.End(RunStatus.CANCELED, null, null)));

    Landed landed = land(next(owner, held.done(granted, "7")));

    assertThat(landed.woken()).isEmpty();
    assertThat(stored(waiter).dueAt()).isNull();
    assertThat(due()).isEmpty();
  }

  @Test
  void a_wake_up_keeps_the_time_of_a_run_that_is_overdue() {
    NewRun run = running("A-1");
    Instant overdueSince = now;
    land(next(run, new Change.Release(RunStatus.WAITING, overdueSince)));
    now = later(Duration.ofMinutes(1));

    land(notEnded(run, new Change.Wake()));

    assertThat(stored(run).dueAt()).isEqualTo(overdueSince);
  }

  @Test
  void a_wake_up_comes_before_a_time_that_is_still_to_come() {
    NewRun run = running("A-1");
    land(next(run, new Change.Release(RunStatus.WAITING, later(Duration.ofDays(1)))));

    Landed landed = land(notEnded(run, new Change.Wake()));

    assertThat(landed.woken()).containsExactly(run.number());
    assertThat(stored(run).dueAt()).isEqualTo(now);
    assertThat(stored(run).status()).isEqualTo(RunStatus.WAITING);
  }

  @Test
  void a_wake_up_while_in_memory_is_not_lost_at_the_release() {
    NewRun run = running("A-1");
    Landed waking = land(notEnded(run, new Change.Wake()));
    Instant woken = now;
    now = later(Duration.ofSeconds(1));

    Landed leaving =
        land(next(run, new Change.Release(RunStatus.WAITING, later(Duration.ofDays(1)))));

    assertThat(waking.woken()).isEmpty();
    assertThat(leaving.woken()).containsExactly(run.number());
    assertThat(stored(run).dueAt()).isEqualTo(woken);
  }

  @Test
  void a_wake_up_from_before_the_run_was_taken_is_spent() {
    NewRun run = waiting("A-1");
    land(notEnded(run, new Change.Wake()));
    land(withoutEntries(unowned(run, 0, new Change.Take(OWNER))));

    Landed leaving = land(next(run, LEAVE));

    assertThat(leaving.woken()).isEmpty();
    assertThat(stored(run).dueAt()).isNull();
  }

  @Test
  void a_release_for_a_time_that_has_come_is_reported() {
    NewRun comes = running("A-1");
    NewRun hasCome = running("A-2");

    Landed later = land(next(comes, new Change.Release(RunStatus.WAITING, now.plusMillis(1))));
    Landed atOnce = land(next(hasCome, new Change.Release(RunStatus.WAITING, now)));

    assertThat(later.woken()).isEmpty();
    assertThat(atOnce.woken()).containsExactly(hasCome.number());
  }

  private NewRun waiterOf(String key, String effectKey) {
    NewRun run = running(key);
    claim(create(run, effectKey));
    land(withoutEntries(next(run, LEAVE)));
    return run;
  }
}
