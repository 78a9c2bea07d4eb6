package dev.hapax.testkit.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.flow.Effect;
import dev.hapax.flow.Flow;
import dev.hapax.testkit.EffectProof;
import dev.hapax.testkit.proof.Shop.Order;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The proof passes for flows that keep their promises, and fails for those that do not. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EffectProofTest {
  private static final Order ORDER = new Order("A-1", 40);

  @Test
  void an_order_is_charged_shipped_and_confirmed_once_under_every_fault() {
    EffectProof.Proof proof =
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
  void a_destination_that_does_not_remove_duplicates_is_found_out() {
    var proof =
        EffectProof.of(AtomicInteger::new, EffectProofTest::chargingWithoutDedupe)
            .check(charges -> assertThat(charges).hasValue(1));

    assertThatThrownBy(() -> proof.prove(ORDER))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("the answer to request 1 is lost");
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
