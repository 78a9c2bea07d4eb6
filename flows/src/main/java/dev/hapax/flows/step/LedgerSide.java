package dev.hapax.flows.step;

import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
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
 * A step outside of its run, as a reconciliation uses it: what its texts say about a row of the
 * ledger, and about an object at the destination.
 */
final class LedgerSide {
  private static final StepRun.Inner NOTHING_INSIDE =
      new StepRun.Inner() {
        @Override
        public Object inOrder(List<FlowStep> steps) {
          throw new IllegalStateException("a reconciliation has no steps");
        }

        @Override
        public List<@Nullable Object> atOnce(List<List<FlowStep>> branches) {
          throw new IllegalStateException("a reconciliation has no branches");
        }

        @Override
        public Object repeated(FlowStep step, StepRun.Rounds rounds) {
          throw new IllegalStateException("a reconciliation has no rounds");
        }
      };

  private static final Set<String> ANSWER = Set.of("output", "externalId");
  private static final Set<String> CONTENT = Set.of("request", "version");

  private LedgerSide() {}

  static StepRun at(RunContext run, FlowStep step, Scope scope, StepServices services) {
    return new StepRun(
        run, step, scope, services, new RecentResources(null), NOTHING_INSIDE, null, Set.of());
  }

  static Scope scope(Map<String, ? extends @Nullable Object> names, StepServices services) {
    return Scope.of(names).redactedBy(services::redact).bounded(services.valueBytes());
  }

  /** Without the member that the expression reads, there is none. */
  static @Nullable String textOrNull(@Nullable Template template, Scope scope) {
    if (template == null) {
      return null;
    }
    try {
      Object value = template.value(scope);
      String text = value == null ? "" : template.text(scope);
      return text.isEmpty() ? null : text;
    } catch (ExpressionFailed e) {
      return null;
    }
  }

  /**
   * Compares an object with the ledger. A doubt has no answer, so fields that read it are not
   * compared.
   *
   * @param item the object at the destination
   * @param request of the effect, as a plain value
   * @param output of the effect, as a plain value
   */
  static FieldComparison compared(
      ValueTemplate.Mapping fields,
      @Nullable Object item,
      EffectRecord effect,
      @Nullable Object request,
      @Nullable Object output,
      StepServices services) {
    var known = new LinkedHashMap<String, @Nullable Object>();
    known.put("key", effect.key().key());
    known.put("externalId", effect.externalId());
    known.put("version", effect.version() == null ? null : effect.version().asJson());
    known.put("request", request);
    known.put("output", output);
    Scope scope = scope(Map.of("effect", known), services).with("item", item);
    boolean isDoubt = effect.state() == EffectState.REVIEW && output == null;
    List<String> different = new ArrayList<>();
    List<String> unanswered = new ArrayList<>();
    boolean hasContent = false;
    for (Map.Entry<String, ValueTemplate> field : fields.members().entrySet()) {
      if (isDoubt && readsEffect(field.getValue(), ANSWER)) {
        unanswered.add(field.getKey());
      } else if (!holds(field.getValue(), scope)) {
        different.add(field.getKey());
      } else {
        hasContent |= readsEffect(field.getValue(), CONTENT);
      }
    }
    return new FieldComparison(different, unanswered, hasContent);
  }

  /** Whether it reads one of these members of the effect, or all of the effect. */
  private static boolean readsEffect(ValueTemplate template, Set<String> members) {
    return template.reach().paths().stream()
        .filter(path -> path.getFirst().equals("effect"))
        .anyMatch(path -> path.size() == 1 || members.contains(path.get(1)));
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
