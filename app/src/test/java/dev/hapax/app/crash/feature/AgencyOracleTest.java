package dev.hapax.app.crash.feature;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Hold;
import dev.hapax.flow.Line;
import dev.hapax.flow.Run;
import dev.hapax.testkit.fault.Arrival;
import dev.hapax.testkit.fault.SinkFaults;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The oracle finds what it is there to find: one honest history, bent in one way at a time. */
@Tag("crash")
class AgencyOracleTest {
  private static AgencyWitnesses honest =
      new AgencyWitnesses(
          0, List.of(), List.of(), List.of(), List.of(), Map.of(), List.of(), List.of());

  @BeforeAll
  static void let_one_process_die_and_another_do_its_work(@TempDir Path directory)
      throws Exception {
    try (AgencySite site = AgencySite.open(directory, SinkFaults.none())) {
      site.killAfter(Duration.ofMillis(1500), true); // five periods of the schedule
      honest = site.settle();
    }
  }

  @Test
  void an_honest_history_has_no_problems() {
    assertThat(AgencyOracle.problems(honest)).isEmpty();
    assertThat(honest.cases()).isEqualTo(12);
  }

  @Test
  void a_lost_run_is_found() {
    finds("a run is not there", withRuns(run -> !run.key().equals("offer-1")));
  }

  @Test
  void a_run_that_was_acknowledged_and_is_new_again_is_found() {
    finds("heard something else", withReport(Report.ACCEPTED, "payment-2", "r-1", "new"));
  }

  @Test
  void a_key_that_expired_and_has_a_run_again_is_found() {
    finds("heard something else", withReport(Report.ACCEPTED, "note-5", "r-1", "new"));
    finds("does not say so", withReport(Report.ACCEPTED, "note-5", "r-1", "known"));
  }

  @Test
  void an_event_that_is_taken_in_again_is_found() {
    finds("taken for a new one", withReport(Report.RECEIVED, "note-5", "ACCEPTED", "r-1"));
  }

  @Test
  void what_a_process_complains_of_is_found() {
    finds("a process reported", withReport(Report.PROBLEM, "something"));
  }

  @Test
  void an_effect_that_happened_twice_or_never_is_found() {
    finds("did not happen once", withArrivals(copiesOf("line order-3/1")));
    finds("did not happen once", withArrivals(without("line order-3/1")));
    finds("a note did not happen once", withArrivals(copiesOf("noted note-5")));
    finds("a note did not happen once", withArrivals(without("noted note-5")));
    finds("did not tick once", withArrivals(copiesOf("tick ")));
  }

  @Test
  void an_undo_out_of_order_or_left_out_is_found() {
    finds("reverse order", withArrivals(renumbered("flight.undo trip-0", -1)));
    finds("reverse order", withArrivals(without("hotel.undo trip-0")));
    finds("reverse order", withArrivals(renamed("car.undo trip-0", "car.undo trip-6")));
  }

  @Test
  void a_request_without_an_intent_is_found() {
    finds("without its effect", withArrivals(renamed("left order-3", "left order-33")));
  }

  @Test
  void another_wire_key_is_found() {
    finds(
        "several keys",
        withArrivals(
            all -> {
              var more = new ArrayList<>(all);
              all.stream()
                  .filter(one -> one.key().startsWith("deliver "))
                  .findFirst()
                  .ifPresent(one -> more.add(changed(one, one.number(), one.key(), "another")));
              return more;
            }));
  }

  @Test
  void an_answer_that_did_not_decide_but_was_used_is_found() {
    finds("another answer", withArrivals(renamed("booked payment-2", "booked payment-2 other")));
    finds("another decision", withArrivals(renamed("sent offer-1", "sent offer-1 other by x")));
    finds("another lock", withArrivals(renamed("leave stock-4", "leave stock-4 shelf-0 0")));
  }

  @Test
  void a_message_that_never_came_is_found() {
    finds("messages are missing", withArrivals(without("deliver ")));
  }

  @Test
  void an_effect_or_a_run_that_is_left_open_is_found() {
    finds("an effect is left open", withEffects(effect -> inState(effect, EffectState.DOUBT)));
    finds("not in its state", withEffects(effect -> inState(effect, EffectState.DONE)));
  }

