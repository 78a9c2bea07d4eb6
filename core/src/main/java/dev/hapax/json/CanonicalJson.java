package dev.hapax.json;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * JSON in one form only, after RFC 8785: members sorted by UTF-16 code units, no white space, one
 * form per number. One difference: RFC 8785 knows doubles only and would merge 12345678901234567
 * with …568. Here a number is written with its exact digits if its shortest double form denotes
 * another number, so two numbers never share a form.
 */
public final class CanonicalJson {
  private static final MathContext ONE_DIGIT = new MathContext(1);

  private CanonicalJson() {}

  public static String of(String json) {
    return of(Json.tree(json));
  }

  public static String of(JsonNode node) {
    var out = new StringBuilder();
    write(node, out);
    Json.refuseLoneSurrogates(out);
    return out.toString();
  }

  private static void write(JsonNode node, StringBuilder out) {
    switch (node.getNodeType()) {
      case OBJECT -> writeObject(node, out);
      case ARRAY -> {
        char separator = '[';
        for (JsonNode element : node) {
          out.append(separator);
          write(element, out);
          separator = ',';
        }
        out.append(separator == '[' ? "[]" : "]");
      }
      case STRING -> writeString(node.stringValue(), out);
      case NUMBER -> out.append(number(node.decimalValue()));
      case BOOLEAN -> out.append(node.booleanValue());
      default -> out.append("null");
    }
  }

  private static void writeObject(JsonNode node, StringBuilder out) {
    List<String> names = new ArrayList<>(node.propertyNames());
    names.sort(null); // String order is UTF-16 order, as RFC 8785 asks
    out.append('{');
    for (String name : names) {
      if (out.charAt(out.length() - 1) != '{') {
        out.append(',');
      }
      writeString(name, out);
      out.append(':');
      write(node.get(name), out);
    }
    out.append('}');
  }

  private static void writeString(String text, StringBuilder out) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\b' -> out.append("\\b");
        case '\f' -> out.append("\\f");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        default -> {
          if (c < 0x20) {
            out.append("\\u%04x".formatted((int) c));
          } else {
            out.append(c);
          }
        }
      }
    }
    out.append('"');
  }

  static String number(BigDecimal value) {
    double nearest = value.doubleValue();
    if (Double.isFinite(nearest) && shortest(nearest).compareTo(value) == 0) {
      return ecmaScript(nearest);
    }
    BigDecimal exact = value.stripTrailingZeros();
    return exact.unscaledValue() + (exact.scale() == 0 ? "" : "e" + -exact.scale());
  }

  /**
   * Returns the fewest digits that denote the double. Java writes at least two, so 4.9E-324 where
   * ECMAScript writes 5e-324.
   */
  private static BigDecimal shortest(double value) {
    BigDecimal digits = new BigDecimal(Double.toString(value));
    if (digits.precision() > 2) {
      return digits;
    }
    BigDecimal one = digits.round(ONE_DIGIT);
    return one.doubleValue() == value ? one : digits;
  }

  /** Number.prototype.toString of ECMAScript, from the shortest digits. */
  private static String ecmaScript(double value) {
    if (value == 0) {
      return "0";
    }
    BigDecimal decimal = shortest(value).stripTrailingZeros();
    String digits = decimal.unscaledValue().abs().toString();
    int point = digits.length() - decimal.scale(); // position of the decimal point in the digits
    String sign = value < 0 ? "-" : "";
    if (digits.length() <= point && point <= 21) {
      return sign + digits + "0".repeat(point - digits.length());
    }
    if (0 < point && point <= 21) {
      return sign + digits.substring(0, point) + "." + digits.substring(point);
    }
    if (-6 < point && point <= 0) {
      return sign + "0." + "0".repeat(-point) + digits;
    }
    String exponent = (point - 1 < 0 ? "e-" : "e+") + Math.abs(point - 1);
    return sign
        + digits.charAt(0)
        + (digits.length() == 1 ? "" : "." + digits.substring(1))
        + exponent;
  }
}
