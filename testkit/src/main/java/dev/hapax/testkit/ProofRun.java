package dev.hapax.testkit;

import dev.hapax.Hapax;
import dev.hapax.RunHandle;
import dev.hapax.Settlement;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Flow;
import dev.hapax.flow.HistoryEntry;
import dev.hapax.flow.Interceptor;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.StoreBroken;
import dev.hapax.flow.StoreClosed;
import dev.hapax.json.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** One run of a proof, in which at most one thing goes wrong, and everything seen of it. */
final class ProofRun<I> {
  private static final int MOST_REVIEWS = 20;

  private final Flow<I, ?> flow;
  private final I input;
  private final Disturbance disturbance;
  private final BiConsumer<Hapax, String> whenWaiting;
  private final Requests requests = new Requests();
  private final List<String> problems = new ArrayList<>();
  private List<HistoryEntry> history = List.of();
  private RunStatus status = RunStatus.QUEUED;
  private final AtomicInteger commits = new AtomicInteger();
  private int commitsToItsEnd;
  private int reviews;
  private volatile @Nullable Stage stage;

  ProofRun(
      Flow<I, ?> flow, I input, Disturbance disturbance, BiConsumer<Hapax, String> whenWaiting) {
    this.flow = flow;
    this.input = input;
    this.disturbance = disturbance;
    this.whenWaiting = whenWaiting;
  }

  void carryOut(List<Flow<?, ?>> flows) {
    try (Stage opened = new Stage(flows, requests, this::aroundCommit)) {
      stage = opened;
      String id = start(opened);
      bringToItsEnd(opened, id);
      status = opened.hapax().run(id).status();
      history = opened.hapax().history(id);
      commitsToItsEnd = commits.get();
      int before = requests.sent().size();
      RunHandle<?> again = opened.hapax().start(flow, input);
      opened.awaitQuiet();
      if (!again.isDuplicate() || requests.sent().size() != before) {
        note("a second start did the work again");
      }
    }
  }

  /** Starts the run. Like a client that got no answer, it asks again. */
  private String start(Stage on) {
    while (true) {
      try {
        return on.hapax().start(flow, input).id();
      } catch (StoreBroken | StoreClosed e) {
        on.openAgain();
      }
    }
  }

  private void bringToItsEnd(Stage on, String id) {
    while (true) {
      switch (on.drive(id)) {
        case ENDED -> {
          return;
        }
        case PROCESS_DIED -> on.openAgain();
        case REVIEW -> {
          if (++reviews > MOST_REVIEWS) {
            throw new AssertionError(
                "a person is asked again and again: %s".formatted(on.hapax().history(id)));
          }
          settle(on.hapax());
        }
        case WAITING -> whenWaiting.accept(on.hapax(), id);
      }
    }
  }

  /** Settles reviews like a person who looks at the destination. */
  private void settle(Hapax hapax) {
    for (EffectRecord effect : hapax.effects(hapax.effects().state(EffectState.REVIEW))) {
      String answer = requests.answerTo(effect.wireKey());
      hapax.settle(
          effect.id(),
          answer == null
              ? Settlement.notHappened("it is not there", "proof")
              : Settlement.happened(Json.read(answer, Object.class), "it is there", "proof"));
    }
  }

  private void aroundCommit(Stage on, Runnable commit) {
    boolean isIts = commits.incrementAndGet() == disturbance.number();
    if (isIts && disturbance.what() == Disturbance.What.KILL_BEFORE_COMMIT) {
      on.die();
      return;
    }
    commit.run();
    if (isIts && disturbance.what() == Disturbance.What.KILL_AFTER_COMMIT) {
      on.die();
    }
  }

