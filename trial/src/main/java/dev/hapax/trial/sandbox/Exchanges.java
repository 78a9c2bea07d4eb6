package dev.hapax.trial.sandbox;

import dev.hapax.flow.NotApplied;
import dev.hapax.flows.connection.AnswerLost;
import dev.hapax.time.Clock;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Carries letters to destinations and answers back, with the faults that the book asks for, and
 * writes down what left and what happened. Safe for many threads.
 */
final class Exchanges {
  private final Clock clock;
  private final AnswerBook book;
  private final DoneBook done = new DoneBook();
  private final Map<Integer, SandboxRequest> requests = new TreeMap<>();
  private final List<Integer> applied = new ArrayList<>();
  private final Map<String, Content> contents = new HashMap<>();
  private final List<Late> late = new ArrayList<>();
  private int count;
  private volatile SendWatch watch = SendWatch.NONE;

  /** Makes the answer of a destination that gets a request. */
  @FunctionalInterface
  interface Reply {
    Content to(SandboxRequest request, SandboxAnswer given);
  }

  /** A request that is still on its way. */
  private record Late(
      Instant at, SandboxRequest request, Letter letter, SandboxAnswer given, Reply reply) {}

  Exchanges(Clock clock, AnswerBook book) {
    this.clock = clock;
    this.book = book;
  }

  void watch(SendWatch other) {
    watch = other;
  }

  /** Sends a letter and returns its answer; throws what a sender sees if something goes wrong. */
  Content send(Letter letter, RequestOrigin from, Duration timeout, Reply reply)
      throws IOException {
    SandboxRequest request;
    SandboxAnswer given;
    synchronized (this) {
      arriveUntil(clock.now());
      SandboxRequest asked = number(letter, from);
      given =
          from.role() == RequestOrigin.Role.LOOKUP
              ? book.lookup(asked, contentFor(from) != null)
              : book.answerTo(asked);
      request = asked.meets(given.fault());
    }
    watch.before(request);
    synchronized (this) {
      requests.put(request.number(), request);
      switch (given.fault()) {
        case REFUSED ->
            throw new NotApplied("no connection to %s: refused".formatted(letter.url()));
        case LOST -> throw lost(letter, "the connection was reset");
        case LATE -> {
          Duration after = given.arrivesAfter() == null ? timeout : given.arrivesAfter();
          late.add(new Late(clock.now().plus(after), request, letter, given, reply));
          throw lost(letter, "timed out after " + timeout);
        }
        case NONE, APPLIED_THEN_LOST, DUPLICATE -> {}
      }
    }
    Content content = arrive(request, letter, given, reply);
    if (given.fault() == SandboxFault.DUPLICATE) {
      var _ = arrive(request, letter, given, reply);
    }
    watch.after(now(request));
    if (given.fault() == SandboxFault.APPLIED_THEN_LOST) {
      throw lost(letter, "the connection was reset");
    }
    return content;
  }

  private SandboxRequest number(Letter letter, RequestOrigin from) {
    count++;
    return new SandboxRequest(
        count,
        clock.now(),
        from,
        from.role() == RequestOrigin.Role.DELIVERY ? SandboxRequest.Way.MESSAGE : letter.way(),
        letter.connection(),
        letter.method(),
        letter.url(),
        letter.headers(),
        letter.body(),
        letter.key(),
        SandboxFault.NONE,
        0,
        false,
        null);
  }

  private static AnswerLost lost(Letter letter, String why) {
    return new AnswerLost(
        "%s: the request may have arrived, but no answer was received: %s"
            .formatted(letter.shown(), why),
        null);
  }

  /** The destination gets the request, and does it unless it knows it already. */
  private synchronized Content arrive(
      SandboxRequest request, Letter letter, SandboxAnswer given, Reply reply) {
    Instant now = clock.now();
    Content first = given.isFailure() ? null : done.known(letter.sameness(), now);
    if (first != null) {
      update(now(request).known().answered(first.status()));
      String mark = letter.repeatMark();
      return mark == null ? first : first.with(mark, "true");
    }
    Content content = reply.to(request, given);
    SandboxRequest after = now(request).answered(content.status());
    if (given.isApplied() && !(letter.sameness() instanceof Sameness.Reading)) {
      boolean isNew = done.apply(letter.sameness(), content, now);
      after = isNew ? after.appliedOnce() : after.known();
      if (isNew) {
        applied.add(request.number());
      }
      contents.put(effectOf(request.from()), content);
    }
    update(after);
    return content;
  }

  private synchronized SandboxRequest now(SandboxRequest request) {
    return requests.getOrDefault(request.number(), request);
  }

  private void update(SandboxRequest request) {
    requests.put(request.number(), request);
  }

  private static String effectOf(RequestOrigin from) {
    return from.effect() + "\n" + from.key();
  }

  /** Returns the answer to the effect that a lookup asks for, if the effect has happened. */
  synchronized @Nullable Content contentFor(RequestOrigin looking) {
    return requests.values().stream()
        .map(SandboxRequest::from)
        .filter(from -> from.isEffect() && from.isSameStepAs(looking))
        .map(Exchanges::effectOf)
        .reduce((_, last) -> last)
        .map(contents::get)
        .orElse(null);
  }

  /** Returns the answer to a request with this wire key that was done; null if none was. */
  synchronized @Nullable Content contentOf(String wireKey) {
    arriveUntil(clock.now());
    return requests.values().stream()
        .filter(request -> request.from().wireKey().equals(wireKey) && isDone(request))
        .map(request -> contents.get(effectOf(request.from())))
        .findFirst()
        .orElse(null);
  }

  private static boolean isDone(SandboxRequest request) {
    return request.isApplied() || request.isDuplicate();
  }

  private void arriveUntil(Instant time) {
    List<Late> due = late.stream().filter(one -> !one.at().isAfter(time)).toList();
    late.removeAll(due);
    due.stream()
        .sorted((a, b) -> a.at().compareTo(b.at()))
        .forEach(one -> arrive(one.request(), one.letter(), one.given(), one.reply()));
  }

  /** Everything that is on its way arrives now. */
  synchronized void arriveAll() {
    arriveUntil(Instant.MAX);
  }

  synchronized List<SandboxRequest> requests() {
    arriveUntil(clock.now());
    return List.copyOf(requests.values());
  }

  synchronized List<SandboxRequest> applied() {
    arriveUntil(clock.now());
    return applied.stream().map(requests::get).toList();
  }

  synchronized List<EffectTruth> truth() {
    arriveUntil(clock.now());
    var effects = new LinkedHashMap<String, EffectTruth>();
    for (SandboxRequest request : requests.values()) {
      if (request.from().isEffect()) {
        EffectTruth before =
            effects.getOrDefault(request.from().wireKey(), EffectTruth.of(request.from()));
        effects.put(request.from().wireKey(), before.and(request));
      }
    }
    return List.copyOf(effects.values());
  }
}
