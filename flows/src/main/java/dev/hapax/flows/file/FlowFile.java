package dev.hapax.flows.file;

import dev.hapax.flow.Flow;
import dev.hapax.flow.Overflow;
import dev.hapax.flow.Rate;
import dev.hapax.flows.expression.Position;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.expression.ValueTemplate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A flow as described in its file.
 *
 * @param key null if the file gives none
 * @param rate how many of its runs begin in a period; null: any number
 * @param timeout null: no limit
 */
public record FlowFile(
    Position position,
    String name,
    @Nullable String description,
    @Nullable JsonSchema input,
    @Nullable Template key,
    Flow.Conflict conflict,
    Duration retention,
    Flow.AfterRetention afterRetention,
    @Nullable Concurrency concurrency,
    @Nullable Rate rate,
    Flow.OnNewRelease onNewRelease,
    Flow.OnFailure onFailure,
    @Nullable Duration timeout,
    List<Trigger> triggers,
    List<Step> steps,
    @Nullable ValueTemplate output) {

  /** The word that makes the hash of the canonical input the key. */
  public static final String FINGERPRINT = "fingerprint";

  /** How many runs are active at once, per key if it has one. */
  public record Concurrency(@Nullable Template key, int limit, Overflow overflow) {}

  public boolean isKeyedByFingerprint() {
    return key != null && key.isConstant() && key.source().equals(FINGERPRINT);
  }

  /** Returns all steps, including inner ones, in the order of the file. */
  public List<Step> allSteps() {
    var all = new ArrayList<Step>();
    steps.forEach(step -> step.walk(all::add));
    return all;
  }

  /** Visits every step of a list and its inner steps. */
  static void walk(List<Step> steps, Consumer<Step> each) {
    steps.forEach(step -> step.walk(each));
  }
}
