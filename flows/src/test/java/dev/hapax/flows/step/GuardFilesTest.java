package dev.hapax.flows.step;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flows.MainSources;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** A guard of flow files is one file and an entry in a list. */
class GuardFilesTest {
  /** A keyed guard may contain a lookup. */
  private static final Map<String, Set<String>> ALSO_NAMED_IN =
      Map.of("LookupGuard", Set.of("KeyedGuard"));

  /** The same text with another meaning. */
  private static final Map<String, Set<String>> ALSO_WRITTEN_IN =
      Map.of(
          "keyed", Set.of("PresetFacts"), // it reads the example steps of a preset
          "lookup", Set.of("PresetFacts"),
          "none",
              Set.of(
                  "ChooseStep",
                  "KeyTerms",
                  "LlmStep",
                  "ModelRequests", // of tools: use none
                  "PresetFacts",
                  "ScheduleTrigger"));

  @Test
  void no_other_class_knows_a_guard() throws IOException {
    for (String guard : classes()) {
      Set<String> expected = new TreeSet<>(ALSO_NAMED_IN.getOrDefault(guard, Set.of()));
      expected.addAll(List.of(guard, "GuardKinds"));

      assertThat(MainSources.with(MainSources.name(guard))).as(guard).isEqualTo(expected);
    }
  }

  @Test
  void the_word_of_a_guard_is_written_in_its_own_file_only() throws IOException {
    List<String> classes = classes();
    assertThat(classes).hasSameSizeAs(GuardKinds.ALL);
    for (int i = 0; i < classes.size(); i++) {
      String word = GuardKinds.ALL.get(i).word();
      Set<String> expected = new TreeSet<>(ALSO_WRITTEN_IN.getOrDefault(word, Set.of()));
      expected.add(classes.get(i));

      assertThat(MainSources.with(MainSources.literal(word))).as(word).isEqualTo(expected);
    }
  }

  private static List<String> classes() throws IOException {
    return MainSources.classesIn("step/GuardKinds.java");
  }
}
