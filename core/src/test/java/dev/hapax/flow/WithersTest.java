package dev.hapax.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Filters and policies are changed field by field; the other fields stay. */
class WithersTest {
  @Test
  void a_retry_policy_is_changed_field_by_field() {
    RetryPolicy changed =
        RetryPolicy.DEFAULT
            .attempts(7)
            .delay(Duration.ofSeconds(2))
            .factor(3)
            .maxDelay(Duration.ofSeconds(30))
            .jitter(0.5)
            .within(Duration.ofMinutes(10));

    assertThat(changed)
        .isEqualTo(
            new RetryPolicy(
                7, Duration.ofSeconds(2), 3, Duration.ofSeconds(30), 0.5, Duration.ofMinutes(10)));
  }

  @Test
  void a_filter_of_runs_is_changed_field_by_field() {
    RunFilter changed =
        RunFilter.of("any")
            .ownedBy("acme")
            .flow("order*")
            .key("A-1")
            .anyOf(Set.of(RunStatus.FAILED))
            .before(9)
            .notOfRelease(2)
            .field("customer", "c-1")
            .error("rejected")
            .retryable(true)
            .limit(5);
    var search =
        new RunSearch(Set.of(), Map.of("customer", "c-1"), null, null, true, "rejected", false);

    assertThat(changed)
        .isEqualTo(
            new RunFilter(
                "acme", "order*", "A-1", Set.of(RunStatus.FAILED), null, 9L, 2, search, 5));
  }

  @Test
  void a_filter_of_effects_is_changed_field_by_field() {
    EffectFilter changed =
        EffectFilter.of("any")
            .ownedBy("acme")
            .name("charge")
            .key("A-1")
            .state(EffectState.REVIEW)
            .before(9)
            .keyPrefix("A-")
            .externalId("ch_1")
            .wireKey("wire")
            .limit(5);
    var search =
        new EffectSearch(null, TextMatch.beginningWith("A-"), TextMatch.exactly("ch_1"), "wire");

    assertThat(changed)
        .isEqualTo(new EffectFilter("acme", "charge", "A-1", EffectState.REVIEW, 9L, search, 5));
  }

  @Test
  void a_filter_of_events_is_changed_field_by_field() {
    InboxFilter changed =
        InboxFilter.of("any")
            .ownedBy("acme")
            .source("shop")
            .event("evt_1")
            .outcome(InboxOutcome.STALE)
            .repeated(true)
            .number(3)
            .before(9)
            .limit(5);

    assertThat(changed)
        .isEqualTo(new InboxFilter("acme", "shop", "evt_1", InboxOutcome.STALE, true, 3L, 9L, 5));
  }

  @Test
  void a_filter_of_approvals_is_changed_field_by_field() {
    ApprovalFilter changed =
        ApprovalFilter.of("any")
            .ownedBy("acme")
            .role("boss")
            .state(WaitState.OPEN)
            .before(9)
            .limit(5);

    assertThat(changed).isEqualTo(new ApprovalFilter("acme", "boss", WaitState.OPEN, 9L, 5));
  }
}
