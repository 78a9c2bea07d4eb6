package dev.hapax.flows.check;

import dev.hapax.flows.expression.Template;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.EffectContract;
import dev.hapax.flows.step.EffectKind;
import dev.hapax.flows.step.FlowStep;
import dev.hapax.flows.step.FlowStepKind.Follows;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where the words of a model get to: through steps that pass values on, keep or compute them, out
 * of branches, rounds and loops, into loops over a list that a model wrote, and perhaps through
 * reads and child flows that are asked with them.
 */
final class ModelReach {
  private final Map<String, Origin> origins = new HashMap<>();
  private final Map<FlowStep, FlowStep> loops = new HashMap<>(); // the innermost one around a step
  private final FlowFile flow;
  private boolean hasChanged;

  /**
   * Where a value comes from.
   *
   * @param model the step whose model wrote it
   * @param asked the step that was asked with the words of the model, so that the value may depend
   *     on them; null if it surely does
   */
  record Origin(FlowStep model, @Nullable FlowStep asked) {
    boolean isSure() {
      return asked == null;
    }
  }

  private ModelReach(FlowFile flow) {
    this.flow = flow;
    flow.steps().forEach(step -> findLoops(step, null));
  }

  static ModelReach in(FlowFile flow) {
    var reach = new ModelReach(flow);
    do { // a step may read a later one, of the round before
      reach.hasChanged = false;
      flow.allSteps().forEach(reach::follow);
    } while (reach.hasChanged);
    return reach;
  }

  private void findLoops(FlowStep step, @Nullable FlowStep around) {
    FlowStep loop = step.forEach() == null ? around : step;
    if (loop != null) {
      loops.put(step, loop);
    }
    step.inner().forEach(steps -> steps.forEach(inner -> findLoops(inner, loop)));
  }

  private void follow(FlowStep step) {
    Origin found = found(step);
    Origin known = origins.get(step.id());
    if (found != null && (known == null || (found.isSure() && !known.isSure()))) {
      origins.put(step.id(), found);
      hasChanged = true;
    }
  }

  private @Nullable Origin found(FlowStep step) {
    if (step.kind().isWrittenByModel()) {
      return new Origin(step, null);
    }
    Origin passed = originOf(step.kind().templates(), step);
    return switch (follows(step)) {
      case SURELY -> stronger(passed, originOfEntry(step));
      case MAYBE -> passed == null || !passed.isSure() ? passed : new Origin(passed.model(), step);
      case NOT -> originOfBranches(step);
    };
  }

  /** A request that only reads is not recorded under a key, whatever its method is. */
  private static Follows follows(FlowStep step) {
    EffectContract effect = step.effect();
    boolean isRead = effect != null && effect.kind() == EffectKind.READ;
    return isRead || step.kind().childFlow() != null ? Follows.MAYBE : step.kind().follows();
  }

  private static @Nullable Origin stronger(@Nullable Origin one, @Nullable Origin other) {
    return one == null || (other != null && other.isSure()) ? other : one;
  }

  /** What this flow has written to an entry of the durable map is what it reads from there. */
  private @Nullable Origin originOfEntry(FlowStep step) {
    Template read = step.kind().readEntry();
    if (read == null) {
      return null;
    }
    Origin found = null;
    for (FlowStep other : flow.allSteps()) {
      if (isSame(read, other.kind().writtenEntry())) {
        found = stronger(found, origins.get(other.id()));
      }
    }
    return found;
  }

  private static boolean isSame(Template read, @Nullable Template written) {
    return written != null && written.source().equals(read.source());
  }

  /** The output of a block is that of its last steps. */
  private @Nullable Origin originOfBranches(FlowStep step) {
    Origin found = null;
    for (List<FlowStep> steps : step.inner()) {
      found = steps.isEmpty() ? found : stronger(found, origins.get(steps.getLast().id()));
    }
    return found;
  }

  /** Returns where these texts of a step come from; null if no model wrote a part of them. */
  @Nullable Origin originOf(Stream<Template> texts, @Nullable FlowStep step) {
    Set<String> read = new HashSet<>();
    boolean[] readsItem = new boolean[1];
    texts.forEach(
        text -> {
          read.addAll(text.reach().steps());
          readsItem[0] |= text.reach().reaches("item");
        });
    Origin found = null;
    for (String id : read) {
      found = stronger(found, origins.get(id));
    }
    FlowStep loop = step == null || !readsItem[0] ? null : loops.get(step);
    FlowStep.ForEach forEach = loop == null ? null : loop.forEach();
    return loop == null || forEach == null ? found : stronger(found, originOfItems(forEach, loop));
  }

  /** The list of an inner loop may be a member of the outer item. */
  private @Nullable Origin originOfItems(FlowStep.ForEach forEach, FlowStep loop) {
    return originOf(Stream.of(forEach.items()), around(loop));
  }

  private @Nullable FlowStep around(FlowStep loop) {
    return flow.allSteps().stream()
        .filter(step -> step.inner().stream().anyMatch(steps -> steps.contains(loop)))
        .findFirst()
        .orElse(null);
  }
}