  @Test
  void an_instant_that_was_left_out_is_found() {
    List<String> ticks =
        honest.arrivals().stream()
            .map(Arrival::key)
            .filter(key -> key.startsWith("tick "))
            .distinct()
            .sorted()
            .toList();
    assertThat(ticks).hasSizeGreaterThan(2);
    finds("left out", withArrivals(without(ticks.get(1))));
  }

  @Test
  void a_slot_that_was_leaked_is_found() {
    var line = Line.lock("default", "shelf-0");
    var held = new Hold(line, 1, 1, 1, 1, null, Instant.EPOCH);
    finds(
        "held by nobody",
        bent(
            honest.reports(),
            honest.arrivals(),
            honest.runs(),
            honest.effects(),
            honest.counters(),
            List.of(held)));
  }

  @Test
  void a_counter_that_is_wrong_is_found() {
    var counters = new HashMap<>(honest.counters());
    counters.put(Orders.LINE_COUNTER, "13");
    finds(
        "a counter is wrong",
        bent(
            honest.reports(),
            honest.arrivals(),
            honest.runs(),
            honest.effects(),
            counters,
            honest.holds()));
  }

  private static void finds(String words, AgencyWitnesses bent) {
    assertThat(AgencyOracle.problems(bent)).anyMatch(problem -> problem.contains(words));
  }

  private static AgencyWitnesses bent(
      List<List<String>> reports,
      List<Arrival> arrivals,
      List<Run> runs,
      List<EffectRecord> effects,
      Map<String, String> counters,
      List<Hold> holds) {
    return new AgencyWitnesses(
        honest.cases(), reports, arrivals, runs, effects, counters, holds, List.of());
  }

  private static AgencyWitnesses withRuns(Predicate<Run> kept) {
    return bent(
        honest.reports(),
        honest.arrivals(),
        honest.runs().stream().filter(kept).toList(),
        honest.effects(),
        honest.counters(),
        honest.holds());
  }

  private static AgencyWitnesses withReport(Report what, String... words) {
    var reports = new ArrayList<>(honest.reports());
    var line = new ArrayList<>(List.of(what.name()));
    line.addAll(List.of(words));
    reports.add(line);
    return bent(
        reports,
        honest.arrivals(),
        honest.runs(),
        honest.effects(),
        honest.counters(),
        honest.holds());
  }

  private static AgencyWitnesses withArrivals(UnaryOperator<List<Arrival>> bend) {
    return bent(
        honest.reports(),
        bend.apply(honest.arrivals()),
        honest.runs(),
        honest.effects(),
        honest.counters(),
        honest.holds());
  }

  private static AgencyWitnesses withEffects(UnaryOperator<EffectRecord> bend) {
    return bent(
        honest.reports(),
        honest.arrivals(),
        honest.runs(),
        honest.effects().stream().map(bend).toList(),
        honest.counters(),
        honest.holds());
  }

  private static UnaryOperator<List<Arrival>> copiesOf(String key) {
    return all -> {
      var more = new ArrayList<>(all);
      all.stream().filter(one -> one.key().startsWith(key)).forEach(more::add);
      return more;
    };
  }

  private static UnaryOperator<List<Arrival>> without(String key) {
    return all -> all.stream().filter(one -> !one.key().startsWith(key)).toList();
  }

  private static UnaryOperator<List<Arrival>> renamed(String key, String name) {
    return each(key, one -> changed(one, one.number(), name, one.wireKey()));
  }

  private static UnaryOperator<List<Arrival>> renumbered(String key, long number) {
    return each(key, one -> changed(one, number, one.key(), one.wireKey()));
  }

  private static UnaryOperator<List<Arrival>> each(String key, UnaryOperator<Arrival> bend) {
    return all ->
        all.stream().map(one -> one.key().startsWith(key) ? bend.apply(one) : one).toList();
  }

  private static Arrival changed(Arrival one, long number, String key, String wireKey) {
    return new Arrival(
        number, one.at(), one.mode(), key, wireKey, one.payloadHash(), one.applied(), one.fault());
  }

  private static EffectRecord inState(EffectRecord one, EffectState state) {
    return new EffectRecord(
        one.number(),
        one.key(),
        one.kind(),
        one.guard(),
        state,
        one.revision(),
        one.run(),
        one.step(),
        one.attempts(),
        one.fingerprint(),
        one.request(),
        one.version(),
        one.result(),
        one.externalId(),
        one.firstSentAt(),
        one.reusedBy(),
        one.evidence());
  }
}
