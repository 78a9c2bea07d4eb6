package dev.hapax.flows.check;

import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.EffectContract;
import dev.hapax.flows.step.FlowStep;
import dev.hapax.flows.step.FlowStepKind;
import dev.hapax.flows.step.HttpTemplate;
import dev.hapax.flows.step.StepGuard;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The HTTP requests of a file: of steps, compensations, lookups and lists. */
final class Requests {
  private Requests() {}

  static Stream<HttpTemplate> of(FlowFile flow) {
    return flow.allSteps().stream().flatMap(Requests::of);
  }

  private static Stream<HttpTemplate> of(FlowStep step) {
    FlowStep.Compensate compensate = step.compensate();
    Stream<HttpTemplate> own = Stream.concat(of(step.kind()), of(step.effect()));
    return compensate == null
        ? own
        : Stream.of(own, of(compensate.kind()), of(compensate.effect())).flatMap(all -> all);
  }

  private static Stream<HttpTemplate> of(FlowStepKind kind) {
    return Stream.ofNullable(kind.http());
  }

  private static Stream<HttpTemplate> of(@Nullable EffectContract effect) {
    if (effect == null) {
      return Stream.empty();
    }
    StepGuard.Lookup lookup = effect.guard().lookup();
    EffectContract.Reconcile reconcile = effect.reconcile();
    return Stream.concat(
        lookup == null ? Stream.empty() : Stream.of(lookup.http()),
        reconcile == null ? Stream.empty() : Stream.ofNullable(reconcile.list()));
  }
}
