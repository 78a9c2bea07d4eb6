package dev.hapax.trial.cases;

import dev.hapax.Acknowledgement;
import dev.hapax.RunHandle;
import dev.hapax.Settlement;
import dev.hapax.Verdict;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.HistoryEntry;
import dev.hapax.flow.InboxOutcome;
import dev.hapax.flow.Run;
import dev.hapax.flow.StoreBroken;
import dev.hapax.flow.StoreClosed;
import dev.hapax.flows.connection.Connections;
import dev.hapax.json.Json;
import dev.hapax.trial.EventDoor;
import dev.hapax.trial.FlowFolder;
import dev.hapax.trial.Trial;
import dev.hapax.trial.TrialEvent;
import dev.hapax.trial.TrialStopped;
import dev.hapax.trial.recording.RecordedBook;
import dev.hapax.trial.sandbox.SandboxRequest;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Runs one case in a trial of its own. Of one thread. */
final class CaseRun {
  /** The outcome of a message that the filter of its trigger leaves out. */
  private static final String FILTERED = "filtered";

  private final FlowFolder folder;
  private final Connections connections;
  private final EventDoor door;
  private final TestCase testCase;
  private final Coverage coverage;
  private final Deaths deaths = new Deaths();
  private final List<String> unrecorded = new CopyOnWriteArrayList<>();
  private @Nullable String run;
  private @Nullable String refused;
  private @Nullable String refusal;
  private @Nullable String outcome;
  private int duplicates;

  CaseRun(
      FlowFolder folder,
      Connections connections,
      EventDoor door,
      TestCase testCase,
      Coverage coverage) {
    this.folder = folder;
    this.connections = connections;
    this.door = door;
    this.testCase = testCase;
    this.coverage = coverage;
  }

  CaseResult run() {
    long begun = System.nanoTime();
    try {
      Ending ending = ending();
      var differences = new Comparison(testCase, ending).differences();
      List<KillPoint> unreached = deaths.left();
      if (!unreached.isEmpty()) {
        differences.add(
            "the process did not die %s: that place was not reached"
                .formatted(unreached.getFirst()));
      }
      if (!differences.isEmpty()) {
        differences.addAll(unrecorded); // they may be the reason
      }
      return new CaseResult(testCase, ending, differences, took(begun));
    } catch (TrialStopped e) {
      return new CaseResult(testCase, null, List.of(String.valueOf(e.getMessage())), took(begun));
    } catch (RuntimeException | AssertionError e) { // of an action that the engine refuses
      String why = "%s: %s".formatted(e.getClass().getSimpleName(), e.getMessage());
      return new CaseResult(testCase, null, List.of(why), took(begun));
    }
  }

  private static Duration took(long begun) {
    return Duration.ofNanos(System.nanoTime() - begun);
  }

  private Ending ending() {
    testCase.kills().forEach(deaths::arm);
    try (Trial trial =
        Trial.of(folder, testCase.flow())
            .connections(connections)
            .door(door)
            .answers(new CaseBook(testCase, new RecordedBook(folder.recordings(), unrecorded::add)))
            .sends(deaths)
            .commits(deaths)
            .visits(coverage::visited)
            .open()) {
      deaths.in(trial);
      testCase.kv().forEach((key, value) -> trial.hapax().kv().put(key, value));
      begin(trial);
      trial.rest();
      for (CaseAction action : testCase.actions()) {
        carryOut(trial, action);
        trial.rest();
      }
      trial.sandbox().arriveAll();
      return endOf(trial);
    }
  }

  private void begin(Trial trial) {
    TrialEvent event = testCase.event();
    if (event == null) {
      start(trial, testCase.input(), testCase.key());
    } else {
      deliver(trial, event);
    }
  }

  private void start(Trial trial, @Nullable Object input, @Nullable String key) {
    try {
      RunHandle<Object> handle =
          trial.start(testCase.flow(), input == null ? Map.of() : input, key);
      duplicates += run != null && handle.isDuplicate() ? 1 : 0;
      run = run == null ? handle.id() : run;
      refused = null;
      refusal = null;
    } catch (TrialStopped | StoreBroken | StoreClosed e) {
      throw e;
    } catch (RuntimeException e) { // what a caller sees: the input does not fit, the key is reused
      refused = words(e.getClass().getSimpleName());
      refusal = e.getMessage();
    }
  }

