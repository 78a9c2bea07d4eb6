package dev.hapax.flows.expression;

import dev.cel.common.ast.CelExpr;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelLateFunctionBindings;
import dev.hapax.json.Json;
import dev.hapax.json.ValueBudget;
import dev.hapax.json.ValueTooLarge;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A compiled expression with its place in the file. Immutable; safe for many threads. */
public final class Expression {
  private static final int MOST_SHOWN = 200;

  /** Of a large value this much is written for a message; it must hold whole secrets. */
  private static final int MOST_WRITTEN = 64 << 10;

  private static final int MOST_PATHS_SHOWN = 20;
  private static final int LONGEST_REASON = 1_000;

  private final String text;
  private final Position position;
  private final ExpressionCompiler.@Nullable Compiled compiled;
  private final @Nullable List<String> path;

  Expression(String text, Position position, ExpressionCompiler.@Nullable Compiled compiled) {
    this.text = text;
    this.position = position;
    this.compiled = compiled;
    this.path = compiled == null ? null : fieldsOnly(compiled.tree().getExpr());
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
    return compiled == null ? Reach.NOTHING : compiled.reach();
  }

  /** Whether its value is wanted in an address as it is: {@code raw(…)}. */
  boolean isRaw() {
    return compiled != null
        && compiled.tree().getExpr().getKind() == CelExpr.ExprKind.Kind.CALL
        && compiled.tree().getExpr().call().function().equals("raw");
  }

  /** Whether it is known before any run that its value is not a boolean. */
  public boolean isNeverBoolean() {
    return isNever(SimpleType.BOOL);
  }

  private boolean isNever(CelType wanted) {
    if (compiled == null || !compiled.tree().isChecked()) {
      return false;
    }
    CelType type = compiled.tree().getResultType();
    return !type.equals(wanted) && !type.equals(SimpleType.DYN);
  }

  /**
   * Returns its value: null, text, boolean, number, map or list.
   *
   * @param room of the value that it becomes or is a part of
   */
  @Nullable Object value(Scope scope, ValueBudget room) {
    if (compiled == null) {
      throw failed(scope, "it did not compile");
    }
    List<String> fields = path;
    try {
      if (fields != null) {
        Object value = walk(fields, scope);
        room.takeValue(value);
        return value;
      }
      return CelValues.fromCel(evaluate(compiled, scope), room);
    } catch (ExpressionFailed e) {
      throw e;
    } catch (CelEvaluationException e) {
      throw failed(scope, e);
    } catch (RuntimeException | StackOverflowError e) {
      throw failed(scope, e);
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
      case Boolean _ -> "a boolean";
      case Number _ -> "a number";
      case Collection<?> _ -> "a list";
      default -> "not an object";
    };
  }

  private static Object evaluate(ExpressionCompiler.Compiled compiled, Scope scope)
      throws CelEvaluationException {
    CelLateFunctionBindings functions = functions(scope.moment());
    if (!compiled.nodes().areCounted()) {
      return compiled.program().eval(scope::find, functions);
    }
    var room = new EvaluationRoom(compiled.nodes(), scope.valueBytes());
    return room.evaluate(() -> compiled.program().trace(scope::find, functions, room::computed));
  }

  @SuppressWarnings("Immutable") // a moment belongs to one evaluation
  private static CelLateFunctionBindings functions(Volatile moment) {
    return CelLateFunctionBindings.from(
        CelFunctionBinding.from("hapax_now", List.of(), _ -> moment.now()),
        CelFunctionBinding.from("hapax_random", List.of(), _ -> moment.random()),
        CelFunctionBinding.from("hapax_uuid", List.of(), _ -> moment.uuid()),
        CelFunctionBinding.from("hapax_callback", String.class, moment::callback),
        CelFunctionBinding.from(
            "hapax_approval", String.class, step -> moment.approval(step, null)),
        CelFunctionBinding.from(
            "hapax_approval_for", String.class, String.class, moment::approval));
  }

  private static String reason(Throwable e) {
    for (Throwable at = e; at != null; at = at.getCause()) {
      if (at instanceof EvaluationRoom.TooMuch || at instanceof ValueTooLarge) {
        return String.valueOf(at.getMessage());
      }
    }
    String message = String.valueOf(e.getMessage());
    int detail = message.indexOf(": ");
    return message.startsWith("evaluation error") && detail > 0
        ? message.substring(detail + 2)
        : message;
  }

  private ExpressionFailed failed(Scope scope, Throwable e) {
    ValueTooLarge large = ValueTooLarge.behind(e);
    return large == null
        ? failed(scope, reason(e))
        : new ExpressionFailed(
            position,
            ValueTooLarge.CODE,
            "%s ${%s}: %s".formatted(position, text, large.getMessage()));
  }

  private ExpressionFailed failed(Scope scope, String reason) {
    String seen = seen(scope);
    String why = scope.redact(reason); // before it is cut, so that no half of a secret remains
    String shown = why.length() <= LONGEST_REASON ? why : why.substring(0, LONGEST_REASON) + "…";
    return new ExpressionFailed(
        position,
        scope.redact("%s ${%s} has no value: %s%s".formatted(position, text, shown, seen)));
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
    return reach().paths().stream()
        .sorted((a, b) -> String.join(".", a).compareTo(String.join(".", b)))
        .limit(MOST_PATHS_SHOWN)
        .toList();
  }

  /** Redacts before it cuts, so that no half of a secret remains. */
  private static String shown(Scope scope, @Nullable Object value) {
    String json;
    try {
      json = value == null ? "null" : Json.beginning(value, MOST_WRITTEN);
    } catch (RuntimeException e) {
      json = "a value without a JSON form";
    }
    String redacted = scope.redact(json);
    if (json.length() == MOST_WRITTEN && redacted.length() < MOST_WRITTEN / 2) {
      return "a large value"; // mostly secrets: its end may be half of one
    }
    return redacted.length() <= MOST_SHOWN ? redacted : redacted.substring(0, MOST_SHOWN) + "…";
  }

  @Override
  public String toString() {
    return "${" + text + "}";
  }
}
