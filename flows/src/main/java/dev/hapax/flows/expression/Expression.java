package dev.hapax.flows.expression;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.navigation.CelNavigableExpr;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelLateFunctionBindings;
import dev.cel.runtime.CelRuntime;
import dev.hapax.json.Json;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A compiled expression with its place in the file. Immutable; safe for many threads. */
public final class Expression {
  private static final int MOST_SHOWN = 200;

  /** Nodes that one evaluation may compute; with 10,000 loop rounds, about a tenth of a second. */
  private static final long MOST_COST = 500_000;

  private final String text;
  private final Position position;
  private final @Nullable CelAbstractSyntaxTree tree;
  private final CelRuntime.@Nullable Program program;
  private final Reach reach;
  private final @Nullable List<String> path;
  private final boolean loops;

  Expression(String text, Position position, ExpressionCompiler.@Nullable Compiled compiled) {
    this.text = text;
    this.position = position;
    this.tree = compiled == null ? null : compiled.tree();
    this.program = compiled == null ? null : compiled.program();
    this.reach = compiled == null ? Reach.NOTHING : compiled.reach();
    this.path = tree == null ? null : fieldsOnly(tree.getExpr());
    this.loops =
        tree != null
            && CelNavigableExpr.fromExpr(tree.getExpr())
                .allNodes()
                .anyMatch(node -> node.getKind() == CelExpr.ExprKind.Kind.COMPREHENSION);
  }

  /** Replaces one that did not compile, so that the rest of the file can still be read. */
  static Expression broken(String text, Position position) {
    return new Expression(text, position, null);
  }

  /** Returns null unless the expression is only names joined by dots. */
  private static @Nullable List<String> fieldsOnly(CelExpr expr) {
    for (CelExpr at = expr; ; at = at.select().operand()) {
      if (at.getKind() == CelExpr.ExprKind.Kind.IDENT) {
        return Reach.pathOf(expr);
      }
      if (at.getKind() != CelExpr.ExprKind.Kind.SELECT || at.select().testOnly()) {
        return null;
      }
    }
  }

  public String text() {
    return text;
  }

  public Position position() {
    return position;
  }

  public Reach reach() {
    return reach;
  }

  /** Whether it is known before any run that its value is not a boolean. */
  public boolean isNeverBoolean() {
    return isNever(SimpleType.BOOL);
  }

  private boolean isNever(CelType wanted) {
    if (tree == null || !tree.isChecked()) {
      return false;
    }
    CelType type = tree.getResultType();
    return !type.equals(wanted) && !type.equals(SimpleType.DYN);
  }

  /** Returns its value: null, text, boolean, number, map or list. */
  public @Nullable Object value(Scope scope) {
    if (program == null) {
      throw failed(scope, "it did not compile");
    }
    List<String> fields = path;
    if (fields != null) {
      return walk(fields, scope);
    }
    try {
      return CelValues.fromCel(evaluate(program, scope));
    } catch (CelEvaluationException e) {
      throw failed(scope, reason(e));
    } catch (RuntimeException | StackOverflowError e) {
      throw failed(scope, reason(e));
    }
  }

  /** Names joined by dots need no CEL: this way a number keeps all its digits. */
  private @Nullable Object walk(List<String> fields, Scope scope) {
    if (!scope.holds(fields.getFirst())) {
      throw failed(scope, "'%s' is not known here".formatted(fields.getFirst()));
    }
    Object value = scope.value(fields.getFirst());
    for (int i = 1; i < fields.size(); i++) {
      String field = fields.get(i);
      if (!(value instanceof Map<?, ?> map)) {
        throw failed(
            scope,
            "'%s' is %s and has no field '%s'"
                .formatted(String.join(".", fields.subList(0, i)), kindOf(value), field));
      }
      if (!map.containsKey(field)) {
        throw failed(
            scope,
            "'%s' has no field '%s'".formatted(String.join(".", fields.subList(0, i)), field));
      }
      value = map.get(field);
    }
    return value;
  }

