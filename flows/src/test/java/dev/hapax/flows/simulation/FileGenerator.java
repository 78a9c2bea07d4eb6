package dev.hapax.flows.simulation;

import dev.hapax.testkit.simulation.Choices;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Draws flow files that are valid: every kind of step inside every kind of block. The first file is
 * started, the others are its children.
 */
final class FileGenerator {
  private static final int DEEPEST = 3;
  private static final int MOST_PARTS = 16;
  private static final int MOST_CHILDREN = 2;

  private final Choices choices;
  private final List<PlannedFile> files = new ArrayList<>();
  private final List<Cut> cuts = new ArrayList<>();
  private final List<Span> partsSoFar = new ArrayList<>();
  private int parts;
  private boolean hasLock;

  private FileGenerator(Choices choices) {
    this.choices = choices;
  }

  static List<PlannedFile> draw(Choices choices) {
    var generator = new FileGenerator(choices);
    generator.draw();
    return generator.files;
  }

  /** The choices of smaller files: with a step, a block or a child less, or with a step lifted. */
  static List<List<Integer>> cuts(List<Integer> choices) {
    var generator = new FileGenerator(Choices.again(choices));
    generator.draw();
    return generator.cuts.stream()
        .sorted(Comparator.comparingInt(Cut::size).reversed())
        .map(cut -> cut.from(choices))
        .toList();
  }

  private void draw() {
    int counted = choices.count();
    int children = choices.oneOf(0, 0, 1, MOST_CHILDREN);
    for (int i = 0; i < children; i++) { // a child is made before those that call it
      int start = choices.count();
      files.addFirst(file("child-" + i, i));
      cuts.add(Cut.one(counted, spanFrom(start)));
    }
    files.addFirst(file("main", files.size()));
  }

  private Span spanFrom(int start) {
    return new Span(start, choices.count());
  }

  private PlannedFile file(String name, int callable) {
    parts = 0;
    hasLock = false;
    boolean compensates = choices.below(4) == 1;
    var place =
        new Place(DEEPEST, false, false, false, true, callable, name.substring(0, 1) + callable);
    boolean alerts = choices.below(3) == 1;
    return new PlannedFile(name, list(place), compensates, alerts);
  }

  /**
   * The position of a step.
   *
   * @param mayReturn whether nothing else of the run is in progress there
   * @param callable how many files follow this one, which it may call
   * @param prefix of its ids
   */
  private record Place(
      int depth,
      boolean inLoop,
      boolean inRounds,
      boolean isRepeated,
      boolean mayReturn,
      int callable,
      String prefix) {
    Place inside(boolean loop) {
      return new Place(
          depth - 1, inLoop || loop, inRounds, isRepeated, mayReturn && !loop, callable, prefix);
    }

    Place repeated() {
      return new Place(depth, inLoop, inRounds, true, false, callable, prefix);
    }

    Place beside() {
      return new Place(depth, inLoop, inRounds, isRepeated, false, callable, prefix);
    }

    Place ofRounds() {
      return new Place(depth - 1, inLoop, true, isRepeated, mayReturn, callable, prefix);
    }
  }

