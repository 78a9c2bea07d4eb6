package dev.hapax.flows.graph;

import dev.hapax.flows.expression.Template;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.graph.Box.Words;
import dev.hapax.flows.graph.Drawing.Look;
import dev.hapax.flows.step.FlowStep;
import dev.hapax.flows.step.FlowStepKind;
import dev.hapax.flows.trigger.Trigger;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Draws a flow from its file, from top to bottom in the order of its steps, with branches side by
 * side. A flow file is a tree, so each block is as large as its contents and nothing ever overlaps.
 */
public final class FlowPicture {
  private static final double MARGIN = 20;

  private FlowPicture() {}

  /**
   * Returns an SVG: light or dark as its viewer prefers, with a title and a description for screen
   * readers.
   */
  public static String svg(FlowFile flow) {
    Block whole = whole(flow);
    double width = Math.ceil(whole.left() + whole.right() + 2 * MARGIN);
    double height = Math.ceil(whole.height() + 2 * MARGIN);
    return new Svg(flow, drawing(flow), width, height).text();
  }

  /** Returns the same picture as text for Mermaid, which places the boxes by itself. */
  public static String mermaid(FlowFile flow) {
    var chart = new Chart();
    whole(flow).link(chart, List.of());
    return chart.mermaid();
  }

  static Drawing drawing(FlowFile flow) {
    Block whole = whole(flow);
    var drawing = new Drawing();
    whole.draw(drawing, MARGIN + whole.left(), MARGIN);
    return drawing;
  }

  private static Block whole(FlowFile flow) {
    var blocks = new ArrayList<Block>();
    Box start =
        new Box(
            Look.START,
            null,
            List.of(name(flow.name()), new Words(Wording.key(flow), TextStyle.NOTE)));
    blocks.add(flow.triggers().isEmpty() ? start : new Triggered(triggers(flow), start));
    Sequence steps = sequence(flow.steps());
    blocks.add(steps);
    if (steps.goesOn()) {
      blocks.add(
          new Box(Look.END, null, List.of(detail(flow.output() == null ? "end" : "output"))));
    }
    return new Sequence(blocks, List.of());
  }

  private static List<Block> triggers(FlowFile flow) {
    var boxes = new ArrayList<Block>();
    for (Trigger trigger : flow.triggers()) {
      boxes.add(
          new Box(
              Look.TRIGGER, null, List.of(note(trigger.word()), detail(trigger.description()))));
    }
    return boxes;
  }

  private static Sequence sequence(List<FlowStep> steps) {
    var blocks = new ArrayList<Block>();
    var backs = new ArrayList<Sequence.Back>();
    for (int i = 0; i < steps.size(); i++) {
      blocks.add(block(steps.get(i)));
      String rework = steps.get(i).kind().rework();
      for (int to = 0; to < i; to++) {
        if (steps.get(to).id().equals(rework)) {
          backs.add(new Sequence.Back(i, to));
        }
      }
    }
    return new Sequence(blocks, backs);
  }

  private static Block block(FlowStep step) {
    Block block = new Box(look(step), step.id(), words(step), goesOn(step));
    FlowStep.Compensate compensate = step.compensate();
    if (compensate != null) {
      List<Words> undo = List.of(note("undo"), detail(compensate.kind().description()));
      block = new Undone(block, new Box(Look.UNDO, null, undo));
    }
    if (step.kind().isBlock()) {
      List<FlowStep> inner = step.inner().getFirst();
      block = new Sequence(List.of(block, sequence(inner)), List.of());
    } else if (!step.kind().branches().isEmpty()) {
      block = new SideBySide(block, columns(step.kind()), !step.kind().takesOneBranch());
    }
    FlowStep.ForEach forEach = step.forEach();
    if (step.kind().isRepeated()) {
      block = new LoopFrame(block, step.kind().description());
    }
    return forEach == null ? block : new LoopFrame(block, Wording.loop(forEach));
  }

  /**
   * A step that fails or returns ends the run, unless the step may be left out or its failure
   * ignored.
   */
  private static boolean goesOn(FlowStep step) {
    return step.when() != null
        || (!step.kind().returns()
            && (!step.kind().alwaysFails() || step.onError() == FlowStep.OnError.CONTINUE));
  }

  private static List<Block> columns(FlowStepKind kind) {
    var columns = new ArrayList<Block>();
    boolean always = false;
    for (FlowStepKind.Branch branch : kind.branches()) {
      Template when = branch.when();
      always = always || when == null;
      columns.add(column(when == null ? branch.name() : when.plain(), branch.steps()));
    }
    if (!always) {
      columns.add(new Sequence(List.of(condition("otherwise")), List.of()));
    }
    return columns;
  }

  private static Block column(String words, List<FlowStep> steps) {
    return new Sequence(List.of(condition(words), sequence(steps)), List.of());
  }

  private static Box condition(String words) {
    return new Box(Look.CONDITION, null, List.of(note(words)));
  }

  private static Look look(FlowStep step) {
    return switch (step.kind().look()) {
      case STEP -> step.effect() == null ? Look.STEP : Look.EFFECT;
      case WAIT -> Look.WAIT;
      case ASK -> Look.ASK;
      case CHILD -> Look.CHILD;
      case BRANCHES -> Look.BRANCHES;
      case FAIL -> Look.FAIL;
      case RETURN -> Look.END;
    };
  }

  private static List<Words> words(FlowStep step) {
    var words = new ArrayList<Words>();
    add(words, "only if ", step.when());
    add(words, "one at a time: ", step.lock());
    words.add(name(step.id()));
    words.add(detail(step.kind().description()));
    if (step.effect() != null) {
      words.add(note(Wording.effect(step.effect())));
    }
    String more = step.kind().note();
    if (more != null) {
      words.add(note(more));
    }
    if (step.onError() == FlowStep.OnError.CONTINUE) {
      words.add(note("goes on if it fails"));
    }
    return words;
  }

  private static void add(List<Words> words, String begin, @Nullable Template template) {
    if (template != null) {
      words.add(note(begin + template.plain()));
    }
  }

  private static Words name(String text) {
    return new Words(text, TextStyle.NAME);
  }

  private static Words detail(String text) {
    return new Words(text, TextStyle.DETAIL);
  }

  private static Words note(String text) {
    return new Words(text, TextStyle.NOTE);
  }
}
