package dev.hapax.flows.skeleton;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A line of a crontab that starts something.
 *
 * @param when the five fields, or a word such as {@code @daily}
 * @param zone of {@code CRON_TZ} above it; null if there is none
 * @param user empty unless the crontab is the system's
 * @param input the text behind an unescaped {@code %}
 * @param comments the lines above it
 * @param variables the names of the variables that are set above it
 */
record CrontabEntry(
    int line,
    String when,
    @Nullable String zone,
    String user,
    String command,
    String input,
    List<String> comments,
    List<String> variables) {
  private static final Pattern VARIABLE =
      Pattern.compile("\\s*[\"']?([A-Za-z_][A-Za-z0-9_]*)[\"']?\\s*=\\s*(.*)");
  private static final Pattern WORD = Pattern.compile("\\s*-?(@[A-Za-z]+)\\s+(.*)");
  private static final Pattern FIELDS =
      Pattern.compile("\\s*-?(\\S+)\\s+(\\S+)\\s+(\\S+)\\s+(\\S+)\\s+(\\S+)\\s+(.*)");
  private static final Pattern USER = Pattern.compile("(\\S+)\\s+(.*)");

  static List<CrontabEntry> read(String text, boolean isSystem) {
    var entries = new ArrayList<CrontabEntry>();
    var comments = new ArrayList<String>();
    Map<String, String> variables = new LinkedHashMap<>();
    int number = 0;
    for (String line : text.lines().toList()) {
      number++;
      if (line.isBlank()) {
        comments.clear();
      } else if (line.stripLeading().startsWith("#")) {
        comments.add(line.strip().replaceFirst("^#+\\s*", ""));
      } else {
        Matcher variable = VARIABLE.matcher(line);
        if (variable.matches()) {
          variables.put(variable.group(1), unquoted(variable.group(2)));
        } else {
          entries.add(entry(number, line, isSystem, List.copyOf(comments), variables));
        }
        comments.clear();
      }
    }
    return entries;
  }

  private static CrontabEntry entry(
      int number, String line, boolean isSystem, List<String> comments, Map<String, String> set) {
    Matcher word = WORD.matcher(line);
    Matcher fields = FIELDS.matcher(line);
    String when;
    String rest;
    if (word.matches()) {
      when = word.group(1);
      rest = word.group(2);
    } else if (fields.matches()) {
      when =
          String.join(
              " ",
              List.of(
                  fields.group(1),
                  fields.group(2),
                  fields.group(3),
                  fields.group(4),
                  fields.group(5)));
      rest = fields.group(6);
    } else {
      throw new NotImportable(
          "line %d: expected five fields and a command, or a word such as @daily and a command"
              .formatted(number));
    }
    String user = "";
    if (isSystem) {
      Matcher named = USER.matcher(rest);
      if (!named.matches()) {
        throw new NotImportable(
            "line %d: expected a user and a command behind the time".formatted(number));
      }
      user = named.group(1);
      rest = named.group(2);
    }
    String[] parts = split(rest);
    String zone = set.getOrDefault("CRON_TZ", set.get("TZ"));
    return new CrontabEntry(number, when, zone, user, parts[0], parts[1], comments, namesOf(set));
  }

  /** The names of variables without that of the time zone, which the schedule has. */
  private static List<String> namesOf(Map<String, String> set) {
    return set.keySet().stream()
        .filter(name -> !name.equals("CRON_TZ") && !name.equals("TZ"))
        .toList();
  }

  /** The first unescaped % ends the command; what follows is its standard input. */
  private static String[] split(String rest) {
    var command = new StringBuilder();
    for (int i = 0; i < rest.length(); i++) {
      char c = rest.charAt(i);
      if (c == '\\' && i + 1 < rest.length() && rest.charAt(i + 1) == '%') {
        command.append('%');
        i++;
      } else if (c == '%') {
        return new String[] {command.toString().strip(), rest.substring(i + 1).replace('%', '\n')};
      } else {
        command.append(c);
      }
    }
    return new String[] {command.toString().strip(), ""};
  }

  private static String unquoted(String value) {
    String text = value.strip();
    boolean isQuoted =
        text.length() > 1
            && (text.charAt(0) == '"' || text.charAt(0) == '\'')
            && text.charAt(0) == text.charAt(text.length() - 1);
    return isQuoted ? text.substring(1, text.length() - 1) : text;
  }
}
