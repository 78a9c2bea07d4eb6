package dev.hapax.flows.step;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Says what a statement of a flow file does, judging by its words. */
public final class Sql {
  private static final Pattern NOT_CODE =
      Pattern.compile("--[^\\n]*|/\\*.*?\\*/|'(?:[^']|'')*'|\"[^\"]*\"", Pattern.DOTALL);
  private static final Pattern WORD = Pattern.compile("[^a-z_]+");
  private static final Set<String> WRITING =
      Set.of(
          "insert",
          "update",
          "delete",
          "merge",
          "replace",
          "create",
          "drop",
          "alter",
          "truncate",
          "call",
          "grant",
          "revoke",
          "copy",
          "do",
          "vacuum",
          "attach",
          "pragma",
          "lock",
          "into");

  private Sql() {}

  /** Whether it only reads: it begins with SELECT, WITH or VALUES, and no word in it writes. */
  public static boolean reads(String sql) {
    String[] words = WORD.split(code(sql).toLowerCase(Locale.ROOT).strip(), -1);
    String first = words.length == 0 ? "" : words[0];
    if (!first.equals("select") && !first.equals("with") && !first.equals("values")) {
      return false;
    }
    for (String word : words) {
      if (WRITING.contains(word)) {
        return false;
      }
    }
    return true;
  }

  /** Whether a second statement follows a semicolon. */
  public static boolean isMany(String sql) {
    String code = code(sql).strip();
    int semicolon = code.indexOf(';');
    return semicolon >= 0 && semicolon < code.length() - 1;
  }

  private static String code(String sql) {
    return NOT_CODE.matcher(sql).replaceAll(" ");
  }
}
