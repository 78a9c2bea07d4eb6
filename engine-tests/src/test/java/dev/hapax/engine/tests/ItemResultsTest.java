package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.RunHandle;
import dev.hapax.flow.Each;
import dev.hapax.flow.Effect;
import dev.hapax.flow.Flow;
import dev.hapax.flow.ItemResults;
import dev.hapax.flow.Rejected;
import dev.hapax.flow.RunContext;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.TypeToken;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Loops whose items have results. */
class ItemResultsTest extends EngineTest {
  private final Set<String> poisoned = ConcurrentHashMap.newKeySet();
  private final AtomicInteger computed = new AtomicInteger();

  record Label(String text) {}

  private static List<String> parcels(int count) {
    return IntStream.range(0, count).mapToObj(i -> "p" + i).toList();
  }

  private static String text(ItemResults<Label> results) {
    return results.items().stream()
        .map(
            item -> {
              var label = item.output();
              var error = item.error();
              return item.key()
                  + "="
                  + (label == null ? "-" : label.text())
                  + (error == null ? "" : "!" + error.code());
            })
        .collect(Collectors.joining(" "));
  }

  private Label label(RunContext run, String parcel) {
    String code =
        run.effect(
            "print",
            Effect.create(parcel).keyed(),
            _ -> {
              computed.incrementAndGet();
              if (poisoned.contains(parcel)) {
                throw new Rejected("no-such-street", "nobody lives there");
              }
              return "#" + parcel;
            },
            String.class);
    run.sleep("dry", Duration.ofMinutes(Integer.parseInt(parcel.substring(1)) % 3));
    return new Label(code);
  }

  /** The receipt's id is what the body sees at once, its key what it sees after a sleep. */
  private Flow<Order, Receipt> labels(int count) {
    return register(
        orders("labels")
            .body(
                (run, order) -> {
                  var each = Each.of(parcels(count), parcel -> parcel).atOnce(2);
                  ItemResults<Label> results =
                      run.forEach("parcels", each, this::label, Label.class);
                  String now = text(results);
                  run.sleep("later", Duration.ofMinutes(1));
                  return new Receipt(now, Long.toString(results.summary().succeeded()));
                }));
  }

  private RunStatus end(RunHandle<?> run) {
    moveUntil(Duration.ofMinutes(1), () -> hapax.run(run.id()).status().isEnd());
    return hapax.run(run.id()).status();
  }

  @Test
  void results_are_in_the_order_of_the_items_no_matter_when_they_end() {
    RunHandle<Receipt> run = hapax.start(labels(7), order("A"));

    assertThat(end(run)).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(run.await())
        .isEqualTo(new Receipt("p0=#p0 p1=#p1 p2=#p2 p3=#p3 p4=#p4 p5=#p5 p6=#p6", "7"));
    assertThat(computed).hasValue(7);
  }

  @Test
  void a_retry_computes_only_the_results_that_are_missing() {
    poisoned.addAll(List.of("p1", "p3"));
    RunHandle<Receipt> run = hapax.start(labels(5), order("A"));
    assertThat(end(run)).isEqualTo(RunStatus.PARTIAL);
    assertThat(run.run().output())
        .contains("p0=#p0 p1=-!no-such-street p2=#p2 p3=-!no-such-street p4=#p4");

    poisoned.clear();
    hapax.retry(run.id(), "ann");

    assertThat(end(run)).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(run.await().order()).isEqualTo("p0=#p0 p1=#p1 p2=#p2 p3=#p3 p4=#p4");
    assertThat(computed).hasValue(7);
  }

  @Test
  void results_of_ten_thousand_items_and_large_ones_come_back_whole() {
    String large = "x".repeat(100_000); // kept as a resource
    var flow =
        register(
            orders("many")
                .body(
                    (run, order) -> {
                      var many = Each.of(parcels(10_000), parcel -> parcel);
                      ItemResults<List<String>> results =
                          run.forEach(
                              "many",
                              many,
                              (_, parcel) -> List.of(parcel.equals("p7") ? large : parcel),
                              new TypeToken<List<String>>() {});
                      run.sleep("later", Duration.ofMinutes(1));
                      long right =
                          results.items().stream()
                              .filter(
                                  item ->
                                      List.of(item.key().equals("p7") ? large : item.key())
                                          .equals(item.output()))
                              .count();
                      return new Receipt(order.id(), Long.toString(right));
                    }));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));

    assertThat(end(run)).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(run.await().key()).isEqualTo("10000");
  }

  @Test
  void results_that_are_too_large_together_fail_the_loop_when_all_items_have_ended() {
    String text = "x".repeat(1_000_000);
    var flow =
        register(
            orders("large")
                .body(
                    (run, order) -> {
                      var each = Each.of(parcels(20), parcel -> parcel).atOnce(1);
                      run.forEach(
                          "large",
                          each,
                          (_, _) -> {
                            computed.incrementAndGet();
                            return text;
                          },
                          String.class);
                      return new Receipt(order.id(), "");
                    }));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));

    assertFails(run, "too-large").hasMessageContaining("16,777,216 bytes together");
    assertThat(computed).hasValue(20);
    assertThat(Objects.requireNonNull(run.run().error()).retryable()).isFalse();
  }
}
