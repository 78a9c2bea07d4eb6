package dev.hapax.testkit.simulation;

import dev.hapax.flow.InboxOutcome;
import dev.hapax.flow.RunId;
import dev.hapax.testkit.promise.ClientCall;
import dev.hapax.testkit.promise.Evidence;
import dev.hapax.testkit.promise.ExpiredIsNotRepeated;
import dev.hapax.testkit.promise.LeasesAreKept;
import dev.hapax.testkit.promise.NoMoreCallsThanAllowed;
import dev.hapax.testkit.promise.NoMoreThanTheLimit;
import dev.hapax.testkit.promise.Observation;
import dev.hapax.testkit.promise.OneRunPerEvent;
import dev.hapax.testkit.promise.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** As {@link CheckersFailTest}, for the promises about where runs come from and how they go. */
@Tag("simulation")
class DoorCheckersFailTest {
  private static final RunId OTHER = RunId.of("default", "other", "other", null);

  /** Adds to what was seen what the falsification makes of the last of its kind. */
  private static <T extends Observation> void sees(
      Promise promise, Class<T> kind, Function<T, @Nullable Observation> falsification) {
    FalsifiedEvidence.sees(
        Generator.MIXED,
        promise,
        truth -> {
          Observation lie =
              truth.observations().reversed().stream()
                  .filter(kind::isInstance)
                  .map(kind::cast)
                  .map(falsification)
                  .filter(Objects::nonNull)
                  .findFirst()
                  .orElse(null);
          return lie == null ? null : with(truth, lie);
        });
  }

  private static Evidence with(Evidence truth, Observation lie) {
    List<Observation> seen = new ArrayList<>(truth.observations());
    seen.add(lie);
    return new Evidence(
        truth.store(), truth.tenant(), truth.sendings(), truth.stepCalls(), truth.calls(), seen);
  }

  @Test
  void more_runs_inside_than_the_limit() {
    sees(
        new NoMoreThanTheLimit(),
        Observation.SlotUsed.class,
        used -> new Observation.SlotUsed(used.gate(), 0, List.of("r-somebody")));
  }

  @Test
  void more_calls_at_once_than_the_destination_allows() {
    sees(
        new NoMoreCallsThanAllowed(),
        Observation.DestinationCalled.class,
        called -> new Observation.DestinationCalled(called.destination(), 0, called.underWay()));
  }

  @Test
  void an_event_that_was_accepted_twice() {
    sees(
        new OneRunPerEvent(),
        Observation.EventTold.class,
        told -> told.outcome() == InboxOutcome.ACCEPTED ? told : null);
  }

  @Test
  void an_event_with_two_runs() {
    sees(
        new OneRunPerEvent(),
        Observation.EventTold.class,
        told ->
            told.run() == null
                ? null
                : new Observation.EventTold(
                    told.after(),
                    told.at(),
                    told.newest(),
                    told.event(),
                    told.object(),
                    told.version(),
                    told.content(),
                    told.isSane(),
                    told.told(),
                    InboxOutcome.DUPLICATE,
                    OTHER.toString()));
  }

  @Test
  void an_equal_version_with_other_content_that_was_taken_for_a_duplicate() {
    sees(
        new OneRunPerEvent(),
        Observation.EventTold.class,
        told ->
            told.run() == null
                ? null
                : new Observation.EventTold(
                    told.after(),
                    told.at(),
                    told.newest(),
                    "another event",
                    told.object(),
                    told.version(),
                    "other content",
                    told.isSane(),
                    told.told(),
                    InboxOutcome.DUPLICATE,
                    told.run()));
  }

  @Test
  void an_event_that_was_called_invalid_and_is_not() {
    sees(
        new OneRunPerEvent(),
        Observation.EventTold.class,
        told ->
            told.isSane()
                ? new Observation.EventTold(
                    told.after(),
                    told.at(),
                    told.newest(),
                    told.event(),
                    told.object(),
                    told.version(),
                    told.content(),
                    true,
                    told.told(),
                    InboxOutcome.INVALID,
                    null)
                : null);
  }

  @Test
  void an_event_that_is_kept_as_invalid_and_is_not() {
    sees(
        new OneRunPerEvent(),
        Observation.EventTold.class,
        told ->
            told.outcome() == InboxOutcome.INVALID && !told.isSane()
                ? new Observation.EventTold(
                    told.after(),
                    told.at(),
                    told.newest(),
                    told.event(),
                    told.object(),
                    told.version(),
                    told.content(),
                    true,
                    ClientCall.Answer.UNKNOWN,
                    null,
                    null)
                : null);
  }

  @Test
  void an_acknowledged_run_of_which_not_even_a_tombstone_is_left() {
    sees(
        new ExpiredIsNotRepeated(),
        Observation.KeyReturned.class,
        back ->
            new Observation.KeyReturned(
                back.key(), true, ClientCall.Answer.ACCEPTED, OTHER.toString()));
  }

  @Test
  void a_node_that_wrote_after_it_was_replaced() {
    FalsifiedEvidence.sees(
        Generator.NODES,
        new LeasesAreKept(),
        truth -> with(truth, new Observation.WrittenByReplaced(1, "its lease")));
  }

  @Test
  void a_run_that_was_taken_from_a_node_that_lives() {
    FalsifiedEvidence.sees(
        Generator.NODES,
        new LeasesAreKept(),
        truth -> with(truth, new Observation.TakenFromLiving(1, 2, 3, Duration.ofSeconds(1))));
  }
}
