package dev.hapax.app.mcp.tool;

import dev.hapax.flow.Flow;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.EffectContract;
import dev.hapax.flows.step.EffectKind;
import dev.hapax.flows.step.FlowStep;
import dev.hapax.flows.step.SendingStep;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The hints about a flow's tool, from its file and the files of its child flows. */
final class FlowHints {
  private static final int MOST_CHILDREN = 50;

  private final Function<String, @Nullable FlowFile> flows;
  private final Set<String> seen = new HashSet<>();
  private boolean isGuarded = true;
  private boolean isDestructive;
  private boolean isOpenWorld;

  private FlowHints(Function<String, @Nullable FlowFile> flows) {
    this.flows = flows;
  }

  /**
   * The hints about a flow.
   *
   * @param flows finds the live file of a child flow; null if there is none, as of a flow in Java
   */
  static ToolHints of(FlowFile flow, Function<String, @Nullable FlowFile> flows) {
    var hints = new FlowHints(flows);
    hints.read(flow);
    boolean isIdempotent =
        flow.key() != null
            && flow.afterRetention() != Flow.AfterRetention.NEW // else only for a time
            && hints.isGuarded;
    return new ToolHints(false, hints.isDestructive, isIdempotent, hints.isOpenWorld);
  }

  private void read(FlowFile flow) {
    if (!seen.add(flow.name())) {
      return;
    }
    isOpenWorld |= !flow.connections().isEmpty() || flow.usesChannels();
    flow.allSteps().forEach(this::read);
    children(flow).forEach(this::readChild);
  }

  private void read(FlowStep step) {
    isOpenWorld |= reachesOut(step);
    EffectContract effect = step.effect();
    if (effect != null && effect.kind() != EffectKind.READ) {
      isGuarded &= effect.guard().removesDuplicates();
      isDestructive |= effect.kind() == EffectKind.UPDATE;
    }
    FlowStep.Compensate undo = step.compensate();
    EffectContract undone = undo == null ? null : undo.effect();
    if (undo != null) {
      isDestructive = true;
      isGuarded &= undone == null || undone.guard().removesDuplicates();
    }
  }

  /** Also without a connection: an address in the file, or code in Java that writes. */
  private static boolean reachesOut(FlowStep step) {
    return step.kind().http() != null
        || step.kind().courier() != null
        || (step.kind() instanceof SendingStep sending && sending.writes())
        || step.compensate() != null;
  }

  private static List<String> children(FlowFile flow) {
    return Stream.concat(
            flow.notifiedFlows().stream(),
            flow.allSteps().stream().flatMap(step -> step.kind().startedFlows().stream()))
        .distinct()
        .toList();
  }

  /** A child that cannot be read may do anything. */
  private void readChild(String name) {
    FlowFile child = seen.size() < MOST_CHILDREN ? flows.apply(name) : null;
    if (child != null) {
      read(child);
    } else if (!seen.contains(name)) {
      isGuarded = false;
      isDestructive = true;
      isOpenWorld = true;
    }
  }
}