  private static String kindOf(@Nullable Object value) {
    return switch (value) {
      case null -> "null";
      case String _ -> "a text";
      case Boolean _ -> "a truth value";
      case Number _ -> "a number";
      case Collection<?> _ -> "a list";
      default -> "no object";
    };
  }

  private Object evaluate(CelRuntime.Program compiled, Scope scope) throws CelEvaluationException {
    if (!loops) {
      return compiled.eval(scope::find, functions(scope.moment()));
    }
    var cost = new Cost();
    return compiled.trace(scope::find, functions(scope.moment()), (_, value) -> cost.add(value));
  }

  @SuppressWarnings("Immutable") // a moment belongs to one evaluation
  private static CelLateFunctionBindings functions(Volatile moment) {
    return CelLateFunctionBindings.from(
        CelFunctionBinding.from("hapax_now", List.of(), _ -> moment.now()),
        CelFunctionBinding.from("hapax_random", List.of(), _ -> moment.random()),
        CelFunctionBinding.from("hapax_uuid", List.of(), _ -> moment.uuid()),
        CelFunctionBinding.from("hapax_callback", String.class, moment::callback));
  }

  /** Counts what an evaluation computes; long texts and lists count by their size. */
  private static final class Cost {
    private long sum;

    void add(Object value) {
      sum += 1;
      if (value instanceof CharSequence text) {
        sum += text.length() / 64;
      } else if (value instanceof Collection<?> list) {
        sum += list.size() / 64;
      }
      if (sum > MOST_COST) {
        throw new TooMuch();
      }
    }
  }

  private static final class TooMuch extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private static String reason(Throwable e) {
    for (Throwable at = e; at != null; at = at.getCause()) {
      if (at instanceof TooMuch) {
        return "it costs more than %,d steps of computing".formatted(MOST_COST);
      }
    }
    String message = String.valueOf(e.getMessage());
    int detail = message.indexOf(": ");
    return message.startsWith("evaluation error") && detail > 0
        ? message.substring(detail + 2)
        : message;
  }

  private ExpressionFailed failed(Scope scope, String reason) {
    String seen = seen(scope);
    return new ExpressionFailed(
        position,
        scope.redact("%s ${%s} has no value: %s%s".formatted(position, text, reason, seen)));
  }

  /** Shows the values at the end of its paths, or as far along them as values exist. */
  private String seen(Scope scope) {
    var values = new LinkedHashMap<String, String>();
    for (List<String> reached : sortedPaths()) {
      if (!scope.holds(reached.getFirst())) {
        continue;
      }
      Object value = scope.value(reached.getFirst());
      int known = 1;
      while (known < reached.size()
          && value instanceof Map<?, ?> map
          && map.containsKey(reached.get(known))) {
        value = map.get(reached.get(known));
        known++;
      }
      values.put(String.join(".", reached.subList(0, known)), shown(scope, value));
    }
    return values.isEmpty()
        ? ""
        : ". It saw "
            + String.join(
                ", ",
                values.entrySet().stream().map(e -> e.getKey() + " = " + e.getValue()).toList());
  }

  private List<List<String>> sortedPaths() {
    var sorted = new ArrayList<>(reach.paths());
    sorted.sort((a, b) -> String.join(".", a).compareTo(String.join(".", b)));
    return sorted;
  }

  /** Redacts before it cuts, so that no half of a secret remains. */
  private static String shown(Scope scope, @Nullable Object value) {
    String json;
    try {
      json = value == null ? "null" : Json.write(value);
    } catch (RuntimeException e) {
      json = "a value without a JSON form";
    }
    String redacted = scope.redact(json);
    return redacted.length() <= MOST_SHOWN ? redacted : redacted.substring(0, MOST_SHOWN) + "…";
  }

  @Override
  public String toString() {
    return "${" + text + "}";
  }
}
