package dev.hapax.flows.expression;

import dev.hapax.json.ValueBudget;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A text of a flow file with expressions in it. A template that is exactly one expression keeps the
 * type of its value; any other is a text. Two dollars before a brace mean one plain dollar.
 */
public final class Template {
  private static final int MOST_DIGITS = 1_000;

  /** A part is a text or an expression. */
  private final List<Object> parts;

  private final Position position;
  private final String source;

  private Template(List<Object> parts, Position position, String source) {
    this.parts = List.copyOf(parts);
    this.position = position;
    this.source = source;
  }

  /** A text without expressions. */
  public static Template constant(String text, Position position) {
    return new Template(text.isEmpty() ? List.of() : List.of(text), position, text);
  }

  /**
   * Splits the text at its expressions.
   *
   * @param oneLine whether the text appears unchanged in the file, so that columns can be counted
   */
  public static Template parse(
      String text,
      Position position,
      boolean oneLine,
      ExpressionCompiler compiler,
      List<ExpressionProblem> problems) {
    var parts = new ArrayList<Object>();
    var plain = new StringBuilder();
    int at = 0;
    while (at < text.length()) {
      if (text.startsWith("$${", at)) {
        plain.append("${");
        at += 3;
      } else if (text.startsWith("${", at)) {
        int end = endOf(text, at + 2);
        Position here = oneLine ? position.right(at) : position;
        if (end < 0) {
          problems.add(new ExpressionProblem(here, "'${' has no '}' that closes it"));
          parts.add(Expression.broken(text.substring(at), here)); // it is no constant
          break;
        }
        if (!plain.isEmpty()) {
          parts.add(plain.toString());
          plain.setLength(0);
        }
        String inner = text.substring(at + 2, end);
        String expression = inner.strip();
        int lead = inner.indexOf(expression);
        Position start = oneLine ? here.right(2 + Math.max(0, lead)) : here;
        parts.add(compiler.compile(expression, start, problems));
        at = end + 1;
      } else {
        plain.append(text.charAt(at));
        at++;
      }
    }
    if (!plain.isEmpty()) {
      parts.add(plain.toString());
    }
    return new Template(parts, position, text);
  }

  /** Returns the expressions in a text without compiling them; none behind one that never ends. */
  public static List<String> expressionsIn(String text) {
    var found = new ArrayList<String>();
    for (int at = text.indexOf("${"); at >= 0; at = text.indexOf("${", at)) {
      boolean isPlain = at > 0 && text.charAt(at - 1) == '$';
      int end = isPlain ? at + 1 : endOf(text, at + 2);
      if (end < 0) {
        break;
      }
      if (!isPlain) {
        found.add(text.substring(at + 2, end).strip());
      }
      at = end + 1;
    }
    return found;
  }

  /** Finds the brace that closes an expression, and skips braces of CEL's texts and maps. */
  private static int endOf(String text, int from) {
    int depth = 0;
    char quote = 0;
    for (int i = from; i < text.length(); i++) {
      char c = text.charAt(i);
      if (quote != 0) {
        if (c == '\\') {
          i++;
        } else if (c == quote) {
          quote = 0;
        }
      } else if (c == '\'' || c == '"') {
        quote = c;
      } else if (c == '{') {
        depth++;
      } else if (c == '}' && depth-- == 0) {
        return i;
      }
    }
    return -1;
  }

  public Position position() {
    return position;
  }

  /** Returns the text as written in the file. */
  public String source() {
    return source;
  }

  /** Returns the text as people read it: a single expression loses its braces. */
  public String plain() {
    boolean single = source.startsWith("${") && source.indexOf('}') == source.length() - 1;
    return single
        ? source.substring(2, source.length() - 1).strip()
        : source.replace("$${", "\0").replace("${", "{").replace("\0", "${");
  }

  public boolean isConstant() {
    return parts.stream().noneMatch(Expression.class::isInstance);
  }

  /** Returns null unless it is exactly one expression. */
  public @Nullable Expression onlyExpression() {
    return parts.size() == 1 && parts.getFirst() instanceof Expression only ? only : null;
  }

  public List<Expression> expressions() {
    return parts.stream().filter(Expression.class::isInstance).map(Expression.class::cast).toList();
  }

  public Reach reach() {
    return expressions().stream().map(Expression::reach).reduce(Reach.NOTHING, Reach::and);
  }

  public @Nullable Object value(Scope scope) {
    return value(scope, scope.budget());
  }

  @Nullable Object value(Scope scope, ValueBudget room) {
    Expression only = onlyExpression();
    return only != null ? only.value(scope, room) : text(scope, room);
  }

  public String text(Scope scope) {
    return text(scope, scope.budget());
  }

  /** Returns the text, with the values as the writer writes them. */
  public String text(Scope scope, ValueWriter writer) {
    return text(scope, scope.budget(), writer);
  }

  private String text(Scope scope, ValueBudget room) {
    return text(scope, room, (text, _, value) -> text.append(value));
  }

  private String text(Scope scope, ValueBudget room, ValueWriter writer) {
    var text = new StringBuilder();
    for (Object part : parts) {
      if (part instanceof Expression inner) {
        Object value = inner.value(scope, new ValueBudget(scope.valueBytes()));
        ExpressionFailed.unlessFits(
            inner.position(), () -> writer.write(text, inner.isRaw(), textOf(value, room)));
      } else {
        String plain = (String) part;
        ExpressionFailed.unlessFits(position, () -> room.takeText(plain));
        text.append(plain);
      }
    }
    return text.toString();
  }

  /** Writes a value into a text, after what precedes it. */
  @FunctionalInterface
  public interface ValueWriter {
    /**
     * Appends the value.
     *
     * @param isRaw whether the file asks for the value as it is
     */
    void write(StringBuilder text, boolean isRaw, String value);
  }

  /**
   * Formats a value inside a text: a text unchanged, nothing for null, JSON for the rest.
   *
   * @param room of the text that it becomes a part of
   */
  static String textOf(@Nullable Object value, ValueBudget room) {
    String text =
        switch (value) {
          case null -> "";
          case String already -> already;
          case BigDecimal decimal -> digits(decimal);
          case Map<?, ?> map -> room.write(map);
          case Collection<?> list -> room.write(list);
          default -> value.toString();
        };
    if (!(value instanceof Map<?, ?> || value instanceof Collection<?>)) {
      room.takeText(text);
    }
    return text;
  }

  /** Writes all digits, unless there are so many that only an attacker would write them. */
  private static String digits(BigDecimal decimal) {
    return decimal.precision() + Math.abs((long) decimal.scale()) <= MOST_DIGITS
        ? decimal.toPlainString()
        : decimal.stripTrailingZeros().toString();
  }

  @Override
  public String toString() {
    return source;
  }
}
