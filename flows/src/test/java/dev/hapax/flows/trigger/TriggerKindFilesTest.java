package dev.hapax.flows.trigger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flows.MainSources;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** A trigger kind is one file and an entry in a list. */
class TriggerKindFilesTest {
  /** Rules about one kind. */
  private static final Map<String, Set<String>> ALSO_NAMED_IN =
      Map.of(
          "WebhookTrigger",
              Set.of(
                  "MissingParts", // the secret of its signatures
                  "TiedVersionKey",
                  "WebhookNone",
                  "WebhookReplayAllowed",
                  "WebhookUnsignedId",
                  "WebhookWithoutEvent",
                  "RetentionShorterThanRedelivery"),
          "ScheduleTrigger",
              Set.of("ScheduleWithoutTimezone", "ScheduleShorterThanTimeout", "AlertAnswers"),
          "QueueTrigger",
              Set.of(
                  "FlowFiles", // opens its consumers
                  "OrderedWithoutLine"));

  /** The same text with another meaning. */
  private static final Map<String, Set<String>> ALSO_WRITTEN_IN =
      Map.of(
          "schedule",
          Set.of("AlertDesk", "EffectReader", "ExpressionCompiler", "NoticeText", "Place"),
          "queue",
          Set.of("FlowShapes", "PublishStep", "ScheduleTrigger"),
          "webhook",
          Set.of("Channel", "ChannelForm", "ConnectionKind"));

  @Test
  void only_its_own_rules_know_a_trigger_kind() throws IOException {
    for (String kind : classes()) {
      Set<String> expected = new TreeSet<>(ALSO_NAMED_IN.getOrDefault(kind, Set.of()));
      expected.addAll(List.of(kind, "Trigger", "TriggerKinds"));

      assertThat(MainSources.with(MainSources.name(kind))).as(kind).isEqualTo(expected);
    }
  }

  @Test
  void the_word_of_a_trigger_kind_is_written_in_its_own_file_only() throws IOException {
    List<String> classes = classes();
    assertThat(classes).hasSameSizeAs(TriggerKinds.ALL);
    for (int i = 0; i < classes.size(); i++) {
      String word = TriggerKinds.ALL.get(i).word();
      Set<String> expected = new TreeSet<>(ALSO_WRITTEN_IN.getOrDefault(word, Set.of()));
      expected.add(classes.get(i));

      assertThat(MainSources.with(MainSources.literal(word))).as(word).isEqualTo(expected);
    }
  }

  private static List<String> classes() throws IOException {
    return MainSources.classesIn("trigger/TriggerKinds.java");
  }
}
