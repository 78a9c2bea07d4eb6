package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.Found;
import dev.hapax.RunHandle;
import dev.hapax.flow.Effect;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Rejected;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunStatus;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Runs are found by fields of their input, and effects by what people know of them. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class SearchTest extends EngineTest {
  private record Bill(String id, String customer) {}

  private final AtomicBoolean refuses = new AtomicBoolean();

  private final Flow<Bill, String> bill =
      Flow.of("bill", Bill.class, String.class)
          .key(Bill::id)
          .searchable("customer", Bill::customer)
          .searchable("nothing", _ -> null)
          .body(
              (run, input) ->
                  run.effect(
                      "charge",
                      Effect.create(input.id()).keyed(),
                      _ -> {
                        if (refuses.get()) {
                          throw new Rejected("refused", "not today");
                        }
                        return "done";
                      },
                      String.class));

  @Test
  void a_run_is_found_by_the_fields_of_its_input() {
    hapax.register(bill);
    hapax.start(bill, new Bill("A-1", "c-1")).await();
    hapax.start(bill, new Bill("A-2", "c-2")).await();

    List<Run> found = hapax.runs(hapax.runs().field("customer", "c-1"));

    assertThat(found).extracting(Run::key).containsExactly("A-1");
    assertThat(found.getFirst().search().values()).containsOnlyKeys("customer");
  }

  @Test
  void a_long_value_is_found_by_itself() {
    hapax.register(bill);
    String customer = "c".repeat(1_000);
    hapax.start(bill, new Bill("A-1", customer)).await();

    assertThat(hapax.runs(hapax.runs().field("customer", customer))).hasSize(1);
  }

  @Test
  void a_retry_with_a_corrected_input_changes_the_fields() {
    refuses.set(true);
    hapax.register(bill);
    RunHandle<String> run = hapax.start(bill, new Bill("A-1", "wrong"));
    eventually(() -> hapax.run(run.id()).status() == RunStatus.FAILED);
    refuses.set(false);

    hapax.retry(run.id(), "ann", bill, new Bill("A-1", "right"));
    run.await();

    assertThat(hapax.runs(hapax.runs().field("customer", "wrong"))).isEmpty();
    assertThat(hapax.runs(hapax.runs().field("customer", "right"))).hasSize(1);
  }

  @Test
  void a_failed_run_is_found_by_its_code() {
    refuses.set(true);
    hapax.register(bill);
    RunHandle<String> run = hapax.start(bill, new Bill("A-1", "c-1"));
    eventually(() -> hapax.run(run.id()).status() == RunStatus.FAILED);

    assertThat(hapax.runs(hapax.runs().error("refused"))).extracting(Run::key).contains("A-1");
    assertThat(hapax.runs(hapax.runs().error("other"))).isEmpty();
    assertThat(hapax.runs(hapax.runs().retryable(true))).isEmpty();
  }

  @Test
  void the_effects_of_a_run_are_found_by_the_run_and_by_wire_key() {
    hapax.register(bill);
    RunHandle<String> run = hapax.start(bill, new Bill("A-1", "c-1"));
    run.await();
    hapax.start(bill, new Bill("A-2", "c-1")).await();

    List<EffectRecord> ofRun = hapax.effects(hapax.effects().of(hapax.run(run.id())));

    assertThat(ofRun).extracting(effect -> effect.key().key()).containsExactly("A-1");
    assertThat(hapax.effects(hapax.effects().wireKey(ofRun.getFirst().wireKey()))).isEqualTo(ofRun);
    assertThat(hapax.effects(hapax.effects().keyPrefix("A-"))).hasSize(2);
  }

  @Test
  void find_returns_exact_hits_before_beginnings_and_nothing_of_other_tenants() {
    hapax.register(bill);
    hapax.start(bill, new Bill("A-10", "c-1")).await();
    hapax.start(bill, new Bill("A-1", "c-1")).await();

    assertThat(hapax.find("A-1"))
        .extracting(hit -> hit.by() + " " + hit.value() + " " + hit.isExact())
        .containsExactly("key A-1 true", "key A-1 true", "key A-10 false", "key A-10 false");
    assertThat(hapax.find("c-1")).hasSize(2).allMatch(Found::isExact);
    assertThat(hapax.tenant("rival").find("A-1")).isEmpty();
    assertThatThrownBy(() -> hapax.find(" ")).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void a_flow_has_a_bounded_number_of_fields_with_plain_names() {
    Flow.Builder<Bill, String> flow = Flow.of("many", Bill.class, String.class);
    for (int i = 0; i < 8; i++) {
      flow.searchable("f" + i, Bill::id);
    }

    assertThatThrownBy(() -> flow.searchable("f8", Bill::id))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at most 8");
    assertThatThrownBy(() -> flow.searchable("a b", Bill::id))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("letters");
  }
}
