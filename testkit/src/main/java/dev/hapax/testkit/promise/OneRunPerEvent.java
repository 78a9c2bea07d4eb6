package dev.hapax.testkit.promise;

import dev.hapax.flow.InboxFilter;
import dev.hapax.flow.InboxOutcome;
import dev.hapax.flow.Run;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The inbox: an event is accepted once, however often it is delivered, and all deliveries are
 * answered with the same run, which exists. No older version of an object is accepted after a newer
 * one. An event that can become an input is never kept as invalid, no matter what happened to the
 * node that received it. An equal version with other content is not taken for a duplicate: the
 * answer is always a run of the event's own content.
 */
public final class OneRunPerEvent implements Promise {
  /** Events, and the newest versions of their objects, are kept at least a little longer. */
  private static final Duration REMEMBERED = Duration.ofDays(29);

  @Override
  public List<String> brokenBy(Evidence evidence) {
    List<String> broken = new ArrayList<>();
    var runs = evidence.runsById();
    Map<String, Observation.EventTold> accepted = new HashMap<>();
    Map<String, String> runOf = new HashMap<>();
    List<Observation.EventTold> told = evidence.observed(Observation.EventTold.class);
    for (int i = 0; i < told.size(); i++) {
      var one = told.get(i);
      String run = one.run();
      if (run != null) {
        String first = runOf.putIfAbsent(one.event(), run);
        if (first != null && !first.equals(run)) {
          broken.add("%s has two runs, %s and %s".formatted(one.event(), first, run));
        }
        Run answering = runs.get(run);
        if (answering == null) {
          broken.add("%s, but there is no such run".formatted(one));
        } else if (!answering.key().equals(one.content())) {
          broken.add("%s, but that run is about other content".formatted(one));
        }
      }
      if (one.outcome() == InboxOutcome.ACCEPTED) {
        if (accepted.putIfAbsent(one.event(), one) != null) {
          broken.add("%s was accepted twice".formatted(one.event()));
        }
        told.subList(0, Math.min(i, one.after())).stream()
            .filter(before -> isNewer(before, one))
            .forEach(newer -> broken.add("%s was accepted after %s".formatted(one, newer)));
      }
    }
    findInvalid(evidence, told, broken);
    return broken;
  }

  /** Searches the answers and the stored events: the sender of an event may have got no answer. */
  private static void findInvalid(
      Evidence evidence, List<Observation.EventTold> told, List<String> broken) {
    Set<String> sane = new HashSet<>();
    for (Observation.EventTold one : told) {
      if (one.isSane()) {
        sane.add(one.event());
        if (one.outcome() == InboxOutcome.INVALID) {
          broken.add("%s, but an input can be made of it".formatted(one));
        }
      }
    }
    var invalid = InboxFilter.of(evidence.tenant()).outcome(InboxOutcome.INVALID);
    evidence.store().events(invalid).stream()
        .filter(event -> sane.contains(event.event()))
        .forEach(
            event ->
                broken.add(
                    "%s is kept as invalid, but an input can be made of it: %s"
                        .formatted(event.event(), event.detail())));
  }

  private static boolean isNewer(Observation.EventTold before, Observation.EventTold one) {
    return before.outcome() == InboxOutcome.ACCEPTED
        && before.at().plus(REMEMBERED).isAfter(one.newest())
        && before.object().equals(one.object())
        && before.version() > one.version();
  }
}
