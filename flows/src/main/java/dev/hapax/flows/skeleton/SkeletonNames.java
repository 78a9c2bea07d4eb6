package dev.hapax.flows.skeleton;

import dev.hapax.json.Text;
import java.text.Normalizer;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/** Makes names that are valid, safe as file names, and unique, from names of any kind. */
final class SkeletonNames {
  private static final int LONGEST = 48;

  /** Words of expressions, which cannot be the id of a step. */
  private static final Set<String> WORDS =
      Set.of(
          "as",
          "break",
          "const",
          "continue",
          "else",
          "false",
          "for",
          "function",
          "if",
          "import",
          "in",
          "let",
          "loop",
          "namespace",
          "null",
          "package",
          "return",
          "true",
          "var",
          "void",
          "while");

  private final Set<String> used = new HashSet<>();

  /** Returns a name of a flow: {@code order-to-invoice}. */
  String flow(String given, String otherwise) {
    String slug = words(given, "-").toLowerCase(Locale.ROOT);
    return unique(slug.isEmpty() ? otherwise : slug, "-");
  }

  /** Returns an id of a step: {@code sendMail}. */
  String step(String given, String otherwise) {
    var id = new StringBuilder();
    for (String word : words(given, " ").split(" ", -1)) {
      String lower = word.toLowerCase(Locale.ROOT);
      if (!lower.isEmpty()) {
        id.append(id.isEmpty() ? lower : upperFirst(lower));
      }
    }
    String name =
        id.isEmpty() || !Character.isLetter(id.charAt(0)) ? otherwise + id : id.toString();
    return unique(WORDS.contains(name) ? name + "Step" : name, "");
  }

  private static String upperFirst(String word) {
    return word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
  }

  /** Whether a word can be the name of a field in an expression. */
  static boolean isField(String name) {
    return name.matches("[A-Za-z_][A-Za-z0-9_]*") && !WORDS.contains(name);
  }

  /** Returns a name that is used as it is, such as that of a schedule. */
  static String slug(String given, String otherwise) {
    String slug = words(given, "-").toLowerCase(Locale.ROOT);
    return slug.isEmpty() ? otherwise : slug;
  }

  private static String words(String given, String separator) {
    String ascii = Normalizer.normalize(Text.cut(given, 500), Normalizer.Form.NFKD);
    String words = ascii.replaceAll("\\p{M}+", "").replaceAll("[^A-Za-z0-9]+", separator).strip();
    String trimmed = words.replaceAll("^" + separator + "+|" + separator + "+$", "");
    String cut = Text.cut(trimmed, LONGEST);
    return cut.endsWith(separator) ? cut.substring(0, cut.length() - separator.length()) : cut;
  }

  private String unique(String name, String separator) {
    String free = name;
    for (int i = 2; !used.add(free); i++) {
      free = name + separator + i;
    }
    return free;
  }
}
