package dev.hapax.flows.step;

import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.Rate;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunContext;
import dev.hapax.flows.connection.Connection;
import dev.hapax.flows.expression.ExpressionFailed;
import dev.hapax.flows.expression.Reach;
import dev.hapax.flows.expression.Scope;
import dev.hapax.flows.expression.Template;
import dev.hapax.json.Json;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Looks up a row of the ledger at the destination by the lookup of the effect's guard, outside of
 * its run. Its expressions get what is stored: the row's key, and the input and the facts of the
 * run that owns the row. Nothing of the run is evaluated again.
 */
public final class EffectLookup {
  private static final String EFFECT = "effect";
  private static final List<String> NOT_STORED =
      List.of("steps", "item", "rework", "lock", "repeat");

  private final FlowStep step;
  private final EffectContract effect;
  private final StepGuard.Lookup lookup;
  private final StepServices services;

  private EffectLookup(
      FlowStep step, EffectContract effect, StepGuard.Lookup lookup, StepServices services) {
    this.step = step;
    this.effect = effect;
    this.lookup = lookup;
    this.services = services;
  }

  /** Returns null if the step's guard has no lookup. */
  public static @Nullable EffectLookup of(FlowStep step, StepServices services) {
    EffectContract effect = step.effect();
    StepGuard.Lookup lookup = effect == null ? null : effect.guard().lookup();
    return effect == null || lookup == null
        ? null
        : new EffectLookup(step, effect, lookup, services);
  }

  /** What the destination says about a row. */
  public sealed interface Answer {
    /** It is there. */
    record Present(@Nullable String externalId, Map<String, @Nullable Object> output)
        implements Answer {}

    /** The lookup does not find it. */
    record Absent() implements Answer {}

    /** It could not be asked, and asking again does not help. */
    record Unasked(String why) implements Answer {}
  }

  /** The connection whose limits apply; null if the lookup has a URL. */
  public @Nullable String destination() {
    String connection = lookup.http().connection();
    return connection == null ? null : services.destination(connection);
  }

  /** The time that the connection wants between two calls. */
  public Duration apart() {
    String name = lookup.http().connection();
    Connection connection = name == null ? null : services.connections().find(name).orElse(null);
    Rate rate = connection == null ? null : connection.limits().rate();
    return rate == null ? Duration.ZERO : Duration.ofNanos(rate.nanosApart());
  }

  /** How long "not found" proves nothing: the timeout of an attempt, and the time to settle. */
  public Duration proofAfter() {
    return step.attemptTimeout().plus(lookup.settleTime());
  }

  /**
   * Asks the destination.
   *
   * @param reconciling the run that asks
   * @param flow the flow that declares the lookup
   * @param owner the run that owns the row; null if there is none any more
   * @throws Exception if the destination did not answer; ask again later
   */
  public Answer find(RunContext reconciling, String flow, EffectRecord row, @Nullable Run owner)
      throws Exception {
    Map<String, @Nullable Object> names = new LinkedHashMap<>();
    names.put(EFFECT, Map.of("key", row.key().key()));
    String missing = owner == null || owner.flow().equals(flow) ? null : owner.flow();
    if (owner != null && missing == null) {
      names.put("input", Json.read(owner.input(), Object.class));
      names.put(
          "run", Map.of("id", owner.id().toString(), "key", owner.key(), "flow", owner.flow()));
    }
    Scope scope = LedgerSide.scope(names, services);
    String why = refusal(row, scope, names.containsKey("input"), missing);
    if (why != null) {
      return new Answer.Unasked(why);
    }
    StepRun here = LedgerSide.at(reconciling, step, scope, services);
    Optional<?> found;
    try {
      found = HttpSending.find(here, lookup);
    } catch (ExpressionFailed e) {
      return new Answer.Unasked(String.valueOf(e.getMessage()));
    }
    return found.isEmpty() ? new Answer.Absent() : present(found.get(), scope);
  }

  private Answer present(Object found, Scope scope) {
    var output = new LinkedHashMap<String, @Nullable Object>();
    if (found instanceof Map<?, ?> answer) {
      answer.forEach((name, value) -> output.put(String.valueOf(name), value));
    }
    String externalId = LedgerSide.textOrNull(effect.externalId(), scope.with("output", output));
    return new Answer.Present(externalId, output);
  }

  /** Says why the lookup cannot be made for this row; null if it can. */
  private @Nullable String refusal(
      EffectRecord row, Scope scope, boolean hasInput, @Nullable String otherFlow) {
    Reach reach = lookup.templates().map(Template::reach).reduce(Reach.NOTHING, Reach::and);
    for (String name : NOT_STORED) {
      if (reach.reaches(name)) {
        return "the lookup reads '%s', which the ledger does not keep: use effect.key or input"
            .formatted(name);
      }
    }
    if (!reach.reaches("input") && !reach.reaches("run")) {
      return null;
    }
    if (!hasInput) {
      return otherFlow != null
          ? "the lookup reads the input, and the effect belongs to a run of flow '%s': use effect.key"
              .formatted(otherFlow)
          : "the lookup reads the input, and the run is not there any more: use effect.key";
    }
    String key = LedgerSide.textOrNull(effect.key(), scope);
    return row.key().key().equals(key)
        ? null
        : "the stored input of the run does not give the effect's key (any more), so the lookup could mean something else: use effect.key";
  }

  /** Compares what was found with the ledger. */
  public FieldComparison compared(
      Answer.Present found, EffectRecord row, @Nullable Object request, @Nullable Object output) {
    EffectContract.Reconcile terms = effect.reconcile();
    return terms == null
        ? FieldComparison.NOTHING
        : LedgerSide.compared(
            terms.fields(), found.output().get("body"), row, request, output, services);
  }
}
