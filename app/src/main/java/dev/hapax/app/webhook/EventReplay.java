package dev.hapax.app.webhook;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.hapax.Acknowledgement;
import dev.hapax.Inbox;
import dev.hapax.Source;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.Problem;
import dev.hapax.app.release.EventOrigin;
import dev.hapax.app.release.EventOrigins;
import dev.hapax.flow.InboxEvent;
import dev.hapax.flow.InboxFilter;
import dev.hapax.flow.InboxOutcome;
import dev.hapax.flow.QuotaExceeded;
import dev.hapax.time.IdSource;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Tries the events of a time again, the oldest first, or says what would become of them. An event
 * that started a run keeps its outcome, so a replay can be repeated: it starts nothing twice.
 */
final class EventReplay {
  private static final int MOST_AT_ONCE = 200;

  /** More would take too long to read for one call. */
  private static final int MOST_IN_RANGE = 10_000;

  /** Payloads may be large, so events are read a few at a time. */
  private static final int PART = 50;

  /** A number is made shortly before its event counts as received. */
  private static final Duration SLACK = Duration.ofMinutes(1);

  /** Numbers reach no further. */
  private static final Instant LAST = Instant.parse("2200-01-01T00:00:00Z");

  private final EventOrigins origins;

  EventReplay(EventOrigins origins) {
    this.origins = origins;
  }

  /**
   * Which events to try.
   *
   * @param from received at this time or later
   * @param to received before this time
   * @param source only events of this webhook or queue
   * @param outcomes only events with these outcomes; without it, invalid and rejected ones, and in
   *     a dry run all
   * @param dryRun whether to say only what would happen
   * @param limit at most so many, 1 to 200
   * @param after {@code next} of the answer before
   */
  record ReplayBody(
      @Nullable String from,
      @Nullable String to,
      @Nullable String source,
      @Nullable List<String> outcomes,
      @Nullable Boolean dryRun,
      @Nullable Integer limit,
      @Nullable String after) {}

  /**
   * What became of the events.
   *
   * @param totals how many have which outcome now
   * @param next for the next call; null if there are no more
   * @param stopped why it ended early; absent if it did not
   */
  record Replayed(
      boolean dryRun,
      Map<String, Integer> totals,
      List<ReplayedEvent> items,
      @Nullable String next,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String stopped) {}

  /**
   * An event that was tried again.
   *
   * @param was its outcome before
   * @param outcome that it has now, or would have
   */
  record ReplayedEvent(
      String id,
      String source,
      String event,
      String was,
      String outcome,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String run,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String detail) {

    private static ReplayedEvent of(InboxEvent event, Acknowledgement now) {
      return new ReplayedEvent(
          event.id(),
          event.source(),
          event.event(),
          event.outcome().word(),
          now.outcome().word(),
          now.run(),
          now.detail());
    }
  }

  Replayed replay(Call call, ReplayBody body) {
    boolean isDry = Boolean.TRUE.equals(body.dryRun());
    int limit = body.limit() == null ? MOST_AT_ONCE : body.limit();
    if (limit < 1 || limit > MOST_AT_ONCE) {
      throw Problem.invalidInput("limit: expected 1 to %d, got %d".formatted(MOST_AT_ONCE, limit));
    }
    Set<InboxOutcome> outcomes = outcomes(body.outcomes(), isDry);
    SortedSet<Long> numbers = inRange(call, body, outcomes);
    Inbox inbox = call.hapax().inbox();
    var items = new ArrayList<ReplayedEvent>();
    String last = null;
    for (long number : numbers) {
      if (items.size() == limit) {
        return replayed(isDry, items, last, null);
      }
      List<InboxEvent> found = inbox.events(inbox.events().number(number));
      if (found.isEmpty() || !call.mayUse(found.getFirst().flow())) {
        continue; // it has expired meanwhile, or belongs to another flow
      }
      try {
        items.add(tried(call, found.getFirst(), isDry));
      } catch (QuotaExceeded e) {
        if (items.isEmpty()) {
          throw e;
        }
        return replayed(isDry, items, last, e.getMessage());
      }
      last = found.getFirst().id();
    }
    return replayed(isDry, items, null, null);
  }

