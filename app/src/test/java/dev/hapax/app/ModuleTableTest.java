package dev.hapax.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The table of modules in ARCHITECTURE.md says what the poms say. */
class ModuleTableTest {
  private static final Pattern MODULE = Pattern.compile("<module>(.*?)</module>");
  private static final Pattern PARENT = Pattern.compile("<parent>.*?</parent>", Pattern.DOTALL);
  private static final Pattern ARTIFACT = Pattern.compile("<artifactId>(.*?)</artifactId>");
  private static final Pattern DEPENDENCY =
      Pattern.compile("<dependency>(.*?)</dependency>", Pattern.DOTALL);
  private static final Pattern ROW =
      Pattern.compile("^\\| `([^`]+)` \\|.*\\|([^|]*)\\|$", Pattern.MULTILINE);
  private static final Pattern NAME = Pattern.compile("`([^`]+)`");

  private final Path repository = OurClasses.repository();

  @Test
  void every_module_has_a_row_with_what_it_depends_on() throws IOException {
    assertThat(table()).isEqualTo(poms());
  }

  private Map<String, Set<String>> table() throws IOException {
    String page = Files.readString(repository.resolve("ARCHITECTURE.md"));
    return ROW.matcher(page.substring(page.indexOf("## Modules")))
        .results()
        .collect(
            Collectors.toMap(
                row -> row.group(1), row -> found(NAME, row.group(2)), (a, _) -> a, TreeMap::new));
  }

  private Map<String, Set<String>> poms() throws IOException {
    var modules = new TreeMap<String, String>(); // by artifact
    for (String module : found(MODULE, Files.readString(repository.resolve("pom.xml")))) {
      String own = PARENT.matcher(pom(module)).replaceFirst("");
      modules.put(
          found(ARTIFACT, own.substring(0, own.indexOf("</artifactId>") + 13)).iterator().next(),
          module);
    }
    var poms = new TreeMap<String, Set<String>>();
    for (String module : modules.values()) {
      poms.put(module, dependencies(module, modules));
    }
    return poms;
  }

  /** What its main classes need; of a module that has none, what its tests need. */
  private Set<String> dependencies(String module, Map<String, String> modules) throws IOException {
    boolean isTests =
        !Files.isDirectory(repository.resolve(module).resolve("src/main"))
            && Files.isDirectory(repository.resolve(module).resolve("src/test/java"));
    return DEPENDENCY
        .matcher(pom(module))
        .results()
        .map(found -> found.group(1))
        .filter(text -> isTests || !text.contains("<scope>test</scope>"))
        .map(text -> found(ARTIFACT, text).iterator().next())
        .filter(modules::containsKey)
        .map(modules::get)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private String pom(String module) throws IOException {
    return Files.readString(repository.resolve(module).resolve("pom.xml"));
  }

  private static Set<String> found(Pattern pattern, String text) {
    return pattern
        .matcher(text)
        .results()
        .map((MatchResult match) -> match.group(1))
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }
}
