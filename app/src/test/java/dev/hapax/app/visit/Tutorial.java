package dev.hapax.app.visit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page whose {@code console} blocks hold commands after {@code $} and their whole output, and
 * whose other blocks are files to save, if a comment names the file: {@code <!-- save a.yaml -->}.
 */
record Tutorial(List<Part> parts) {
  private static final String FENCE = "```";
  private static final String SAVE = "<!-- save ";
  private static final String END = " -->";

  /** What the reader does, or reads, next. */
  sealed interface Part {}

  /**
   * A line that the reader types.
   *
   * @param shown what the page shows as its output
   */
  record Typed(String line, List<String> shown) implements Part {}

  /** A file that the reader saves; {@code lines} are those of the page, fences too. */
  record Saved(String name, List<String> lines) implements Part {
    String text() {
      return String.join("\n", lines.subList(1, lines.size() - 1)) + "\n";
    }
  }

  /** A line of the page that is only read. */
  record Prose(String line) implements Part {}

  static Tutorial read(Path page) throws IOException {
    var parts = new ArrayList<Part>();
    String fence = null;
    String file = null;
    for (String line : Files.readAllLines(page)) {
      boolean isFence = line.startsWith(FENCE);
      boolean isConsole = (FENCE + "console").equals(fence);
      if (isFence && fence == null && file != null) {
        parts.add(new Saved(file, new ArrayList<>(List.of(line))));
      } else if (fence != null && parts.getLast() instanceof Saved saved && file != null) {
        saved.lines().add(line);
      } else if (isConsole && line.startsWith("$ ")) {
        parts.add(new Typed(line.substring(2), new ArrayList<>()));
      } else if (isConsole && !isFence && parts.getLast() instanceof Typed typed) {
        typed.shown().add(line);
      } else {
        parts.add(new Prose(line));
      }
      if (isFence) {
        file = fence == null ? file : null;
        fence = fence == null ? line : null;
      } else if (fence == null && !line.isBlank()) {
        file = named(line);
      }
    }
    return new Tutorial(parts);
  }

  private static @Nullable String named(String line) {
    return line.startsWith(SAVE) && line.endsWith(END)
        ? line.substring(SAVE.length(), line.length() - END.length())
        : null;
  }

  /** Returns the page with these parts. */
  static List<String> page(List<Part> parts) {
    var lines = new ArrayList<String>();
    for (Part part : parts) {
      switch (part) {
        case Prose(var line) -> lines.add(line);
        case Saved saved -> lines.addAll(saved.lines());
        case Typed(var line, var shown) -> {
          lines.add("$ " + line);
          lines.addAll(shown);
        }
      }
    }
    return lines;
  }
}
