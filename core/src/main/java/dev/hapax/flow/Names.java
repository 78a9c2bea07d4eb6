package dev.hapax.flow;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;

/** Checks names and keys where they enter, so that the code behind does not check them again. */
public final class Names {
  /** The most characters of a runbook: a page of text. */
  private static final int LONGEST_RUNBOOK = 4_000;

  public static final int LONGEST_KEY_BYTES = 1024;
  public static final String BETWEEN_ITEMS = "//";
  private static final int LONGEST_DESTINATION = 64;
  private static final int LONGEST_LABEL = 63;

  /** The beginning of names and keys that belong to Hapax itself. */
  public static final String RESERVED = "hapax/";

  /** The beginning of the names of flows that Hapax brings along. */
  public static final String OWN_FLOWS = "hapax.";

  /** Part of the names of compensations; other names must not contain it. */
  public static final String UNDO = ".undo";

  private static final Duration LONGEST_TIME = Duration.ofDays(36_500);
  private static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");
  private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");
  private static final int LONGEST_NAME = 128;

  /** In UTF-8 bytes per Java character; a surrogate pair has four bytes for two characters. */
  private static final int LONGEST_CHARACTER = 3;

  private Names() {}

  /** Says whether a flow of this name belongs to Hapax itself. */
  public static boolean isOwnFlow(String flow) {
    return flow.startsWith(OWN_FLOWS);
  }

  /**
   * Says whether the runs of a flow work for Hapax itself. Their input is what somebody was allowed
   * to ask for, so no other input and no other result is put in its place.
   */
  public static boolean worksForHapax(String flow) {
    return isOwnFlow(flow) || flow.startsWith(RESERVED);
  }

  public static String flow(String name) {
    return named("flow", name);
  }

  public static String step(String name) {
    return notReserved("step", name);
  }

  public static String effect(String name) {
    return notReserved("effect", name);
  }

  private static String notReserved(String what, String name) {
    if (name.contains(UNDO)) {
      throw new IllegalArgumentException(
          "name of the %s: '%s' contains '%s', which is reserved for compensations. Choose a name without it."
              .formatted(what, shown(name), UNDO));
    }
    return named(what, name);
  }

  /**
   * Checks the name of a destination; the flow that delivers its messages has this name in its own.
   */
  public static String destination(String name) {
    if (name.length() > LONGEST_DESTINATION) {
      throw new IllegalArgumentException(
          "name of the destination: expected at most %d characters, got %d ('%s…')"
              .formatted(LONGEST_DESTINATION, name.length(), shown(name)));
    }
    return named("destination", name);
  }

  public static String source(String name) {
    return named("source", name);
  }

  public static String schedule(String name) {
    return named("schedule", name);
  }

  /** Checks a label of flows. */
  public static String label(String label) {
    if (!isLabel(label)) {
      throw new IllegalArgumentException(
          "label: expected 1 to %d lower-case letters, digits, '.', '_', '/' or '-' that begin with a letter or digit, got '%s'"
              .formatted(LONGEST_LABEL, shown(label)));
    }
    return label;
  }

  /** Checks the name of a searchable field. */
  public static String searchField(String name) {
    if (!name.matches("[A-Za-z][A-Za-z0-9_-]{0,39}")) {
      throw new IllegalArgumentException(
          "searchable field: expected 1 to 40 letters, digits, '_' or '-' that begin with a letter, got '%s'"
              .formatted(shown(name)));
    }
    return name;
  }

  private static boolean isLabel(String label) {
    return label.length() <= LONGEST_LABEL
        && isName(label)
        && label.chars().noneMatch(c -> c >= 'A' && c <= 'Z');
  }

  private static String named(String what, String name) {
    if (!isName(name)) {
      throw new IllegalArgumentException(
          "name of the %s: expected 1 to 128 letters, digits, '.', '_', '/' or '-' that begin with a letter or digit, got '%s'"
              .formatted(what, shown(name)));
    }
    return name;
  }