  /** Compares two runs. A request may be sent again under one key only if its guard allows it. */
  void compareWith(ProofRun<I> undisturbed) {
    if (status != undisturbed.status) {
      note("the run ended as %s: %s".formatted(status.word(), history));
    }
    Map<String, List<Request>> mine = requests.byEffect();
    for (var effect : undisturbed.requests.byEffect().entrySet()) {
      List<Request> sent = mine.getOrDefault(effect.getKey(), List.of());
      if (wireKeys(sent).size() != wireKeys(effect.getValue()).size()) {
        note("%s was sent under the keys %s".formatted(effect.getKey(), wireKeys(sent)));
      }
      if (sent.stream().noneMatch(Request::happened)) {
        note(effect.getKey() + " did not happen");
      }
      if (removesNoDoubles(sent) && happened(sent) > happened(effect.getValue())) {
        note("%s happened %d times".formatted(effect.getKey(), happened(sent)));
      }
    }
  }

  private static Set<String> wireKeys(List<Request> sent) {
    Set<String> keys = new TreeSet<>();
    sent.forEach(request -> keys.add(request.sending().wireKey()));
    return keys;
  }

  private static boolean removesNoDoubles(List<Request> sent) {
    return sent.stream()
        .map(request -> request.sending().guard())
        .anyMatch(guard -> guard.equals("none") || guard.equals("lookup"));
  }

  private static long happened(List<Request> sent) {
    return sent.stream().filter(Request::happened).count();
  }

  void note(String problem) {
    problems.add("When " + disturbance + ": " + problem);
  }

  List<String> problems() {
    return problems;
  }

  List<HistoryEntry> history() {
    return history;
  }

  RunStatus status() {
    return status;
  }

  int commits() {
    return commitsToItsEnd;
  }

  int reviews() {
    return reviews;
  }

  List<Interceptor.Sending> requests() {
    return requests.sent().stream().map(Request::sending).toList();
  }

  /** A request that reached its sender, and the answer that the sender gave. */
  private record Request(Interceptor.Sending sending, @Nullable String answer) {
    boolean happened() {
      return answer != null;
    }
  }

  /** Sits between the engine and the world. Safe for many threads. */
  private final class Requests implements Interceptor {
    private final List<Request> sent = new ArrayList<>();
    private int count;

    @Override
    public String send(Sending sending, Answering sender) throws Exception {
      int number;
      synchronized (this) {
        number = ++count;
      }
      Disturbance.What what =
          number == disturbance.number() ? disturbance.what() : Disturbance.What.NOTHING;
      if (what == Disturbance.What.KILL_BEFORE_SEND) {
        throw died();
      }
      String answer = call(sending, sender);
      if (what == Disturbance.What.DOUBLE_REQUEST) {
        answer = call(sending, sender);
      }
      if (what == Disturbance.What.KILL_AFTER_SEND) {
        throw died();
      }
      if (what == Disturbance.What.LOSE_ANSWER) {
        throw new IOException("the answer was lost");
      }
      return answer;
    }

    private String call(Sending sending, Answering sender) throws Exception {
      String answer = null;
      try {
        answer = sender.send();
        return answer;
      } finally {
        synchronized (this) {
          sent.add(new Request(sending, answer));
        }
      }
    }

    private IOException died() {
      Stage on = stage;
      if (on != null) {
        on.die();
      }
      return new IOException("the process died");
    }

    synchronized List<Request> sent() {
      return List.copyOf(sent);
    }

    /** Returns the requests by the effect's name and key. */
    synchronized Map<String, List<Request>> byEffect() {
      var effects = new LinkedHashMap<String, List<Request>>();
      for (Request request : sent) {
        String effect =
            "effect '%s' with key '%s'"
                .formatted(request.sending().effect(), request.sending().key());
        effects.computeIfAbsent(effect, _ -> new ArrayList<>()).add(request);
      }
      return effects;
    }

    synchronized @Nullable String answerTo(String wireKey) {
      return sent.stream()
          .filter(request -> request.sending().wireKey().equals(wireKey) && request.happened())
          .map(Request::answer)
          .reduce((_, last) -> last)
          .orElse(null);
    }
  }
}
