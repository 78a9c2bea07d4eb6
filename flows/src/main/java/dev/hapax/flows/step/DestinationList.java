package dev.hapax.flows.step;

import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.Read;
import dev.hapax.flow.Rejected;
import dev.hapax.flow.RunContext;
import dev.hapax.flows.expression.Scope;
import dev.hapax.flows.expression.Template;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the objects of a destination as {@code effect.reconcile} of a step says, page by page, and
 * says how an object differs from the ledger.
 */
public final class DestinationList {
  private final FlowStep step;
  private final EffectContract.Reconcile terms;
  private final HttpTemplate list;
  private final StepServices services;

  private DestinationList(
      FlowStep step, EffectContract.Reconcile terms, HttpTemplate list, StepServices services) {
    this.step = step;
    this.terms = terms;
    this.list = list;
    this.services = services;
  }

  /** Returns null if the step does not say how to list its objects. */
  public static @Nullable DestinationList of(FlowStep step, StepServices services) {
    EffectContract effect = step.effect();
    EffectContract.Reconcile terms = effect == null ? null : effect.reconcile();
    HttpTemplate list = terms == null ? null : terms.list();
    return terms == null || list == null ? null : new DestinationList(step, terms, list, services);
  }

  /**
   * An entry of the list.
   *
   * @param key of the effect; null if the entry has none
   */
  public record Entry(@Nullable String key, @Nullable String externalId, @Nullable Object item) {}

  /**
   * A page of the list.
   *
   * @param next the cursor of the next page; null after the last one
   */
  public record Page(List<Entry> entries, @Nullable String next) {}

  /** The retries of a page, and the destination whose limits apply. */
  public Read read() {
    Read read = Read.retried(step.retryPolicy());
    String connection = list.connection();
    return connection == null ? read : read.to(services.destination(connection));
  }

  /**
   * Reads a page; call it in a step that reads.
   *
   * @param page what the request knows: number, cursor, from and to
   */
  public Page page(RunContext run, Map<String, ? extends @Nullable Object> page) throws Exception {
    Scope scope = LedgerSide.scope(Map.of("page", page), services);
    var here = LedgerSide.at(run, step, scope, services);
    Map<String, @Nullable Object> response =
        new HttpSending(here, list, null).list(step.attemptTimeout());
    Scope answered = scope.with("response", response);
    return Evaluation.recorded(() -> new Page(entries(response, answered), next(answered)));
  }

  private List<Entry> entries(Map<String, @Nullable Object> response, Scope answered) {
    Template items = terms.items();
    Object list = items == null ? response.get("body") : items.value(answered);
    if (!(list instanceof List<?> rows)) {
      throw new Rejected(
          "not-a-list",
          "effect.reconcile.items of step '%s': expected a list, got %s"
              .formatted(step.id(), list == null ? "nothing" : list.getClass().getSimpleName()));
    }
    List<Entry> entries = new ArrayList<>(rows.size());
    for (Object row : rows) {
      Scope scope = LedgerSide.scope(Map.of(), services).with("item", row);
      entries.add(
          new Entry(
              LedgerSide.textOrNull(terms.key(), scope),
              LedgerSide.textOrNull(terms.externalId(), scope),
              row));
    }
    return entries;
  }

  private @Nullable String next(Scope answered) {
    return LedgerSide.textOrNull(terms.next(), answered);
  }

  /**
   * Compares an entry with the ledger.
   *
   * @param request of the effect, as a plain value
   * @param output of the effect, as a plain value
   */
  public FieldComparison compared(
      Entry entry, EffectRecord effect, @Nullable Object request, @Nullable Object output) {
    return LedgerSide.compared(terms.fields(), entry.item(), effect, request, output, services);
  }
}
