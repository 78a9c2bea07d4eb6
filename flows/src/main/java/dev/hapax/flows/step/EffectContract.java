package dev.hapax.flows.step;

import dev.hapax.flow.OnRework;
import dev.hapax.flows.expression.Position;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.expression.ValueTemplate;
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

  /**
   * How to list the destination's objects, and how to compare them with the ledger.
   *
   * @param next the cursor of the next page; null if there is one page
   * @param fields names, each with an expression that is true if both sides agree
   */
  public record Reconcile(
      HttpTemplate list,
      @Nullable Template items,
      @Nullable Template next,
      Template key,
      @Nullable Template externalId,
      ValueTemplate.Mapping fields) {}

  /** Its texts that may contain expressions about a run. */
  Stream<Template> templates() {
    StepGuard.Lookup lookup = guard.lookup();
    return Stream.of(
            Templates.of(key, version, externalId),
            lookup == null ? Stream.<Template>empty() : lookup.templates())
        .flatMap(texts -> texts);
  }
}
