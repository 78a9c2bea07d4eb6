package dev.hapax.app.release;

import dev.hapax.app.data.Outcome;
import dev.hapax.app.data.Records;
import dev.hapax.app.data.Stored;
import dev.hapax.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Names that only one flow can have, such as the path of a webhook. A flow that is released or
 * promoted claims its names first; one that no longer uses a name loses it to the next that asks.
 */
final class Claims {
  /** A flow does not use the name visibly between its claim and the record of its release. */
  private static final Duration FRESH = Duration.ofMinutes(1);

  /** The longest delay until a node learns of a claim on another one. */
  private static final Duration KNOWN_FOR = Duration.ofSeconds(1);

  private final Records<Claim> records;
  private final Clock clock;
  private final ConcurrentMap<String, Known> known = new ConcurrentHashMap<>();

  private record Known(FlowName owner, long atNanos) {}

  /** The owner of a name, and since when. */
  record Claim(FlowName owner, Instant at) {}

  Claims(Records<Claim> records, Clock clock) {
    this.records = records;
    this.clock = clock;
  }

  @Nullable FlowName owner(String name) {
    Known before = known.get(name);
    long now = clock.nanos();
    if (before != null && now - before.atNanos() < KNOWN_FOR.toNanos()) {
      return before.owner();
    }
    Stored<Claim> standing = records.get(name);
    if (standing == null) {
      return null; // not cached: any caller can ask for any name
    }
    known.put(name, new Known(standing.value().owner(), now));
    return standing.value().owner();
  }

  /**
   * Takes the name for a flow and returns null, or returns the owner if it is taken.
   *
   * @param uses whether a flow still uses the name
   */
  @Nullable FlowName take(String name, FlowName flow, Predicate<FlowName> uses) {
    Stored<Claim> standing = records.get(name);
    while (true) {
      if (standing != null && !standing.value().owner().equals(flow)) {
        Claim claim = standing.value();
        if (claim.at().plus(FRESH).isAfter(clock.now()) || uses.test(claim.owner())) {
          return claim.owner();
        }
      }
      // Its owner writes it anew too, so that no other flow takes it by an older version.
      Outcome<Claim> outcome =
          records.compareAndSet(
              name, standing == null ? 0 : standing.version(), new Claim(flow, clock.now()));
      if (outcome.written()) {
        known.remove(name);
        return null;
      }
      standing = outcome.standing();
    }
  }
}
