package dev.hapax.flows.queue;

import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The name of a table, with or without its schema, as SQL text that no name can break out of. */
final class TableName {
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_$]{0,62}");

  private TableName() {}

  static boolean isValid(String name) {
    String[] parts = name.split("\\.", -1);
    return parts.length <= 2 && Arrays.stream(parts).allMatch(part -> NAME.matcher(part).matches());
  }

  /** Returns the name in quotes: upper and lower case are as they were written. */
  static String quoted(String name) {
    if (!isValid(name)) {
      throw new IllegalArgumentException("'%s' is not the name of a table".formatted(name));
    }
    return Arrays.stream(name.split("\\.", -1))
        .map(part -> '"' + part + '"')
        .collect(Collectors.joining("."));
  }
}