  private static Replayed replayed(
      boolean isDry, List<ReplayedEvent> items, @Nullable String next, @Nullable String stopped) {
    var totals = new TreeMap<String, Integer>();
    items.forEach(item -> totals.merge(item.outcome(), 1, Integer::sum));
    return new Replayed(isDry, totals, List.copyOf(items), next, stopped);
  }

  private ReplayedEvent tried(Call call, InboxEvent event, boolean isDry) {
    EventOrigin origin = origins.find(call.actor().tenant(), event.source());
    if (origin == null || !call.mayUse(origin.owner().flow())) {
      return ReplayedEvent.of(
          event,
          new Acknowledgement(
              event.id(),
              event.outcome(),
              event.run(),
              "no live release has the source '%s' any more".formatted(event.source())));
    }
    Source<?, ?> source = origin.source();
    Inbox inbox = call.hapax().inbox();
    if (isDry) {
      return ReplayedEvent.of(event, inbox.foresee(event.id(), source));
    }
    try {
      return ReplayedEvent.of(event, inbox.retry(event.id(), source));
    } catch (IllegalStateException e) { // another caller was faster
      return ReplayedEvent.of(event, inbox.foresee(event.id(), source));
    }
  }

  /** Returns the numbers of the events in order of arrival, without keeping their payloads. */
  private static SortedSet<Long> inRange(Call call, ReplayBody body, Set<InboxOutcome> outcomes) {
    Instant from = time("from", body.from());
    Instant to = time("to", body.to());
    if (!from.isBefore(to)) {
      throw Problem.invalidInput("from: expected a time before 'to'");
    }
    String cursor = body.after();
    long after = cursor == null ? Long.MIN_VALUE : InboxEvent.number(cursor);
    Inbox inbox = call.hapax().inbox();
    var numbers = new TreeSet<Long>();
    InboxFilter filter = inbox.events().source(body.source());
    boolean isAll = outcomes.size() == InboxOutcome.values().length;
    for (InboxOutcome outcome : isAll ? Arrays.asList((InboxOutcome) null) : outcomes) {
      long before = IdSource.firstAt(to.plus(SLACK));
      List<InboxEvent> part;
      do {
        part = inbox.events(filter.outcome(outcome).page(before, PART));
        for (InboxEvent event : part) {
          before = event.number();
          boolean isIn = !event.receivedAt().isBefore(from) && event.receivedAt().isBefore(to);
          if (isIn && before > after) {
            numbers.add(before);
          }
        }
        if (numbers.size() > MOST_IN_RANGE) {
          throw Problem.invalidInput(
              "from, to: more than %,d events are in this time; take a shorter one, or name a source"
                  .formatted(MOST_IN_RANGE));
        }
      } while (part.size() == PART
          && before > after
          && IdSource.timeOf(before).isAfter(from.minus(SLACK)));
    }
    return numbers;
  }

  private static Instant time(String name, @Nullable String given) {
    try {
      Instant time = given == null ? null : OffsetDateTime.parse(given).toInstant();
      if (time != null && time.isAfter(Instant.EPOCH) && time.isBefore(LAST)) {
        return time;
      }
    } catch (DateTimeParseException e) {
      // falls through to the one message
    }
    throw Problem.invalidInput(
        "%s: expected a time such as 2026-11-15T10:00:00Z, got '%s'".formatted(name, given));
  }

  private static Set<InboxOutcome> outcomes(@Nullable List<String> words, boolean isDry) {
    if (words == null) {
      return isDry
          ? EnumSet.allOf(InboxOutcome.class)
          : EnumSet.of(InboxOutcome.INVALID, InboxOutcome.REJECTED);
    }
    var found = EnumSet.noneOf(InboxOutcome.class);
    for (String word : words) {
      InboxOutcome outcome = InboxRoutes.outcome(word);
      if (outcome == null || (!isDry && !outcome.canBeTriedAgain())) {
        throw Problem.invalidInput(
            "outcomes: only events that are invalid, rejected or in review can be tried again, got '%s'. With dryRun all can be named."
                .formatted(word));
      }
      found.add(outcome);
    }
    if (found.isEmpty()) {
      throw Problem.invalidInput("outcomes: expected at least one");
    }
    return found;
  }
}
