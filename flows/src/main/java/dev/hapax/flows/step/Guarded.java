package dev.hapax.flows.step;

import dev.hapax.flow.Effect;
import dev.hapax.flow.ObjectVersion;
import dev.hapax.flow.Rejected;
import dev.hapax.flow.RunContext;
import dev.hapax.flow.Tie;
import dev.hapax.flow.Undo;
import dev.hapax.flows.expression.ExpressionFailed;
import dev.hapax.json.Json;
import dev.hapax.json.ValueTooLarge;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Runs a step that sends, under the contract of its file. */
final class Guarded {
  private final StepRun step;
  private final EffectContract contract;

  Guarded(StepRun step, EffectContract contract) {
    this.step = step;
    this.contract = contract;
  }

  /** Sends the request once, by the rules of the ledger. */
  <R> @Nullable Object send(
      SendingStep kind, R request, RunContext.RequestSender<R, @Nullable Object> sender) {
    Effect<R> effect = contract.guard().protect(draft().request(request), kind, step);
    if (step.isDraft()) {
      RunContext.RequestSender<R, @Nullable Object> drafted =
          (key, sent) -> step.sample(MadeUp.output(step, kind.drafted(key, sent), key));
      return step.run().effect(step.id(), withTerms(effect), drafted, Object.class);
    }
    String connection = kind.connection();
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
    if (contract.onRework() != null) {
      return draft.onRework(contract.onRework());
    }
    return contract.version() == null
        ? draft
        : draft.version(version()).tie(contract.appliesTies() ? Tie.APPLY : Tie.REJECT);
  }

  private ObjectVersion version() {
    Object value = contract.version() == null ? null : contract.version().value(step.scope());
    try {
      return ObjectVersion.ofValue(value);
    } catch (IllegalArgumentException e) {
      throw step.failed("expression", String.valueOf(e.getMessage()));
    }
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
    FlowStep.Compensate compensate = step.step().compensate();
    return compensate == null ? null : output -> new UndoOf(step, compensate, output).undo();
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
    } catch (ValueTooLarge e) {
      throw step.failed(e.code(), String.valueOf(e.getMessage()));
    } catch (Rejected e) { // an address that no value may make
      throw step.failed(e.code(), String.valueOf(e.getMessage()));
    }
  }
}
