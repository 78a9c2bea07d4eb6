package dev.hapax.trial.cases;

import dev.hapax.flow.Names;
import dev.hapax.flows.expression.Position;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.trial.TrialEvent;
import dev.hapax.trial.sandbox.SandboxAnswer;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A case of a flow, as its file describes it.
 *
 * @param number of the case in its file, counted from 0
 * @param flow its name
 * @param input of a start; null if the case begins with an event, or if the input is null
 * @param event an event or a message; null if the case begins with a start
 * @param answers by step, in the order of the requests; the last one repeats
 * @param repeats the effects, by name, that a proof lets happen more than once
 * @param expect null if the case expects nothing yet
 */
public record TestCase(
    Position position,
    int number,
    String name,
    String flow,
    @Nullable Object input,
    @Nullable TrialEvent event,
    @Nullable String key,
    Map<String, Object> kv,
    Map<String, List<Answer>> answers,
    Map<String, Lookup> lookups,
    List<KillPoint> kills,
    List<CaseAction> actions,
    List<String> repeats,
    @Nullable Expectation expect) {
  /** A case that says nothing but its flow. */
  public static TestCase without(FlowFile flow) {
    return new TestCase(
        flow.position(),
        0,
        "",
        flow.name(),
        null,
        null,
        null,
        Map.of(),
        Map.of(),
        Map.of(),
        List.of(),
        List.of(),
        List.of(),
        null);
  }

  /**
   * An answer to a request of a step.
   *
   * @param item null: of any item
   */
  public record Answer(@Nullable String item, SandboxAnswer answer) {}

  /**
   * Whether an item of a loop is meant: by its key, or by its whole path in loops inside loops.
   *
   * @param given null: any item
   */
  public static boolean isItem(@Nullable String given, @Nullable String item) {
    return given == null
        || given.equals(item)
        || (item != null && item.endsWith(Names.BETWEEN_ITEMS + given));
  }

  /** The answers to a lookup, each null if it is made up. */
  public record Lookup(@Nullable SandboxAnswer found, @Nullable SandboxAnswer missing) {}
}
