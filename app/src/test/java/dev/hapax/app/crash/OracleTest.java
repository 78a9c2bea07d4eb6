package dev.hapax.app.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.crash.Order.Guarded;
import dev.hapax.app.crash.Order.Workload;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.Run;
import dev.hapax.testkit.fault.Arrival;
import dev.hapax.testkit.fault.SinkFaults;
import dev.hapax.testkit.fault.SinkFaults.First;
import dev.hapax.testkit.fault.SinkRequest.Mode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The oracle finds what it is there to find: one honest history, bent in one way at a time. */
@Tag("crash")
class OracleTest {
  private static Witnesses honest =
      new Witnesses(
          Map.of(), Set.of(), List.of(), List.of(), List.of(), Map.of(), List.of(), Set.of());

  @BeforeAll
  static void let_one_process_do_its_work(@TempDir Path directory) throws Exception {
    try (Site site = Site.open(directory, SinkFaults.none().first(First.LOST))) {
      site.settle(Workload.ONE_PER_GUARD, Guarded.values().length);
      honest = site.witnesses();
    }
  }

  @Test
  void an_honest_history_has_no_problems() {
    assertThat(Oracle.problems(honest)).isEmpty();
    assertThat(honest.tally()).isEqualTo(new Witnesses.Tally(5, 4, 1, 4, 4));
  }

  @Test
  void a_lost_run_is_found() {
    Run lost = honest.runs().getFirst();
    assertThat(Oracle.problems(withRuns(run -> !run.equals(lost))))
        .anyMatch(problem -> problem.startsWith("O1"));
  }

  @Test
  void a_lost_run_that_a_client_has_started_again_is_found() {
    var witnesses =
        new Witnesses(
            honest.acknowledged(),
            Set.of("guard-0"),
            honest.arrivals(),
            honest.bookings(),
            honest.runs(),
            honest.histories(),
            honest.effects(),
            honest.inReview());
    assertThat(Oracle.problems(witnesses)).anyMatch(problem -> problem.startsWith("O1"));
  }

  @Test
  void a_client_that_got_another_run_is_found() {
    var told = new HashMap<>(honest.acknowledged());
    told.put("guard-0", Set.of("r-aaaaaaaaaaaaaaaaaaaaaaaaaa"));
    assertThat(Oracle.problems(with(told, honest.arrivals(), honest.bookings())))
        .anyMatch(problem -> problem.startsWith("O2"));
  }

  @Test
  void a_request_without_an_intent_is_found() {
    assertThat(
            Oracle.problems(
                withArrival(
                    Mode.RAW,
                    arrival ->
                        copy(arrival, "stranger", arrival.wireKey(), arrival.payloadHash()))))
        .anyMatch(problem -> problem.startsWith("O4"));
  }

  @Test
  void another_wire_key_is_found() {
    assertThat(
            Oracle.problems(
                withArrival(
                    Mode.UPSERT,
                    arrival -> copy(arrival, arrival.key(), "other", arrival.payloadHash()))))
        .anyMatch(problem -> problem.startsWith("O5"));
  }

  @Test
  void other_bytes_are_found() {
    assertThat(
            Oracle.problems(
                withArrival(
                    Mode.UPSERT,
                    arrival -> copy(arrival, arrival.key(), arrival.wireKey(), "other"))))
        .anyMatch(problem -> problem.startsWith("O6"));
  }

  @Test
  void a_second_execution_is_found_behind_every_guard() {
    for (Mode mode : List.of(Mode.KEYED, Mode.LOOKUP, Mode.RAW)) {
      assertThat(Oracle.problems(withArrival(mode, UnaryOperator.identity())))
          .as("%s", mode)
          .anyMatch(problem -> problem.startsWith("O6"));
    }
    var twice = new ArrayList<>(honest.bookings());
    twice.addAll(honest.bookings());
    assertThat(Oracle.problems(with(honest.acknowledged(), honest.arrivals(), twice)))
        .anyMatch(problem -> problem.startsWith("O6"));
  }

  @Test
  void a_doubt_that_is_hidden_is_found() {
    var hidden =
        new Witnesses(
            honest.acknowledged(),
            honest.madeAgain(),
            honest.arrivals(),
            honest.bookings(),
            honest.runs(),
            honest.histories(),
            honest.effects(),
            Set.of());
    assertThat(Oracle.problems(hidden)).anyMatch(problem -> problem.startsWith("O7"));
  }

  @Test
  void an_effect_that_only_the_ledger_knows_is_found() {
    List<Arrival> none = List.of();
    assertThat(Oracle.problems(with(honest.acknowledged(), none, honest.bookings())))
        .anyMatch(problem -> problem.startsWith("O8"));
  }

  @Test
  void an_effect_that_was_dropped_is_found() {
    List<EffectRecord> dropped =
        honest.effects().stream()
            .filter(effect -> !effect.step().name().equals(Guarded.KEYED.step()))
            .toList();
    var witnesses =
        new Witnesses(
            honest.acknowledged(),
            honest.madeAgain(),
            honest.arrivals(),
            honest.bookings(),
            honest.runs(),
            honest.histories(),
            dropped,
            honest.inReview());
    assertThat(Oracle.problems(witnesses)).anyMatch(problem -> problem.startsWith("O8"));
  }

  private static Witnesses withRuns(Predicate<Run> kept) {
    return new Witnesses(
        honest.acknowledged(),
        honest.madeAgain(),
        honest.arrivals(),
        honest.bookings(),
        honest.runs().stream().filter(kept).toList(),
        honest.histories(),
        honest.effects(),
        honest.inReview());
  }

  /** One more request of this mode at the sink: the one that was applied, bent. */
  private static Witnesses withArrival(Mode mode, UnaryOperator<Arrival> bend) {
    Arrival applied =
        honest.arrivals().stream()
            .filter(one -> one.mode() == mode && one.applied())
            .findFirst()
            .orElseThrow();
    var arrivals = new ArrayList<>(honest.arrivals());
    arrivals.add(bend.apply(applied));
    return with(honest.acknowledged(), arrivals, honest.bookings());
  }

  private static Witnesses with(
      Map<String, Set<String>> acknowledged, List<Arrival> arrivals, List<Books.Booking> bookings) {
    return new Witnesses(
        acknowledged,
        honest.madeAgain(),
        arrivals,
        bookings,
        honest.runs(),
        honest.histories(),
        honest.effects(),
        honest.inReview());
  }

  private static Arrival copy(Arrival arrival, String key, String wireKey, String payloadHash) {
    return new Arrival(
        arrival.number(),
        arrival.at(),
        arrival.mode(),
        key,
        wireKey,
        payloadHash,
        arrival.applied(),
        arrival.fault());
  }
}
