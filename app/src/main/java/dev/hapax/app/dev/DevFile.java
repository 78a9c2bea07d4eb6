package dev.hapax.app.dev;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A file of the folder, as it was read.
 *
 * @param name its path in the folder, with slashes
 * @param text null if it could not be read as text
 * @param problem why it could not; null if it could
 */
record DevFile(String name, @Nullable String text, @Nullable String problem) {
  /** The folder of the files that hold a connection each. */
  private static final String CONNECTIONS = "connections/";

  private static final Pattern FLOW = Pattern.compile("(?m)^[\"']?flow[\"']?\\s*:");

  static DevFile of(String name, String text) {
    return new DevFile(name, text, null);
  }

  static DevFile unreadable(String name, String problem) {
    return new DevFile(name, null, problem);
  }

  /** Whether it is {@code connections/NAME.yaml}. */
  boolean isConnection() {
    return name.startsWith(CONNECTIONS);
  }

  /** Whether its text begins to describe a flow. Other files are for other programs. */
  boolean isFlow() {
    return !isConnection() && text != null && FLOW.matcher(text).find();
  }

  /** Returns the name of the file without folders and without what follows the last point. */
  String baseName() {
    String last = name.substring(name.lastIndexOf('/') + 1);
    return last.substring(0, last.lastIndexOf('.'));
  }
}