  /** Returns {@code key-reused} for KeyReused: problems have the names of their classes. */
  private static String words(String name) {
    return name.replaceAll("(?<=[a-z])(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
  }

  private void deliver(Trial trial, TrialEvent event) {
    Acknowledgement answer = trial.deliver(testCase.flow(), event);
    if (answer == null) {
      outcome = FILTERED;
      return;
    }
    outcome = answer.outcome().word();
    duplicates += answer.outcome() == InboxOutcome.DUPLICATE ? 1 : 0;
    if (run == null) {
      run = answer.run();
    }
  }

  private void carryOut(Trial trial, CaseAction action) {
    switch (action) {
      case CaseAction.Move(var by) -> trial.move(by);
      case CaseAction.CallBack(var step, var body) -> {
        var _ = trial.callback(step, body);
      }
      case CaseAction.Decide decide -> {
        var verdict =
            new Verdict(
                decide.choice(),
                decide.by(),
                Set.of(),
                decide.comment(),
                decide.values() == null ? null : Json.write(decide.values()));
        var _ = trial.decide(decide.step(), verdict);
      }
      case CaseAction.Settle settle -> settle(trial, settle);
      case CaseAction.Start(var input, var key) ->
          start(
              trial, input == null ? testCase.input() : input, key == null ? testCase.key() : key);
      case CaseAction.Deliver(var event) ->
          deliver(trial, event == null ? Objects.requireNonNull(testCase.event()) : event);
      case CaseAction.Retry() -> {
        if (run == null) {
          throw new TrialStopped("no run was started, so none can be retried");
        }
        trial.hapax().retry(run, "tester");
      }
      case CaseAction.Kill(var at) -> {
        if (at == null) {
          trial.die();
        } else {
          deaths.arm(at);
        }
      }
    }
  }

  private static void settle(Trial trial, CaseAction.Settle settle) {
    EffectRecord review =
        trial.reviews().stream()
            .filter(one -> one.step().name().equals(settle.step()))
            .filter(one -> TestCase.isItem(settle.item(), one.step().item()))
            .findFirst()
            .orElseThrow(
                () -> new TrialStopped("step '%s' is not in review".formatted(settle.step())));
    switch (settle.as()) {
      case "happened" -> {
        Object output = trial.sandbox().outputOf(review.wireKey());
        trial
            .hapax()
            .settle(review.id(), Settlement.happened(output, "the case says so", "tester"));
      }
      case "not-happened" ->
          trial.hapax().settle(review.id(), Settlement.notHappened("the case says so", "tester"));
      case "abandon" ->
          trial.hapax().settle(review.id(), Settlement.abandon("the case says so", "tester"));
      default -> trial.settle(review, "tester");
    }
  }

  /** Alerts are about a run, and not sent by a step of it. */
  private boolean isOfFlow(SandboxRequest request) {
    return request.from().isEffect() && folder.file(request.from().flow()) != null;
  }

  private Ending endOf(Trial trial) {
    Run found = run == null ? null : trial.hapax().run(run);
    String output = found == null ? null : found.output();
    List<SandboxRequest> requests = trial.sandbox().requests();
    requests.forEach(coverage::sent);
    List<SandboxRequest> sends =
        new SendOrder(folder.with(testCase.flow()))
            .of(requests.stream().filter(this::isOfFlow).toList());
    return new Ending(
        run,
        found == null ? null : found.shownStatus().word(),
        output == null ? null : Json.read(output, Object.class),
        found == null ? null : found.error(),
        refused,
        refusal,
        outcome,
        sends,
        trial.reviews().stream().map(review -> review.step().name()).sorted().toList(),
        run == null
            ? List.of()
            : trial.hapax().history(run).stream().map(HistoryEntry::toString).toList(),
        duplicates);
  }
}
