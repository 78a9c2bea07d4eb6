package dev.hapax.testkit;

import dev.hapax.Hapax;
import dev.hapax.flow.HistoryEntry;
import dev.hapax.flow.Interceptor;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.StoreBroken;
import dev.hapax.flow.StoreClosed;
import dev.hapax.store.Batch;
import dev.hapax.testkit.ProofRequests.Name;
import dev.hapax.testkit.ProofRequests.Sent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** One run of a proof, in which at most one thing goes wrong, and everything seen of it. */
final class ProofRun {
  private final Disturbance disturbance;
  private final Duration patience;
  private final ManualTime time = new ManualTime();
  private final ProofPerson person;
  private final SettledEffects settled = new SettledEffects();
  private final List<ProofProblem> problems = new ArrayList<>();
  private final AtomicInteger commits = new AtomicInteger();
  private List<Interceptor.Sending> requests = List.of();
  private List<HistoryEntry> history = List.of();
  private Map<Name, Deed> deeds = Map.of();
  private RunStatus status = RunStatus.QUEUED;
  private String flow = "";
  private int commitsToItsEnd;
  private boolean isExpectedEnd;
  private volatile @Nullable Stage stage;
  private volatile @Nullable String place;
  private volatile boolean isOver;

  /**
   * @param undisturbed the run in which nothing went wrong; null if this is the one
   * @param patience how long it may take, in real time
   */
  ProofRun(Disturbance disturbance, @Nullable ProofRun undisturbed, Duration patience) {
    this.disturbance = disturbance;
    this.patience = patience;
    this.person = new ProofPerson(undisturbed == null ? Map.of() : undisturbed.externalIds());
  }

  /** What a run did to one effect. */
  record Deed(
      String guard,
      int sent,
      int applied,
      Set<String> wireKeys,
      List<String> settledBy,
      int reviews,
      boolean mayRepeat) {}

  void carryOut(Function<ManualTime, ? extends ProofScene> scenes) {
    try (ProofScene scene = scenes.apply(time)) {
      var sending = new ProofRequests(disturbance, scene.interceptor(), time, this::die);
      try (Stage opened = new Stage(time, sending, this::aroundCommit, scene::register)) {
        stage = opened;
        carryOut(scene, opened, sending);
        scene.check();
      } finally {
        Interceptor.Sending disturbed = sending.disturbed();
        if (disturbed != null) {
          place =
              "%s, attempt %d"
                  .formatted(new Name(disturbed.effect(), disturbed.key()), disturbed.attempt());
        }
      }
    } catch (AssertionError e) {
      note(null, String.valueOf(e.getMessage()));
    }
  }

  private void carryOut(ProofScene scene, Stage on, ProofRequests sending) {
    String id = start(scene, on);
    bringToItsEnd(scene, on, sending, id);
    Run end = on.hapax().run(id);
    flow = end.flow();
    status = end.status();
    isExpectedEnd = scene.isExpectedEnd(status);
    history = on.hapax().history(id);
    commitsToItsEnd = commits.get();
    isOver = true;
    requests = sending.sent().stream().map(Sent::sending).toList();
    person.remember(on.hapax());
    deeds = deeds(scene, on, sending);
    ProofScene.Begun again = scene.start(on.hapax());
    on.awaitQuiet();
    if (!again.isDuplicate() || sending.sent().size() != requests.size()) {
      note(null, "a second start did the work again");
    }
  }

  /** Starts the run. Like a client that got no answer, it asks again. */
  private static String start(ProofScene scene, Stage on) {
    while (true) {
      try {
        return scene.start(on.hapax()).run();
      } catch (StoreBroken | StoreClosed e) {
        on.openAgain();
      }
    }
  }

  private void bringToItsEnd(ProofScene scene, Stage on, ProofRequests sending, String id) {
    Function<String, @Nullable String> found = key -> scene.found(key, sending.answerTo(key));
    Predicate<Hapax> outside =
        hapax -> {
          boolean isAnswered = scene.answer(hapax);
          return person.settle(hapax, found) || isAnswered;
        };
    while (true) {
      try {
        switch (on.drive(id, outside, true, patience)) {
          case PROCESS_DIED -> on.openAgain();
          case ENDED -> {
            return;
          }
          case REVIEW, WAITING -> scene.advance(on.hapax(), id);
        }
      } catch (StoreBroken | StoreClosed e) {
        on.openAgain(); // it died during the call
      }
    }
  }