  private List<Part> list(Place place) {
    int counted = choices.count();
    int count = 1 + choices.below(3);
    List<Part> list = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int start = choices.count();
      int inside = partsSoFar.size();
      list.add(part(place));
      Span span = spanFrom(start);
      if (count > 1) {
        cuts.add(Cut.one(counted, span));
      }
      partsSoFar.subList(inside, partsSoFar.size()).stream()
          .map(inner -> Cut.allBut(inner, span))
          .forEach(cuts::add);
      partsSoFar.add(span);
    }
    return list;
  }

  private Part part(Place place) {
    String id = place.prefix + "s" + ++parts;
    Part.Does does = does(place);
    boolean hasItems = hasItems(does) && choices.below(4) == 1;
    int items = hasItems || does == Part.Does.EACH ? 1 + choices.below(3) : 0;
    boolean inLoop = place.inLoop || items > 0;
    // A lock is the run's: two items beside each other may not ask for the same one.
    boolean isLocked =
        choices.below(12) == 1 && !hasLock && !place.inLoop && does != Part.Does.REWORK;
    hasLock |= isLocked;
    Part.Condition when = condition(place, inLoop);
    Part.Guard guard = does == Part.Does.SEND ? guard() : Part.Guard.KEYED;
    // What is left in doubt after a refusal that got lost is not known to have failed.
    boolean rejected = choices.below(8) == 1 && does == Part.Does.SEND && guard != Part.Guard.SKIP;
    boolean undone = does == Part.Does.SEND && guard != Part.Guard.SKIP && choices.below(2) == 1;
    List<Part.Condition> conditions = new ArrayList<>();
    List<List<Part>> blocks = new ArrayList<>();
    Place inside = place.inside(items > 0);
    switch (does) {
      case CHOOSE -> {
        int counted = choices.count();
        int count = 1 + choices.below(2);
        for (int i = 0; i < count; i++) {
          int start = choices.count();
          conditions.add(condition(place, inLoop));
          blocks.add(list(inside));
          cutBlock(counted, count, start);
        }
      }
      case PARALLEL -> {
        int counted = choices.count();
        int count = 1 + choices.below(3);
        for (int i = 0; i < count; i++) {
          int start = choices.count();
          blocks.add(list(inside.beside()));
          cutBlock(counted, count, start);
        }
      }
      case EACH -> blocks.add(list(inside));
      case REPEAT -> blocks.add(list(inside.repeated()));
      case REWORK -> blocks.add(list(place.ofRounds()));
      default -> {}
    }
    return new Part(
        id,
        does,
        when,
        items,
        choices.below(5) == 1,
        guard,
        rejected,
        undone,
        isLocked,
        1 + choices.below(choices.oneOf(5, 600, 9000)),
        conditions,
        blocks,
        decisions(does),
        does == Part.Does.CHILD || does == Part.Does.DETACH ? choices.below(place.callable) : 0,
        does == Part.Does.REPEAT ? 1 + choices.below(3) : 0);
  }

  private void cutBlock(int counted, int count, int start) {
    if (count > 1) {
      cuts.add(Cut.one(counted, spanFrom(start)));
    }
  }

  /** The numbers of one thing in the list of choices. */
  private record Span(int start, int end) {}

  /**
   * Numbers that can be taken out so that the rest is still that of a file.
   *
   * @param counted where the number is that says how many there are; it becomes smaller by one
   * @param kept what stays of it
   */
  private record Cut(@Nullable Integer counted, Span out, Span kept) {
    static Cut one(int counted, Span out) {
      return new Cut(counted, out, new Span(out.end, out.end));
    }

    /** The inner part takes the place of the one around it. */
    static Cut allBut(Span inner, Span out) {
      return new Cut(null, out, inner);
    }

    int size() {
      return out.end - out.start - (kept.end - kept.start);
    }

    List<Integer> from(List<Integer> choices) {
      var list = new ArrayList<>(choices);
      while (list.size() < out.end) {
        list.add(0);
      }
      list.subList(kept.end, out.end).clear();
      list.subList(out.start, kept.start).clear();
      if (counted != null) {
        list.set(counted, list.get(counted) - 1);
      }
      return list;
    }
  }

  private Part.Does does(Place place) {
    List<Part.Does> all = new ArrayList<>(List.of(Part.Does.SEND, Part.Does.SEND));
    all.add(Part.Does.WAIT_FOR);
    all.add(Part.Does.SET);
    all.add(Part.Does.KV);
    all.add(Part.Does.READ);
    all.add(Part.Does.WAIT_UNTIL);
    all.add(Part.Does.CALLBACK);
    all.add(Part.Does.ASK);
    all.add(Part.Does.PUBLISH);
    all.add(Part.Does.FAIL);
    all.add(Part.Does.RESOURCE);
    all.add(Part.Does.TWICE);
    all.add(Part.Does.VERSIONS);
    all.add(Part.Does.FOUND);
    if (place.callable > 0) {
      all.add(Part.Does.DETACH);
      all.add(Part.Does.CHILD);
      all.add(Part.Does.CHILD);
    }
    if (place.depth > 0 && parts < MOST_PARTS) {
      all.addAll(List.of(Part.Does.CHOOSE, Part.Does.CHOOSE, Part.Does.CHOOSE));
      all.addAll(List.of(Part.Does.PARALLEL, Part.Does.PARALLEL));
      all.addAll(List.of(Part.Does.EACH, Part.Does.EACH));
      if (!place.isRepeated) {
        all.addAll(List.of(Part.Does.REPEAT, Part.Does.REPEAT));
      }
      if (!place.inRounds) {
        all.addAll(List.of(Part.Does.REWORK, Part.Does.REWORK));
      }
    }
    if (place.inRounds) {
      all.addAll(List.of(Part.Does.SAME_KEY, Part.Does.SAME_KEY));
    }
    if (place.mayReturn) {
      all.add(Part.Does.RETURN);
    }
    return all.get(choices.below(all.size()));
  }

  /** Some are several steps, and a block always has items. */
  private static boolean hasItems(Part.Does does) {
    return switch (does) {
      case CALLBACK, REWORK, EACH, RETURN, REPEAT, TWICE, VERSIONS -> false;
      default -> true;
    };
  }

  private Part.Guard guard() {
    return choices.oneOf(
        Part.Guard.KEYED,
        Part.Guard.KEYED,
        Part.Guard.UPSERT,
        Part.Guard.LOOKUP,
        Part.Guard.HANDLER,
        Part.Guard.TRANSACTION,
        Part.Guard.MAIL,
        Part.Guard.REVIEW,
        Part.Guard.SKIP);
  }

  private Part.Condition condition(Place place, boolean inLoop) {
    List<Part.Condition> all =
        new ArrayList<>(
            List.of(
                Part.Condition.NONE,
                Part.Condition.NONE,
                Part.Condition.NONE,
                Part.Condition.YES,
                Part.Condition.NO,
                Part.Condition.NOW,
                Part.Condition.NOT_NOW));
    if (inLoop) {
      all.addAll(List.of(Part.Condition.FIRST, Part.Condition.FIRST));
    }
    if (place.inRounds) {
      all.add(Part.Condition.AGAIN);
    }
    return all.get(choices.below(all.size()));
  }

  private List<Part.Decision> decisions(Part.Does does) {
    List<Part.Decision> decisions = new ArrayList<>();
    if (does == Part.Does.REWORK) {
      int again = choices.below(3);
      for (int i = 0; i < again; i++) {
        decisions.add(Part.Decision.REWORK);
      }
    }
    if (does == Part.Does.CALLBACK) {
      decisions.add(
          choices.oneOf(
              Part.Decision.APPROVE, Part.Decision.APPROVE, Part.Decision.SILENCE_REJECTS));
    }
    if (does == Part.Does.REWORK || does == Part.Does.ASK) {
      Part.Decision last =
          choices.oneOf(
              Part.Decision.APPROVE,
              Part.Decision.APPROVE,
              Part.Decision.REJECT,
              Part.Decision.REJECT_MILDLY,
              Part.Decision.SILENCE_APPROVES,
              Part.Decision.SILENCE_REJECTS);
      boolean isSilent =
          last == Part.Decision.SILENCE_APPROVES || last == Part.Decision.SILENCE_REJECTS;
      // The expiry is that of every round, and who sends back may be slow.
      decisions.add(isSilent && !decisions.isEmpty() ? Part.Decision.APPROVE : last);
    }
    return decisions;
  }
}