  /** By hand, because a replay checks every recorded step: a pattern takes ten times as long. */
  private static boolean isName(String name) {
    if (name.isEmpty() || name.length() > LONGEST_NAME || !isLetterOrDigit(name.charAt(0))) {
      return false;
    }
    for (int i = 1; i < name.length(); i++) {
      char c = name.charAt(i);
      if (!isLetterOrDigit(c) && c != '.' && c != '_' && c != '/' && c != '-') {
        return false;
      }
    }
    return true;
  }

  private static boolean isLetterOrDigit(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  }

  /**
   * Checks the key of a run, an effect or an item: any text of at most 1,024 bytes that a database
   * stores unchanged.
   */
  public static String key(String what, String key) {
    return text("key of ", what, key);
  }

  /** Checks any other short text that is to be stored unchanged. */
  public static String text(String what, String text) {
    return text("", what, text);
  }

  private static String text(String kind, String what, String text) {
    if (text == null) { // from a caller without null checks
      throw new IllegalArgumentException(kind + what + ": expected a text, got null");
    }
    if (text.isEmpty()) {
      throw new IllegalArgumentException(kind + what + ": expected a text, got an empty one");
    }
    boolean isShort = text.length() * LONGEST_CHARACTER <= LONGEST_KEY_BYTES;
    int bytes = isShort ? 0 : text.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > LONGEST_KEY_BYTES) {
      throw new IllegalArgumentException(
          "%s: expected at most %d bytes, got %d ('%s…'). Use an identifier, or the hash of the long value."
              .formatted(kind + what, LONGEST_KEY_BYTES, bytes, shown(text)));
    }
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean pair =
          Character.isHighSurrogate(c)
              && i + 1 < text.length()
              && Character.isLowSurrogate(text.charAt(i + 1));
      if (c == 0 || (Character.isSurrogate(c) && !pair)) {
        throw new IllegalArgumentException(
            "%s: U+%04X at character %d cannot be stored unchanged. Remove or replace it."
                .formatted(kind + what, (int) c, i));
      }
      i += pair ? 1 : 0;
    }
    return text;
  }

  /**
   * Checks the key of an item. It must not contain the separator of nested items, so that no two
   * paths of items are the same.
   */
  public static String item(String key) {
    if (key.contains(BETWEEN_ITEMS)) {
      throw new IllegalArgumentException(
          "key of an item: '%s' contains '%s', which separates nested items. Use a key without it."
              .formatted(shown(key), BETWEEN_ITEMS));
    }
    return key("an item", key);
  }

  /** Checks a duration that calendars can count with. */
  public static Duration bounded(String what, Duration duration) {
    if (duration.isNegative() || duration.compareTo(LONGEST_TIME) > 0) {
      throw new IllegalArgumentException(
          what + ": expected 0 to " + LONGEST_TIME.toDays() + " days, got " + duration);
    }
    return duration;
  }

  /** Checks a time that calendars and databases can count with. */
  public static Instant moment(String what, Instant time) {
    if (time.isBefore(EARLIEST) || time.isAfter(LATEST)) {
      throw new IllegalArgumentException(
          "%s: expected a time from %s to %s, got %s".formatted(what, EARLIEST, LATEST, time));
    }
    return time;
  }

  public static Duration positive(String what, Duration duration) {
    if (duration.isNegative() || duration.isZero()) {
      throw new IllegalArgumentException(what + ": expected a positive duration, got " + duration);
    }
    return bounded(what, duration);
  }

  private static String shown(String text) {
    return text.length() <= 40 ? text : text.substring(0, 40);
  }

  /** Returns the text if it can be the runbook of a flow. */
  static String runbook(String flow, String text) {
    if (text.isBlank() || text.length() > LONGEST_RUNBOOK) {
      throw new IllegalArgumentException(
          "runbook of flow '%s': expected 1 to %d characters, got %d"
              .formatted(flow, LONGEST_RUNBOOK, text.length()));
    }
    return text;
  }
}
