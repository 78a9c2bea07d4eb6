package dev.hapax.flows.step;

import dev.hapax.flow.OnRework;
import dev.hapax.flows.expression.Position;
import dev.hapax.flows.expression.Template;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The contract of a step that changes the outside world.
 *
 * @param name in the ledger; null: flow and step
 * @param appliesTies whether other content under an equal version is sent
 * @param onRework what the run's own effect with other content leads to; null if the file does not
 *     say
 */
public record EffectContract(
    Position position,
    @Nullable String name,
    EffectKind kind,
    Template key,
    StepGuard guard,
    @Nullable Template version,
    boolean appliesTies,
    @Nullable OnRework onRework,
    @Nullable Template externalId,
    @Nullable Reconcile reconcile) {

  /** How to list the destination's objects. */
  public record Reconcile(HttpTemplate list, @Nullable Template items, Template key) {}

  /** Its texts that may contain expressions. */
  Stream<Template> templates() {
    Stream<Template> listed =
        reconcile == null
            ? Stream.empty()
            : Stream.concat(reconcile.list().templates(), Stream.ofNullable(reconcile.items()));
    StepGuard.Lookup lookup = guard.lookup();
    return Stream.of(
            Templates.of(key, version, externalId),
            listed,
            lookup == null ? Stream.<Template>empty() : lookup.templates())
        .flatMap(texts -> texts);
  }
}
