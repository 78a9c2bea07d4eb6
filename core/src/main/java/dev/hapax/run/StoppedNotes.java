package dev.hapax.run;

import dev.hapax.flow.StoppedDuplicate;
import dev.hapax.flow.StoppedDuplicate.Door;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The last stopped duplicates of a run as one text, the newest first: a line of ASCII for each. A
 * store puts new lines before the old ones and cuts the text at its end, in the statement that
 * counts them, so that no duplicate is read before it is written. Pure.
 */
public final class StoppedNotes {
  /** How many are shown. */
  public static final int MOST = 20;

  private static final int LONGEST_CALLER = 150;

  /** An instant, a door, a caller, and what is between them. */
  private static final int LONGEST_LINE = LONGEST_CALLER + 30;

  private static final char BETWEEN = ';';
  private static final String CUT = "...";

  private StoppedNotes() {}

  /** Writes them in this order. */
  public static String write(List<StoppedDuplicate> newestFirst) {
    var text = new StringBuilder();
    for (StoppedDuplicate one : newestFirst) {
      text.append(one.at().toEpochMilli())
          .append(BETWEEN)
          .append(one.door().word())
          .append(BETWEEN)
          .append(escaped(one.caller()))
          .append('\n');
    }
    return text.toString();
  }

  /** What a store keeps; the databases compute the same in SQL. */
  public static String merged(String newer, @Nullable String older) {
    String all = older == null ? newer : newer + older;
    return all.substring(0, Math.min(kept(newer), all.length()));
  }

  /**
   * How many characters are kept when this is put before older lines: enough for those that are
   * shown. A busy run's text stays short by that, and PostgreSQL compresses a long one at each
   * write, which costs more than all the rest of counting.
   */
  public static int kept(String newer) {
    int lines = (int) newer.chars().filter(c -> c == '\n').count();
    return newer.length() + Math.max(0, MOST - lines) * LONGEST_LINE;
  }

  /** Reads the newest ones. The last line may have been cut. */
  public static List<StoppedDuplicate> read(@Nullable String text) {
    var found = new ArrayList<StoppedDuplicate>();
    int at = 0;
    while (text != null && found.size() < MOST) {
      int end = text.indexOf('\n', at);
      if (end < 0) {
        break;
      }
      String[] parts = text.substring(at, end).split(";", 3);
      found.add(
          new StoppedDuplicate(
              Instant.ofEpochMilli(Long.parseLong(parts[0])),
              doorOf(parts[1]),
              parts[2].isEmpty() ? null : unescaped(parts[2])));
      at = end + 1;
    }
    return found;
  }

  private static Door doorOf(String word) {
    for (Door door : Door.values()) {
      if (door.word().equals(word)) {
        return door;
      }
    }
    return Door.START; // written by a newer version
  }

  /** The text comes from outside: only printable ASCII is kept as it is. */
  private static String escaped(@Nullable String caller) {
    var text = new StringBuilder();
    for (int i = 0; caller != null && i < caller.length(); i++) {
      char c = caller.charAt(i);
      String next = c < ' ' || c > '~' || c == '\\' ? "\\u%04x".formatted((int) c) : "" + c;
      if (text.length() + next.length() + CUT.length() > LONGEST_CALLER) {
        return text.append(CUT).toString();
      }
      text.append(next);
    }
    return text.toString();
  }

  private static String unescaped(String text) {
    var plain = new StringBuilder();
    int at = 0;
    while (at < text.length()) {
      if (text.startsWith("\\u", at) && at + 6 <= text.length()) {
        plain.append((char) Integer.parseInt(text.substring(at + 2, at + 6), 16));
        at += 6;
      } else {
        plain.append(text.charAt(at));
        at++;
      }
    }
    return plain.toString();
  }
}
