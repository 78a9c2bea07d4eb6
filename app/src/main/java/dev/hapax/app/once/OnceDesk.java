package dev.hapax.app.once;

import dev.hapax.Hapax;
import dev.hapax.KeyReused;
import dev.hapax.RunHandle;
import dev.hapax.StartOutlook;
import dev.hapax.app.api.Waiting;
import dev.hapax.app.http.Actor;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.TokenScope;
import dev.hapax.app.wire.ErrorView;
import dev.hapax.app.wire.JsonText;
import dev.hapax.flow.Flow;
import dev.hapax.flow.NotPossible;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunId;
import dev.hapax.flow.RunStatus;
import dev.hapax.flows.check.Finding;
import dev.hapax.run.value.ResourceRef;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Carries out effects without a flow, for every door of the server. The first call of a key starts
 * a run; later ones get it. Safe for many threads.
 */
public final class OnceDesk {
  /** How long a caller waits that does not say so. */
  public static final Duration USUAL_WAIT = Duration.ofSeconds(20);

  private final OnceFlow flow;
  private final Waiting waiting;

  public OnceDesk(OnceFlow flow, Waiting waiting) {
    this.flow = flow;
    this.waiting = waiting;
  }

  /**
   * What a call got.
   *
   * @param isNew whether it has started the run
   */
  public record Answer(OnceView view, boolean isNew) {}

  /**
   * Carries out the effect, or finds out what became of it. A run that failed is retried.
   *
   * @param hapax of the caller's tenant
   * @param whenRetried is told before a run is retried
   * @param atMost how long to wait for the result; afterwards the answer has the run as it is
   * @throws Problem {@code forbidden}, {@code findings}, {@code key-reused}
   */
  public Answer call(
      Hapax hapax,
      Actor caller,
      OnceRequest request,
      Duration atMost,
      Consumer<RunId> whenRetried) {
    refuseUnlessAllowed(caller);
    Flow<Object, Object> code = flow.of(caller.tenant());
    if (hapax.outlook(code, request.content(), null).result() == StartOutlook.Result.NEW) {
      refuseBad(flow.errorsOf(caller.tenant(), request));
    }
    RunHandle<Object> handle = begin(hapax, code, caller, request);
    if (handle.isDuplicate() && handle.run().status() == RunStatus.FAILED) {
      whenRetried.accept(handle.run().id());
      retry(hapax, handle.id(), caller);
    }
    Run run = waiting.await(hapax, handle, atMost);
    return new Answer(view(hapax, run, request), !handle.isDuplicate());
  }

  private static void refuseUnlessAllowed(Actor caller) {
    for (TokenScope scope : List.of(TokenScope.RUNS_WRITE, TokenScope.CONNECTIONS_USE)) {
      if (!caller.may(scope)) {
        throw Problem.forbidden(
            "an effect without a flow uses a connection: the token of '%s' needs %s and %s"
                .formatted(
                    caller.name(),
                    TokenScope.RUNS_WRITE.word(),
                    TokenScope.CONNECTIONS_USE.word()));
      }
    }
  }

  private static void refuseBad(List<Finding> errors) {
    if (!errors.isEmpty()) {
      Finding first = errors.getFirst();
      throw Problem.findings(
          "the request cannot be sent: %s. %s".formatted(first.message(), first.fix()),
          errors.stream().map(OnceDesk::shown).toList());
    }
  }

  /** Without a place: the caller has not written the file that was checked. */
  private static Map<String, Object> shown(Finding finding) {
    Map<String, Object> shown = finding.json();
    shown.keySet().removeAll(List.of("file", "line", "column"));
    return shown;
  }

  private static RunHandle<Object> begin(
      Hapax hapax, Flow<Object, Object> code, Actor caller, OnceRequest request) {
    try {
      return hapax.start(code, request.content(), null, caller.caller());
    } catch (KeyReused e) {
      OnceRequest first = recorded(hapax, e.firstRun());
      if (first != null && first.isSameIntentAs(request)) {
        return hapax.start(code, first.content(), null, caller.caller());
      }
      throw Problem.keyReused(
              "%s The whole request is compared, but for timeout and retry: send the same one to get its result, or use another key."
                  .formatted(e.getMessage()))
          .with("run", e.firstRun());
    }
  }

  /** Returns the request that a run was started with; null if it was erased. */
  private static @Nullable OnceRequest recorded(Hapax hapax, String run) {
    Run first = hapax.run(run);
    if (first.isErased()) {
      return null;
    }
    String input = first.input();
    String text = ResourceRef.isRef(input) ? hapax.resources().get(input).text() : input;
    return OnceRequest.of(Call.parsed(text));
  }

  /** Another caller may have done so before; then this one gets the same result. */
  private static void retry(Hapax hapax, String run, Actor caller) {
    try {
      hapax.retry(run, caller.name());
    } catch (NotPossible e) {
      if (hapax.run(run).status() == RunStatus.FAILED) {
        throw e;
      }
    }
  }

  private static OnceView view(Hapax hapax, Run run, OnceRequest request) {
    return new OnceView(
        run.id().toString(),
        run.shownStatus().word(),
        run.isErased() ? null : JsonText.raw(output(hapax, run)),
        ErrorView.of(run.error()),
        effect(hapax, request));
  }

  private static @Nullable String output(Hapax hapax, Run run) {
    String output = run.output();
    return output != null && ResourceRef.isRef(output)
        ? hapax.resources().get(output).text()
        : output;
  }

  private static OnceView.@Nullable OnceEffect effect(Hapax hapax, OnceRequest request) {
    return hapax
        .effects(hapax.effects().name(request.name()).key(request.effectKey()).limit(1))
        .stream()
        .findFirst()
        .map(
            row ->
                new OnceView.OnceEffect(
                    row.id(),
                    row.key().name(),
                    row.key().shown(),
                    row.state().word(),
                    row.attempts(),
                    row.externalId()))
        .orElse(null);
  }
}
