package dev.hapax.flows.graph;

import dev.hapax.flows.expression.Template;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.file.Step;
import dev.hapax.flows.file.StepKind;
import dev.hapax.flows.file.Trigger;
import dev.hapax.flows.graph.Box.Words;
import dev.hapax.flows.graph.Drawing.Look;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
              Look.TRIGGER,
              null,
              List.of(
                  note(trigger.getClass().getSimpleName().toLowerCase(Locale.ROOT)),
                  detail(Wording.trigger(trigger)))));
    }
    return boxes;
  }

  private static Sequence sequence(List<Step> steps) {
    var blocks = new ArrayList<Block>();
    var backs = new ArrayList<Sequence.Back>();
    for (int i = 0; i < steps.size(); i++) {
      blocks.add(block(steps.get(i)));
      if (steps.get(i).kind() instanceof StepKind.Ask ask && ask.rework() != null) {
        for (int to = 0; to < i; to++) {
          if (steps.get(to).id().equals(ask.rework())) {
            backs.add(new Sequence.Back(i, to));
          }
        }
      }
    }
    return new Sequence(blocks, backs);
  }

  private static Block block(Step step) {
    Block block = new Box(look(step), step.id(), words(step), goesOn(step));
    Step.Compensate compensate = step.compensate();
    if (compensate != null) {
      List<Words> undo = List.of(note("undo"), detail(Wording.of(compensate.kind())));
      block = new Undone(block, new Box(Look.UNDO, null, undo));
    }
    block =
        switch (step.kind()) {
          case StepKind.Parallel parallel -> new Branches(block, columns(parallel), true);
          case StepKind.Choose choose -> new Branches(block, columns(choose), false);
          default -> block;
        };
    Step.ForEach forEach = step.forEach();
    return forEach == null ? block : new Loop(block, Wording.loop(forEach));
  }

  /** A step that fails the run ends it, unless the step may be left out or its failure ignored. */
  private static boolean goesOn(Step step) {
    return !(step.kind() instanceof StepKind.Fail)
        || step.when() != null
        || step.onError() == Step.OnError.CONTINUE;
  }

  private static List<Block> columns(StepKind.Parallel parallel) {
    var columns = new ArrayList<Block>();
    parallel.branches().forEach((name, steps) -> columns.add(column(name, steps)));
    return columns;
  }

  private static List<Block> columns(StepKind.Choose choose) {
    var columns = new ArrayList<Block>();
    boolean always = false;
    for (StepKind.Choice choice : choose.choices()) {
      Template when = choice.when();
      always = always || when == null;
      columns.add(
          column(when == null ? "otherwise" : Wording.plain(when.source()), choice.steps()));
    }
    if (!always) {
      columns.add(new Sequence(List.of(condition("otherwise")), List.of()));
    }
    return columns;
  }

  private static Block column(String words, List<Step> steps) {
    return new Sequence(List.of(condition(words), sequence(steps)), List.of());
  }

  private static Box condition(String words) {
    return new Box(Look.CONDITION, null, List.of(note(words)));
  }

  private static Look look(Step step) {
    return switch (step.kind()) {
      case StepKind.WaitFor _, StepKind.WaitUntil _, StepKind.WaitCallback _ -> Look.WAIT;
      case StepKind.Ask _ -> Look.ASK;
      case StepKind.ChildFlow _ -> Look.CHILD;
      case StepKind.Parallel _, StepKind.Choose _ -> Look.BRANCHES;
      case StepKind.Fail _ -> Look.FAIL;
      default -> step.effect() == null ? Look.STEP : Look.EFFECT;
    };
  }

  private static List<Words> words(Step step) {
    var words = new ArrayList<Words>();
    add(words, "only if ", step.when());
    add(words, "one at a time: ", step.lock());
    words.add(name(step.id()));
    words.add(detail(Wording.of(step.kind())));
    if (step.effect() != null) {
      words.add(note(Wording.effect(step.effect())));
    }
    if (step.kind() instanceof StepKind.Ask ask) {
      words.add(note(Wording.asking(ask)));
    }
    if (step.onError() == Step.OnError.CONTINUE) {
      words.add(note("goes on if it fails"));
    }
    return words;
  }

  private static void add(List<Words> words, String begin, @Nullable Template template) {
    if (template != null) {
      words.add(note(begin + Wording.plain(template.source())));
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
