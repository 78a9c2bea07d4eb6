package dev.hapax.testkit.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.Hapax;
import dev.hapax.Verdict;
import dev.hapax.flow.Approval;
import dev.hapax.flow.Effect;
import dev.hapax.flow.Flow;
import dev.hapax.testkit.EffectProof;
import dev.hapax.testkit.ProofLimits;
import dev.hapax.testkit.ProofReport;
import dev.hapax.testkit.ProvenEffect;
import dev.hapax.testkit.proof.Shop.Order;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The proof passes for flows that keep their promises, and fails for those that do not. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EffectProofTest {
  private static final Order ORDER = new Order("A-1", 40);

  @Test
  void an_order_is_charged_shipped_and_confirmed_once_under_every_fault() {
    ProofReport proof =
        EffectProof.of(Shop::new, Shop::flow)
            .check(
                shop -> {
                  assertThat(shop.charges).hasSize(1);
                  assertThat(shop.parcels).hasSize(1);
                  assertThat(shop.mails()).containsExactly("A-1");
                })
            .prove(ORDER);

    System.out.println(proof);
    assertThat(proof.requests()).isEqualTo(3);
    assertThat(proof.commits()).isGreaterThanOrEqualTo(4);
    assertThat(proof.reviews()).isPositive(); // nobody but a person knows whether a mail went out
  }

  @Test
  void the_report_has_a_line_per_effect_with_what_settled_it() {
    ProofReport proof = EffectProof.of(Shop::new, Shop::flow).prove(ORDER);

    assertThat(proof.effects().stream().map(ProvenEffect::effect))
        .containsExactly("order/charge", "order/ship", "order/mail");
    ProvenEffect charge = proof.effects().getFirst();
    assertThat(charge.sent()).isEqualTo(new ProvenEffect.Range(1, 2));
    assertThat(charge.applied()).isEqualTo(new ProvenEffect.Range(1, 1));
    assertThat(charge.settledBy()).containsKeys("answer", "key", "late answer");
    assertThat(charge.reviews()).isZero();
    assertThat(proof.effects().get(1).settledBy()).containsKeys("answer", "lookup");
    assertThat(proof.effects().get(2).settledBy()).containsKeys("answer", "person");
    assertThat(proof.effects().get(2).reviews()).isPositive();
    assertThat(proof.untried()).isEmpty();
    assertThat(proof.toString()).contains("order/charge (keyed): sent 1-2, applied 1, settled by");
  }

  @Test
  void several_runs_at_once_find_the_same() {
    ProofReport one = EffectProof.of(Shop::new, Shop::flow).prove(ORDER);
    ProofReport four =
        EffectProof.of(Shop::new, Shop::flow).limits(ProofLimits.NONE.atOnce(4)).prove(ORDER);

    assertThat(four.runs()).isEqualTo(one.runs());
    assertThat(four.effects().stream().map(ProvenEffect::applied).toList())
        .isEqualTo(one.effects().stream().map(ProvenEffect::applied).toList());
  }

  @Test
  void a_proof_that_may_not_try_everything_says_what_it_left_out() {
    ProofReport proof =
        EffectProof.of(Shop::new, EffectProofTest::manyMails)
            .limits(new ProofLimits(Duration.ofMinutes(1), 2, 3, 4))
            .prove(ORDER);

    assertThat(proof.requests()).isEqualTo(50);
    assertThat(proof.runs()).isLessThan(40);
    assertThat(proof.untried().getFirst())
        .isEqualTo("of the 50 requests of effect 'mail', 3 were disturbed");
    assertThat(proof.untried().get(1)).startsWith("of the ").endsWith("commits, 4 were disturbed");
    assertThat(proof.effects().getFirst().keys()).isEqualTo(50);
  }

  @Test
  void a_proof_that_runs_out_of_time_says_so() {
    ProofReport proof =
        EffectProof.of(Shop::new, EffectProofTest::manyMails)
            .limits(ProofLimits.NONE.within(Duration.ofMillis(200)))
            .report(ORDER);

    assertThat(proof.untried()).anyMatch(line -> line.contains("the 1 seconds were over"));
  }

  private static Flow<Order, Integer> manyMails(Shop shop) {
    return Flow.of("mails", Order.class, Integer.class)
        .key(Order::id)
        .body(
            (run, order) -> {
              for (int i = 0; i < 50; i++) {
                String to = order.id() + "/" + i;
                run.effect(
                    "mail-" + i, Effect.notify(to).unguarded().name("mail"), _ -> shop.mail(to));
              }
              return 50;
            });
  }

  @Test
  void a_flow_that_never_ends_is_reported() {
    var proof =
        EffectProof.of(
                Shop::new,
                _ ->
                    Flow.of("order", Order.class, String.class)
                        .key(Order::id)
                        .body(
                            (run, _) -> {
                              for (int i = 0; true; i++) {
                                run.sleep("again-" + i, Duration.ofMinutes(1));
                              }
                            }))
            .limits(ProofLimits.NONE.within(Duration.ofSeconds(1)));

    assertThat(proof.report(ORDER).problems())
        .anyMatch(problem -> problem.what().contains("does not come to an end"));
  }

  @Test
  void a_flow_without_effects_passes_and_says_so() {
    ProofReport proof =
        EffectProof.of(
                Shop::new,
                _ ->
                    Flow.of("order", Order.class, String.class)
                        .key(Order::id)
                        .body((_, order) -> order.id()))
            .prove(ORDER);

    assertThat(proof.toString()).contains("the flow has no effect");
  }

  @Test
  void an_approval_is_answered_before_it_expires() {
    ProofReport proof =
        EffectProof.of(
                Shop::new,
                shop ->
                    Flow.of("order", Order.class, String.class)
                        .key(Order::id)
                        .body(
                            (run, order) -> {
                              run.approval(
                                  "ask", Approval.ask("Charge?").expires(Duration.ofDays(1)));
                              return run.effect(
                                  "charge",
                                  Effect.create(order.id()).keyed(),
                                  key -> shop.charge(key, order),
                                  String.class);
                            }))
            .answering(EffectProofTest::approve)
            .prove(ORDER);

    assertThat(proof.requests()).isEqualTo(1);
  }

  private static boolean approve(Shop shop, Hapax hapax) {
    var open = hapax.approvals().list(hapax.approvals().open());
    for (var item : open) {
      var _ = hapax.approvals().decide(item.id(), Verdict.approve("ann"));
    }
    return !open.isEmpty();
  }

  @Test
  void a_destination_that_does_not_remove_duplicates_is_found_out() {
    var proof =
        EffectProof.of(AtomicInteger::new, EffectProofTest::chargingWithoutDedupe)
            .check(charges -> assertThat(charges).hasValue(1));

    assertThatThrownBy(() -> proof.prove(ORDER))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("the answer to request 1 is lost");
  }

  @Test
  void an_effect_that_its_destination_applied_twice_is_named_with_the_boundary() {
    ProofReport report =
        EffectProof.of(AtomicInteger::new, EffectProofTest::chargingWithoutDedupe)
            .applied("order/charge", AtomicInteger::get)
            .report(ORDER);

    assertThat(report.problems().stream().map(Object::toString))
        .contains(
            "When the answer to request 1 is lost (effect 'order/charge' with key 'A-1', attempt"
                + " 1): effect 'order/charge' with key 'A-1': it was applied 2 times instead of 1",
            "When the process dies when request 1 has arrived (effect 'order/charge' with key 'A-1',"
                + " attempt 1): effect 'order/charge' with key 'A-1': it was applied 2 times"
                + " instead of 1");
    assertThat(report.problems())
        .noneMatch(problem -> problem.boundary().contains("is lost on its way"));
  }

  private static Flow<Order, String> chargingWithoutDedupe(AtomicInteger charges) {
    return Flow.of("order", Order.class, String.class)
        .key(Order::id)
        .body(
            (run, order) ->
                run.effect(
                    "charge",
                    Effect.create(order.id()).keyed(),
                    _ -> "charge " + charges.incrementAndGet(),
                    String.class));
  }

  @Test
  void a_key_that_changes_with_every_try_is_found_out() {
    var tries = new AtomicInteger();
    var proof =
        EffectProof.of(
            Shop::new,
            shop ->
                Flow.of("order", Order.class, String.class)
                    .key(Order::id)
                    .body(
                        (run, order) ->
                            run.effect(
                                "charge",
                                Effect.create(order.id() + tries.incrementAndGet()).keyed(),
                                key -> shop.charge(key, order),
                                String.class)));

    assertThatThrownBy(() -> proof.prove(ORDER)).isInstanceOf(AssertionError.class);
  }

  @Test
  void a_flow_that_fails_by_itself_is_reported_with_its_history() {
    var proof =
        EffectProof.of(
            Shop::new,
            _ ->
                Flow.of("order", Order.class, String.class)
                    .key(Order::id)
                    .body(
                        (_, _) -> {
                          throw new IllegalStateException("no");
                        }));

    assertThatThrownBy(() -> proof.prove(ORDER))
        .hasMessageContaining("does not succeed when nothing goes wrong");
  }
}
