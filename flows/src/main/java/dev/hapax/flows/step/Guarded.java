package dev.hapax.flows.step;

import dev.hapax.flow.Effect;
import dev.hapax.flow.RetryPolicy;
import dev.hapax.flow.RunContext;
import dev.hapax.flow.Undo;
import dev.hapax.flows.expression.ExpressionFailed;
import dev.hapax.flows.file.EffectContract;
import dev.hapax.flows.file.EffectContract.GuardBlock;
import dev.hapax.flows.file.EffectKind;
import dev.hapax.flows.file.Step;
import dev.hapax.json.Json;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Runs a step that sends, under the contract of its file. */
final class Guarded {
  private static final Duration USUAL_SETTLE = Duration.ofSeconds(10);

  private final StepRun step;
  private final EffectContract contract;

  Guarded(StepRun step, EffectContract contract) {
    this.step = step;
    this.contract = contract;
  }

  /** The parts of a guard that depend on the kind of step. */
  interface Destination {
    /** The connection whose limits apply; null if it has none. */
    @Nullable String connection();

    /** How long it remembers our key, if the file does not say. */
    Duration window();

    /** Finds what it holds under the effect's key. */
    Optional<?> find(GuardBlock.Lookup lookup) throws Exception;

    /** The result in a draft if the step has no sample. */
    @Nullable Object drafted(String key);
  }

  /** Sends the request once, by the rules of the ledger. */
  <R> @Nullable Object send(
      R request, Destination destination, RunContext.RequestSender<R, @Nullable Object> sender) {
    Effect<R> effect = guarded(draft().request(request), destination);
    if (step.isDraft()) {
      RunContext.RequestSender<R, @Nullable Object> drafted =
          (key, _) -> step.sample(destination.drafted(key));
      return step.run().effect(step.id(), withTerms(effect), drafted, Object.class);
    }
    String connection = destination.connection();
    Effect<R> there =
        connection == null ? effect : effect.to(step.services().destination(connection));
    return step.run().effect(step.id(), withTerms(there), sender, Object.class);
  }

  Effect.Draft<Void> draft() {
    String key = step.text(contract.key());
    Effect.Draft<Void> draft =
        switch (contract.kind()) {
          case UPDATE -> Effect.update(key);
          case NOTIFY -> Effect.notify(key);
          case ADDITIVE -> Effect.additive(key);
          default -> Effect.create(key);
        };
    return contract.version() == null ? draft : draft.version(version());
  }

  private long version() {
    Object value = contract.version() == null ? null : contract.version().value(step.scope());
    if (value instanceof Number number) {
      return number.longValue();
    }
    try {
      return Long.parseLong(String.valueOf(value).strip());
    } catch (NumberFormatException e) {
      throw step.failed(
          "expression", "version: expected a whole number, got '%s'".formatted(value));
    }
  }

  private <R> Effect<R> guarded(Effect.Draft<R> draft, Destination destination) {
    return switch (contract.guard()) {
      case GuardBlock.Keyed keyed -> keyed(draft, keyed, destination);
      case GuardBlock.Upsert _ -> draft.upsert();
      case GuardBlock.Lookup lookup -> draft.lookup(_ -> find(destination, lookup), settle(lookup));
      case GuardBlock.None none -> draft.unguarded(none.onDoubt());
      case GuardBlock.Transaction _ ->
          throw new IllegalStateException("check lets guard transaction through for db only");
    };
  }

  /** In a draft, finds nothing, so that the draft shows what would be sent. */
  private Optional<?> find(Destination destination, GuardBlock.Lookup lookup) throws Exception {
    return step.isDraft() ? Optional.empty() : destination.find(lookup);
  }

  private <R> Effect<R> keyed(
      Effect.Draft<R> draft, GuardBlock.Keyed keyed, Destination destination) {
    Duration window = keyed.window() == null ? destination.window() : keyed.window();
    GuardBlock.Lookup lookup = keyed.lookup();
    return lookup == null
        ? draft.keyed(window)
        : draft.keyed(window, _ -> find(destination, lookup), settle(lookup));
  }

  static Duration settle(GuardBlock.Lookup lookup) {
    return lookup.settle() == null ? USUAL_SETTLE : lookup.settle();
  }

  /** The destination's id for the effect, found in an answer or by a lookup. */
  Function<Object, @Nullable String> externalId() {
    return output -> {
      Object id = StepResult.externalIdIn(step, output);
      return id == null ? null : id instanceof String text ? text : Json.write(id);
    };
  }

  private <R> Effect<R> withTerms(Effect<R> effect) {
    Effect<R> told =
        contract.externalId() == null ? effect : effect.externalId(Object.class, externalId());
    Effect<R> named = contract.name() == null ? told : told.name(contract.name());
    Effect<R> timed = named.retry(step.step().retryPolicy()).timeout(step.step().attemptTimeout());
    Function<Object, Undo> undo = undo();
    return undo == null ? timed : timed.compensate(Object.class, undo);
  }

  /** Returns null if the step does not say how to undo it. */
  @Nullable Function<Object, Undo> undo() {
    Step.Compensate compensate = step.step().compensate();
    return compensate == null ? null : output -> new UndoOf(step, compensate, output).undo();
  }

  static Duration timeout(@Nullable Duration given) {
    return given == null ? Step.USUAL_TIMEOUT : given;
  }

  static RetryPolicy retry(@Nullable RetryPolicy given) {
    return given == null ? RetryPolicy.DEFAULT : given;
  }

  /** Whether the contract says that the step only reads. */
  static boolean isRead(@Nullable EffectContract contract) {
    return contract == null || contract.kind() == EffectKind.READ;
  }

  /** Fails the step, with its place, if an expression fails while the step is prepared. */
  static <T extends @Nullable Object> T prepared(
      StepRun step, java.util.function.Supplier<T> work) {
    try {
      return work.get();
    } catch (ExpressionFailed e) {
      throw step.failed(e);
    }
  }
}
