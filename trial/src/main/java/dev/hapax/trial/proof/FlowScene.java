package dev.hapax.trial.proof;

import dev.hapax.Hapax;
import dev.hapax.flow.HistoryEntry;
import dev.hapax.flow.Interceptor;
import dev.hapax.flow.NotFound;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.StoreBroken;
import dev.hapax.flow.StoreClosed;
import dev.hapax.flows.step.ModelEffect;
import dev.hapax.json.Json;
import dev.hapax.testkit.ManualTime;
import dev.hapax.testkit.ProofScene;
import dev.hapax.trial.FlowFolder;
import dev.hapax.trial.cases.TestCase;
import dev.hapax.trial.sandbox.EffectTruth;
import dev.hapax.trial.sandbox.TrialSandbox;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A flow of a folder in one run of a proof, with the sandbox for everything outside. */
final class FlowScene implements ProofScene {
  private static final String DELIVERIES = "hapax/deliver/";

  /** The lines of a history that record the answer to a read. */
  private static final Set<String> READ = Set.of("step-done", "step-failed", "read-failed");

  private final ProofScript script;
  private final SteadyBook book;
  private final TrialSandbox sandbox;
  private final SceneCode code;
  private final SceneCallers callers;
  private volatile @Nullable Hapax process;
  private @Nullable Map<List<String>, Integer> counted; // once, when the run is over

  /**
   * @param undisturbed the scene of the run in which nothing goes wrong; null if this is the one
   */
  FlowScene(
      SceneParts parts, ProofScript script, ManualTime time, @Nullable FlowScene undisturbed) {
    FlowFolder folder = parts.folder();
    this.script = script;
    TestCase of = script.testCase();
    this.book =
        new SteadyBook(
            of == null ? TestCase.without(script.file()) : of,
            folder.recordings(),
            undisturbed == null ? null : undisturbed.book,
            this::recorded);
    this.sandbox = new TrialSandbox(time, folder::file, book);
    this.code =
        new SceneCode(folder.with(script.file().name()), parts.connections(), sandbox, time);
    this.callers = new SceneCallers(script, sandbox, code, parts.door());
    sandbox.inputs(run -> read(now -> Json.read(now.run(run).input(), Object.class)));
  }

  private int recorded(String run, String step, @Nullable String item) {
    List<HistoryEntry> history = read(now -> now.history(run));
    return history == null
        ? 0
        : (int)
            history.stream()
                .filter(entry -> READ.contains(entry.type()) && step.equals(entry.step()))
                .filter(entry -> item == null || Objects.equals(item, entry.item()))
                .count();
  }

  private <T> @Nullable T read(Function<Hapax, T> reading) {
    Hapax now = process;
    try {
      return now == null ? null : reading.apply(now);
    } catch (StoreBroken | StoreClosed | NotFound e) {
      return null; // the process has died meanwhile, or the run is not written yet
    }
  }

  @Override
  public void register(Hapax hapax) {
    process = hapax;
    book.anotherProcess();
    code.register(hapax);
  }

  @Override
  public Begun start(Hapax hapax) {
    return callers.start(hapax);
  }

  @Override
  public Interceptor interceptor() {
    return sandbox;
  }

  @Override
  public boolean answer(Hapax hapax) {
    return callers.answer(hapax);
  }

  @Override
  public boolean isExpectedEnd(RunStatus status) {
    return status == script.end();
  }

  @Override
  public OptionalInt applied(String effect, String key) {
    return OptionalInt.of(applied().getOrDefault(List.of(effect, key), 0));
  }

  /** By effect and key. A receiver of messages recognizes a repeat by the id of the message. */
  private Map<List<String>, Integer> applied() {
    Map<List<String>, Integer> known = counted;
    if (known == null) {
      known = new HashMap<>();
      for (EffectTruth truth : sandbox.truth()) {
        boolean isMessage = truth.flow().startsWith(DELIVERIES);
        known.merge(
            List.of(truth.effect(), truth.key()),
            isMessage ? Math.min(1, truth.applied()) : truth.applied(),
            Integer::sum);
      }
      counted = known;
    }
    return known;
  }

  /** A careful person looks when nothing is on its way any more. */
  @Override
  public @Nullable String found(String wireKey, @Nullable String answer) {
    sandbox.arriveAll();
    if (!sandbox.isApplied(wireKey)) {
      return null;
    }
    Object output = sandbox.outputOf(wireKey);
    return output == null ? "null" : Json.write(output);
  }

  @Override
  public boolean mayRepeat(String effect) {
    return ModelEffect.is(effect) || script.mayRepeat(effect);
  }
}
