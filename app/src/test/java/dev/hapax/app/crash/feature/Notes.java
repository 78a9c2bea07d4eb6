package dev.hapax.app.crash.feature;

import dev.hapax.CatchUp;
import dev.hapax.NextInstants;
import dev.hapax.Schedule;
import dev.hapax.flow.Flow;
import java.time.Duration;
import java.time.Instant;

/** What is soon forgotten: runs of events, and runs of a schedule. */
record Notes(Post post) {
  static final String SOURCE = "desk";
  static final String SCHEDULE = "tick";
  static final Duration PERIOD = Duration.ofMinutes(3);

  private static final Duration RETENTION = Duration.ofMinutes(8);

  Flow<Case, String> flow() {
    return Flow.of(Case.Kind.NOTE.flow(), Case.class, String.class)
        .key(Case::key)
        .retention(RETENTION)
        .body(
            (run, note) -> {
              post.once(run, "noted", note.key());
              return "noted";
            });
  }

  Flow<String, String> ticks() {
    return Flow.of(SCHEDULE, String.class, String.class)
        .key(key -> key)
        .retention(RETENTION)
        .body(
            (run, instant) -> {
              post.once(run, SCHEDULE, instant);
              return "ticked";
            });
  }

  /** Every instant gets its run, however long no process ran. */
  static Schedule<String> schedule(Flow<String, String> ticks) {
    return Schedule.named(SCHEDULE)
        .flow(ticks)
        .input(Instant::toString)
        .at(NextInstants.every(PERIOD, Instant.EPOCH))
        .catchUp(CatchUp.ALL);
  }
}
