package dev.hapax.flows.step;

import dev.hapax.flow.OnRework;
import dev.hapax.flows.expression.Position;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.expression.ValueTemplate;
import java.time.Duration;
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
   * How to compare the destination with the ledger.
   *
   * @param list null: each effect is looked up by the guard's lookup
   * @param next the cursor of the next page; null if there is one page
   * @param key in an entry of the list; null without a list
   * @param fields names, each with an expression that is true if both sides agree
   * @param rate lookups or pages in a second; null: as usual
   * @param times when to reconcile by itself; null: never
   */
  public record Reconcile(
      Position position,
      @Nullable HttpTemplate list,
      @Nullable Template items,
      @Nullable Template next,
      @Nullable Template key,
      @Nullable Template externalId,
      ValueTemplate.Mapping fields,
      @Nullable Integer rate,
      @Nullable Times times) {}

  /**
   * When to reconcile.
   *
   * @param cron as the file has it
   * @param timezone as the file has it; null: UTC
   * @param last only effects of this time before; null: all
   */
  public record Times(
      Position position,
      String cron,
      @Nullable String timezone,
      @Nullable Duration last,
      boolean adopt) {}

  /** Whether a reconciliation can compare its effects: by a list, or by a lookup. */
  public boolean isReconciled() {
    return guard.lookup() != null || (reconcile != null && reconcile.list() != null);
  }

  /** Its texts that may contain expressions about a run. */
  Stream<Template> templates() {
    StepGuard.Lookup lookup = guard.lookup();
    return Stream.of(
            Templates.of(key, version, externalId),
            lookup == null ? Stream.<Template>empty() : lookup.templates())
        .flatMap(texts -> texts);
  }
}
