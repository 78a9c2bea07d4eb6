package dev.hapax.flows.step;

import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.Read;
import dev.hapax.flow.Rejected;
import dev.hapax.flow.RunContext;
import dev.hapax.flows.expression.ExpressionFailed;
import dev.hapax.flows.expression.Scope;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.expression.ValueTemplate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the objects of a destination as {@code effect.reconcile} of a step says, page by page, and
 * says how an object differs from the ledger.
 */
public final class DestinationList {
  private static final StepRun.Inner NOTHING_INSIDE =
      new StepRun.Inner() {
        @Override
        public Object inOrder(List<FlowStep> steps) {
          throw new IllegalStateException("a list has no steps");
        }

        @Override
        public List<@Nullable Object> atOnce(List<List<FlowStep>> branches) {
          throw new IllegalStateException("a list has no branches");
        }

        @Override
        public Object repeated(FlowStep step, StepRun.Rounds rounds) {
          throw new IllegalStateException("a list has no rounds");
        }
      };

  private final FlowStep step;
  private final EffectContract.Reconcile terms;
  private final StepServices services;

  private DestinationList(FlowStep step, EffectContract.Reconcile terms, StepServices services) {
    this.step = step;
    this.terms = terms;
    this.services = services;
  }

  /** Returns null if the step does not say how to list its objects. */
  public static @Nullable DestinationList of(FlowStep step, StepServices services) {
    EffectContract effect = step.effect();
    EffectContract.Reconcile terms = effect == null ? null : effect.reconcile();
    return terms == null ? null : new DestinationList(step, terms, services);
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
    String connection = terms.list().connection();
    return connection == null ? read : read.to(services.destination(connection));
  }

  /**
   * Reads a page; call it in a step that reads.
   *
   * @param page what the request knows: number, cursor, from and to
   */
  public Page page(RunContext run, Map<String, ? extends @Nullable Object> page) throws Exception {
    Scope scope = Scope.of(Map.of("page", page)).redactedBy(services::redact);
    var here =
        new StepRun(
            run, step, scope, services, new RecentResources(null), NOTHING_INSIDE, null, Set.of());
    Map<String, @Nullable Object> response =
        new HttpSending(here, terms.list(), null).list(step.attemptTimeout());
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
      Scope scope = Scope.of(Map.of()).with("item", row).redactedBy(services::redact);
      entries.add(new Entry(textOrNull(terms.key(), scope), externalId(scope), row));
    }
    return entries;
  }

  private @Nullable String externalId(Scope scope) {
    return terms.externalId() == null ? null : textOrNull(terms.externalId(), scope);
  }

  private @Nullable String next(Scope answered) {
    return terms.next() == null ? null : textOrNull(terms.next(), answered);
  }

  /** An entry without the member that the expression reads has none. */
  private static @Nullable String textOrNull(Template template, Scope scope) {
    try {
      Object value = template.value(scope);
      String text = value == null ? "" : template.text(scope);
      return text.isEmpty() ? null : text;
    } catch (ExpressionFailed e) {
      return null;
    }
  }

  /**
   * Returns the names of the fields in which an entry differs from the ledger.
   *
   * @param request of the effect, as a plain value
   * @param output of the effect, as a plain value
   */
  public List<String> differences(
      Entry entry, EffectRecord effect, @Nullable Object request, @Nullable Object output) {
    var known = new LinkedHashMap<String, @Nullable Object>();
    known.put("key", effect.key().key());
    known.put("externalId", effect.externalId());
    known.put("version", effect.version() == null ? null : effect.version().asJson());
    known.put("request", request);
    known.put("output", output);
    Scope scope = Scope.of(Map.of("effect", known)).with("item", entry.item());
    List<String> different = new ArrayList<>();
    terms
        .fields()
        .members()
        .forEach(
            (name, agrees) -> {
              if (!holds(agrees, scope.redactedBy(services::redact))) {
                different.add(name);
              }
            });
    return different;
  }

  /** A member that one side lacks is a difference. */
  private static boolean holds(ValueTemplate agrees, Scope scope) {
    try {
      return Boolean.TRUE.equals(agrees.value(scope));
    } catch (ExpressionFailed e) {
      return false;
    }
  }
}