  private Map<Name, Deed> deeds(ProofScene scene, Stage on, ProofRequests sending) {
    on.runs().forEach(run -> settled.read(on.hapax().history(run.id().toString())));
    Map<Name, Deed> found = new LinkedHashMap<>();
    sending.byEffect().forEach((name, sent) -> found.put(name, deed(scene, name, sent, settled)));
    return found;
  }

  private static Deed deed(ProofScene scene, Name name, List<Sent> sent, SettledEffects settled) {
    Set<String> keys = new TreeSet<>();
    sent.forEach(request -> keys.add(request.sending().wireKey()));
    List<String> ways = new ArrayList<>();
    for (String key : keys) {
      String way = settled.by(key);
      if (way != null) {
        ways.add(way);
      }
    }
    String guard = sent.getFirst().sending().guard();
    return new Deed(
        guard,
        sent.size(),
        scene.applied(name.effect(), name.key()).orElseGet(() -> assumed(guard, sent)),
        keys,
        ways,
        (int) keys.stream().filter(settled::isReviewed).count(),
        scene.mayRepeat(name.effect()));
  }

  /** How often it was applied, if the destination does what the guard says. */
  private static int assumed(String guard, List<Sent> sent) {
    var answered = sent.stream().filter(Sent::isAnswered);
    return (int)
        (guard.equals("none") || guard.equals("lookup")
            ? answered.count()
            : answered.map(request -> request.sending().wireKey()).distinct().count());
  }

  private void die() {
    Stage on = stage;
    if (on != null) {
      on.die();
    }
  }

  private void aroundCommit(Stage on, Batch batch, Runnable commit) {
    boolean isOfRun = batch.groups().stream().anyMatch(group -> group.run() != null);
    if (!isOfRun) { // housekeeping, whose time is different in each run
      commit.run();
      return;
    }
    boolean isIts =
        commits.incrementAndGet() == disturbance.number()
            && disturbance.what().isAboutCommit()
            && !isOver;
    if (isIts) {
      place = CommitText.of(batch);
    }
    if (isIts && disturbance.what() == Disturbance.What.KILL_BEFORE_COMMIT) {
      on.die();
      return;
    }
    commit.run();
    if (isIts) {
      on.die();
    }
  }

  void note(@Nullable Name name, String what) {
    problems.add(
        new ProofProblem(
            name == null ? null : name.effect(),
            name == null ? null : name.key(),
            boundary(),
            what));
  }

  /** Reports that the run could not be carried out. */
  void noteFailure(Throwable failure) {
    note(null, "the proof could not carry out this run: " + failure);
  }

  private String boundary() {
    String where = place;
    return where == null ? disturbance.toString() : disturbance + " (" + where + ")";
  }

  Map<String, String> externalIds() {
    return person.externalIds();
  }

  List<ProofProblem> problems() {
    return problems;
  }

  /** Whether the flow gave up an effect in doubt, also one that it never sent. */
  boolean hasSkipped(Deed usual) {
    return usual.wireKeys().stream().anyMatch(key -> "skip".equals(settled.by(key)));
  }

  Map<Name, Deed> deeds() {
    return deeds;
  }

  List<HistoryEntry> history() {
    return history;
  }

  /** Whether the run came to an end that could be looked at. */
  boolean isCarriedOut() {
    return status.isEnd();
  }

  String flow() {
    return flow;
  }

  RunStatus status() {
    return status;
  }

  boolean isExpectedEnd() {
    return isExpectedEnd;
  }

  int commits() {
    return commitsToItsEnd;
  }

  /** Returns how often a person was asked. */
  int reviews() {
    return person.times();
  }

  List<Interceptor.Sending> requests() {
    return requests;
  }
}
