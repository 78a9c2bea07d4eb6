package dev.hapax.flows.step;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flows.MainSources;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** A step kind is one file and an entry in a list. */
class StepKindFilesTest {
  /**
   * Rounds of rework span several steps, so the interpreter asks the approval in between. A
   * conversation with a model has a file per part.
   */
  private static final Map<String, Set<String>> ALSO_NAMED_IN =
      Map.of(
          "ApprovalStep",
          Set.of("Interpreter"),
          "LlmStep",
          Set.of("ModelAttempt", "ModelConversation", "ModelEffect", "ModelPrompt"));

  /** The same text with another meaning; lookups contain an http request too. */
  private static final Map<String, Set<String>> ALSO_WRITTEN_IN =
      Map.of(
          "http", Set.of("HttpTemplate", "OutgoingRequest", "ConnectionKind"),
          "flow",
              Set.of(
                  "AlertDesk",
                  "Channel",
                  "ChannelForm",
                  "Checklist",
                  "ChildAnswers",
                  "EffectLookup",
                  "FlowFormatter",
                  "FlowShapes",
                  "Interpreter",
                  "LlmStep",
                  "ModelAttempt",
                  "ModelConversation",
                  "ModelTool",
                  "NoticeText"),
          "fail", Set.of("StepReader", "ApprovalStep", "ChildStep"),
          "llm", Set.of("ConnectionKind"),
          "ssh", Set.of("ConnectionKind"),
          "email", Set.of("Channel", "ChannelForm"), // of an alert
          "approval", Set.of("ChannelCourier", "ExpressionCompiler", "Reach"), // the function
          "return", Set.of("FlowShapes"), // of a conflict
          "call", Set.of("Sql"),
          "repeat",
              Set.of(
                  "EffectLookup",
                  "ExpressionCompiler",
                  "Frame",
                  "IndexOutsideRepeat",
                  "NoGuard",
                  "Place"));

  @Test
  void no_other_class_knows_a_step_kind() throws IOException {
    for (String kind : classes()) {
      Set<String> expected = new TreeSet<>(ALSO_NAMED_IN.getOrDefault(kind, Set.of()));
      expected.addAll(List.of(kind, "StepKinds"));

      assertThat(MainSources.with(MainSources.name(kind))).as(kind).isEqualTo(expected);
    }
  }

  @Test
  void the_word_of_a_step_kind_is_written_in_its_own_file_only() throws IOException {
    List<String> classes = classes();
    assertThat(classes).hasSameSizeAs(StepKinds.ALL);
    for (int i = 0; i < classes.size(); i++) {
      String word = StepKinds.ALL.get(i).word();
      Set<String> expected = new TreeSet<>(ALSO_WRITTEN_IN.getOrDefault(word, Set.of()));
      if (!expected.contains("HttpTemplate")) {
        expected.add(classes.get(i));
      }

      assertThat(MainSources.with(MainSources.literal(word))).as(word).isEqualTo(expected);
    }
  }

  private static List<String> classes() throws IOException {
    return MainSources.classesIn("step/StepKinds.java");
  }
}
