package dev.hapax.flows.skeleton;

import dev.hapax.flows.connection.CredentialHeaders;
import java.util.Locale;
import java.util.regex.Pattern;

/** Finds what may be a secret in files of others, so that it is not copied. */
final class Sensitive {
  static final String HIDDEN = "REMOVED";

  private static final Pattern NAME =
      Pattern.compile(
          "(.*_)?(pass|pass_?(word|wd|phrase|code)|pwd|secrets?|tokens?|credentials?|auth"
              + "|authorization|cookie|bearer|jwt|sig|signature"
              + "|(api|access|private|auth|secret)_?key)(_.*)?");
  private static final Pattern IN_ADDRESS = Pattern.compile("://[^/\\s@\"']*@");
  private static final String WORDS =
      "(?:pass(?:word|wd|phrase)?|pwd|secret|token|api[-_]?key|access[-_]?key|private[-_]?key|auth"
          + "|signature|sig)";
  private static final String VALUE = "(\"[^\"]*\"|'[^']*'|[^\\s&;|'\"]+)";
  private static final Pattern ASSIGNED =
      Pattern.compile("(?i)([A-Za-z0-9_.-]*" + WORDS + "[A-Za-z0-9_-]*\\s*[=:]\\s*)" + VALUE);
  private static final Pattern NAMED =
      Pattern.compile("(?i)(--?[A-Za-z0-9_.-]*" + WORDS + "[A-Za-z0-9_-]*\\s+)" + VALUE);
  private static final Pattern OPTION =
      Pattern.compile("(?<=\\s)(-u|--user|-H|--header|-p)(\\s+|=)?(\"[^\"]*\"|'[^']*'|\\S+)");

  private Sensitive() {}

  /** Whether a value of this name may be a secret. */
  static boolean isName(String name) {
    String words = name.replaceAll("([a-z0-9])([A-Z])", "$1_$2").replaceAll("[^A-Za-z0-9]+", "_");
    String plain = words.toLowerCase(Locale.ROOT);
    return NAME.matcher(plain).matches() || CredentialHeaders.contains(name);
  }

  /** Returns a text without what looks like a user, password or token in an address. */
  static String address(String text) {
    return IN_ADDRESS.matcher(text).replaceAll("://");
  }

  /** Returns a command line without what looks like a credential. */
  static String command(String line) {
    String address = IN_ADDRESS.matcher(line).replaceAll("://" + HIDDEN + "@");
    String options = OPTION.matcher(" " + address).replaceAll("$1 " + HIDDEN).substring(1);
    String named = NAMED.matcher(options).replaceAll("$1" + HIDDEN);
    return ASSIGNED.matcher(named).replaceAll("$1" + HIDDEN);
  }
}
