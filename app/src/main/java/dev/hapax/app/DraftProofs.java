package dev.hapax.app;

import dev.hapax.app.cli.authoring.TrialTriggers;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.Problem;
import dev.hapax.app.mcp.tool.DraftProver;
import dev.hapax.app.release.FlowName;
import dev.hapax.app.release.LiveFlows;
import dev.hapax.app.release.Releases;
import dev.hapax.flows.LoadedFlow;
import dev.hapax.flows.check.Check;
import dev.hapax.flows.connection.Connections;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.FlowStep;
import dev.hapax.time.Threads;
import dev.hapax.trial.FlowFolder;
import dev.hapax.trial.proof.FlowProof;
import dev.hapax.trial.proof.FlowProver;
import dev.hapax.trial.proof.SceneParts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.slf4j.MDC;

/**
 * Proves drafts on the server, in memory and in a sandbox. One proof at a time has one thread and
 * some seconds, so that the runs of the server keep their processors. Safe for many threads.
 */
final class DraftProofs implements DraftProver {
  /** How long new runs are begun. */
  private static final Duration WITHIN = Duration.ofSeconds(10);

  /**
   * The last disturbed run may end after that time. A call answers within 20 s, and before the
   * proof the draft is read and compiled.
   */
  private static final Duration LONGEST = Duration.ofSeconds(15);

  private static final int RETRY_SECONDS = 10;
  private static final int MOST_FLOWS = 20;

  private final Releases releases;
  private final LiveFlows live;
  private final Function<String, Connections> connections;
  private final Threads threads;
  private final Semaphore turn = new Semaphore(1);

  /**
   * Proofs for all tenants.
   *
   * @param connections of each tenant; what they say about their destinations counts in a proof
   */
  DraftProofs(
      Releases releases,
      LiveFlows live,
      Function<String, Connections> connections,
      Threads threads) {
    this.releases = releases;
    this.live = live;
    this.connections = connections;
    this.threads = threads;
  }

  @Override
  public List<Map<String, ?>> prove(Call caller, String flow) throws InterruptedException {
    String tenant = caller.actor().tenant();
    FlowFile draft = releases.runnableDraft(new FlowName(tenant, flow)).file();
    if (!turn.tryAcquire()) {
      throw Problem.rateLimited(
          "another draft is being proven on this server. Nothing was tried", RETRY_SECONDS);
    }
    var done = new CompletableFuture<List<FlowProof>>();
    Threads.Handle work;
    try {
      FlowFolder folder = FlowFolder.of(around(caller, draft));
      var parts = new SceneParts(folder, connections.apply(tenant), new TrialTriggers());
      work = threads.platform("hapax-draft-proof", () -> carryOut(parts, flow, done));
    } catch (RuntimeException e) {
      turn.release();
      throw e;
    }
    return awaited(done, work);
  }

  /** Gives the turn back only when the work is over, however long a caller waits for it. */
  private void carryOut(SceneParts parts, String flow, CompletableFuture<List<FlowProof>> done) {
    try (var _ = MDC.putCloseable("hapax.trial", "proof")) { // what logback.xml leaves out
      FlowFolder.Entry entry = parts.folder().flows().get(flow);
      done.complete(
          FlowProver.inBackground(parts, WITHIN).prove(entry == null ? List.of() : List.of(entry)));
    } catch (RuntimeException | Error e) {
      done.completeExceptionally(e);
    } finally {
      turn.release();
    }
  }

  private static List<Map<String, ?>> awaited(
      CompletableFuture<List<FlowProof>> done, Threads.Handle work) throws InterruptedException {
    try {
      List<Map<String, ?>> proofs = new ArrayList<>();
      done.get(LONGEST.toMillis(), TimeUnit.MILLISECONDS)
          .forEach(proof -> proofs.add(proof.json()));
      return proofs;
    } catch (TimeoutException e) {
      work.interrupt();
      throw Problem.unavailable(
          "the proof took longer than %d s and was stopped: prove the flow where its files are, with hapax prove"
              .formatted(LONGEST.toSeconds()));
    } catch (ExecutionException e) {
      throw new IllegalStateException("the proof could not be carried out", e.getCause());
    }
  }

  /** The draft, and the live flows that its runs can start, as far as the caller may use them. */
  private List<Check.Result> around(Call caller, FlowFile draft) {
    var found = new LinkedHashMap<String, FlowFile>();
    var next = new ArrayList<FlowFile>(List.of(draft));
    while (!next.isEmpty() && found.size() < MOST_FLOWS) {
      FlowFile file = next.removeFirst();
      if (found.putIfAbsent(file.name(), file) == null) {
        started(file).stream()
            .filter(caller::mayUse)
            .map(name -> live.findReadable(caller.actor().tenant(), name))
            .filter(child -> child != null)
            .map(LoadedFlow::file)
            .forEach(next::add);
      }
    }
    return found.values().stream().map(file -> new Check.Result(file, List.of(), "")).toList();
  }

  private static List<String> started(FlowFile file) {
    var names = new ArrayList<String>(file.notifiedFlows());
    for (FlowStep step : file.allSteps()) {
      names.addAll(step.kind().startedFlows());
    }
    return names;
  }
}
