package dev.hapax.flows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The text of this module's main sources, for tests of where something may be written. */
public final class MainSources {
  private static final Path ROOT =
      Path.of(System.getProperty("basedir", ".")).resolve("src/main/java/dev/hapax/flows");

  private MainSources() {}

  /** Returns the classes in a list such as {@code step/StepKinds.java}, in their order. */
  public static List<String> classesIn(String list) throws IOException {
    return Pattern.compile("(\\w+)\\.FORM\\b")
        .matcher(Files.readString(ROOT.resolve(list)))
        .results()
        .map(found -> found.group(1))
        .distinct()
        .toList();
  }

  /**
   * Returns the names of the files, without their ending, whose text contains the pattern. Imports
   * are left out: they write flow files, and read the words of other programs.
   */
  public static Set<String> with(Pattern pattern) throws IOException {
    try (Stream<Path> files = Files.walk(ROOT)) {
      var found = new TreeSet<String>();
      for (Path file : files.filter(MainSources::isCode).toList()) {
        if (pattern.matcher(Files.readString(file)).find()) {
          found.add(file.getFileName().toString().replace(".java", ""));
        }
      }
      return found;
    }
  }

  private static boolean isCode(Path file) {
    return file.toString().endsWith(".java") && !file.startsWith(ROOT.resolve("skeleton"));
  }

  public static Pattern name(String type) {
    return Pattern.compile("\\b" + type + "\\b");
  }

  public static Pattern literal(String text) {
    return Pattern.compile(Pattern.quote("\"" + text + "\""));
  }
}
