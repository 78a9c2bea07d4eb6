package dev.hapax.engine.plan;

import dev.hapax.engine.replay.Replay;
import dev.hapax.engine.replay.StepKind;
import dev.hapax.engine.replay.StepState;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Kind;
import dev.hapax.flow.Names;
import dev.hapax.flow.NotPossible;
import dev.hapax.flow.ReplayWish;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunId;
import dev.hapax.flow.Step;
import dev.hapax.run.journal.JournalEntry;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.run.journal.LoopEntry;
import dev.hapax.run.journal.ReplayTerms;
import dev.hapax.store.Store;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Finds in a run's journal what a person names in a replay: steps, waits and effects. */
final class ReplayPoint {
  private static final int MOST_NAMED = 40;

  private final Store store;
  private final Run run;
  private final List<ReadRow> whole;
  private final Replay body;
  private final Map<String, Replay> parts = new LinkedHashMap<>();
  private final Map<Step, Boolean> loops = new HashMap<>();
  private final Map<Step, Long> loopEnds = new HashMap<>();

  /**
   * @param whole its whole journal, with that of its items
   */
  ReplayPoint(Store store, Run run, List<ReadRow> whole) {
    this.store = store;
    this.run = run;
    this.whole = whole;
    List<JournalRow> rows = whole.stream().map(ReadRow::row).toList();
    this.body = Replay.of(rows.stream().filter(row -> row.item() == null).toList());
    rows.stream()
        .filter(row -> row.item() != null)
        .collect(
            Collectors.groupingBy(
                row -> String.valueOf(row.item()), LinkedHashMap::new, Collectors.toList()))
        .forEach((item, own) -> parts.put(item, body.ofItem(item, own)));
    noteLoops();
  }

  private void noteLoops() {
    for (ReadRow row : whole) {
      for (JournalEntry entry : row.entries()) {
        if (entry instanceof LoopEntry.LoopStarted started) {
          loops.put(started.step(), started.hasRounds());
        } else if (entry instanceof LoopEntry.LoopEnded ended) {
          loopEnds.put(ended.step(), row.row().seq());
        }
      }
    }
  }

  /** The journal with the replay as its last row. Nothing is found here any more afterwards. */
  Replay replayed(JournalRow replay) {
    body.readOn(List.of(replay));
    return body;
  }

  /** Whether the run has begun to undo its effects. */
  boolean compensates() {
    return body.compensation() != null;
  }

  /**
   * The terms of the replay, without what it sends.
   *
   * @param keep stores a corrected result, if it is large
   */
  ReplayTerms terms(ReplayWish wish, UnaryOperator<String> keep) {
    Step from = wish.step() == null ? null : from(wish.step(), wish.item());
    List<Step> within = from == null ? List.of() : within(from);
    return new ReplayTerms(
        from,
        from == null ? null : after(from, within),
        within,
        wish.outputs().entrySet().stream()
            .sorted(Map.Entry.comparingByKey())
            .map(one -> corrected(one.getKey(), one.getValue(), keep))
            .toList(),
        wish.ask().stream().map(this::asked).toList(),
        wish.force().stream().map(this::forced).toList(),
        List.of());
  }

  private Replay partOf(Step step) {
    String item = step.outermostItem();
    Replay part = item == null ? body : parts.get(item);
    return part == null ? body : part;
  }

  private Step from(String name, @Nullable String item) {
    Step found =
        item == null ? last(body, name, null) : last(partOf(new Step(name, item)), name, item);
    if (found == null && item == null) {
      found = inLoops(name);
    }
    if (found == null) {
      throw unknown(item == null ? "'" + name + "'" : new Step(name, item).toString());
    }
    return found;
  }

  /** The step in its last round. */
  private static @Nullable Step last(Replay part, String name, @Nullable String item) {
    return part.steps().keySet().stream()
        .filter(step -> step.name().equals(name) && Objects.equals(step.item(), item))
        .max(Comparator.comparingInt(Step::roundNumber))
        .orElse(null);
  }

  /** A step of a repetition is meant in its last round; a step of a loop needs its item. */
  private @Nullable Step inLoops(String name) {
    List<Step> found =
        parts.values().stream()
            .flatMap(part -> part.steps().keySet().stream())
            .filter(step -> step.name().equals(name) && step.item() != null)
            .toList();
    if (found.isEmpty()) {
      return null;
    }
    if (found.stream().allMatch(step -> isRound(step))) {
      return found.stream()
          .max(Comparator.comparingLong(step -> Objects.requireNonNull(partOf(step).rowOf(step))))
          .orElseThrow();
    }
    String items =
        found.stream()
            .map(step -> String.valueOf(step.item()))
            .distinct()
            .limit(MOST_NAMED)
            .collect(Collectors.joining(", "));
    throw new NotPossible(
        "step '%s' of run %s is in a loop: name the item too. Its items: %s"
            .formatted(name, run.id(), items));
  }

  private boolean isRound(Step step) {
    List<Step> around = within(step);
    return !around.isEmpty() && Boolean.TRUE.equals(loops.get(around.getFirst()));
  }

  private NotPossible unknown(String step) {
    var names = new TreeSet<String>();
    body.steps().keySet().stream().filter(one -> !one.isUndo()).map(Step::name).forEach(names::add);
    parts
        .values()
        .forEach(
            part ->
                part.steps().keySet().stream()
                    .filter(one -> !one.isUndo())
                    .map(Step::name)
                    .forEach(names::add));
    return new NotPossible(
        "run %s has no step %s. Its steps: %s"
            .formatted(
                run.id(),
                step,
                names.stream().limit(MOST_NAMED).collect(Collectors.joining(", "))));
  }

  /** The loops around a step, the outermost first: of each level, the one that began last. */
  private List<Step> within(Step step) {
    String item = step.item();
    if (item == null) {
      return List.of();
    }
    Long row = partOf(step).rowOf(step);
    var around = new ArrayList<Step>();
    String outer = null;
    for (String key : item.split(Names.BETWEEN_ITEMS, -1)) {
      Step loop = loopIn(outer, row == null ? Long.MAX_VALUE : row);
      if (loop != null) {
        around.add(loop);
      }
      outer = outer == null ? key : outer + Names.BETWEEN_ITEMS + key;
    }
    return around;
  }

  private @Nullable Step loopIn(@Nullable String outer, long before) {
    return loops.keySet().stream()
        .filter(loop -> Objects.equals(loop.item(), outer))
        .filter(loop -> startOf(loop) <= before)
        .max(Comparator.comparingLong(this::startOf))
        .orElse(null);
  }

  private long startOf(Step loop) {
    Long row = partOf(loop).rowOf(loop);
    return row == null ? Long.MAX_VALUE : row;
  }

  /**
   * The row after which everything is done again that is not in the part of the step: what follows
   * the step, or the loop around it. Rounds follow each other, items do not.
   */
  private long after(Step from, List<Step> within) {
    Long row = partOf(from).rowOf(from);
    if (within.isEmpty() || Boolean.TRUE.equals(loops.get(within.getFirst()))) {
      return row == null ? 0 : row;
    }
    Long end = loopEnds.get(within.getFirst());
    return end == null ? Long.MAX_VALUE : end - 1;
  }

  private ReplayTerms.Corrected corrected(String name, String output, UnaryOperator<String> keep) {
    Step step = last(body, name, null);
    if (step == null) {
      throw unknown("'" + name + "' outside of loops");
    }
    StepKind kind = Objects.requireNonNull(body.stateOf(step)).kind();
    boolean canBe =
        switch (kind) {
          case STEP, EFFECT, CALL, KV, CALLBACK -> true;
          case WAIT, MESSAGE, LOOP, ITEM, APPROVAL, SPAWN, LOCK -> false;
        };
    if (!canBe) {
      throw new NotPossible(
          "step '%s' of run %s is %s: its output cannot be corrected. Correct that of a step that computes, reads, sends or calls"
              .formatted(name, run.id(), kind));
    }
    return new ReplayTerms.Corrected(step, keep.apply(output));
  }

  private Step asked(String name) {
    Step step = last(body, name, null);
    if (step == null) {
      throw unknown("'" + name + "' outside of loops");
    }
    StepState state = Objects.requireNonNull(body.stateOf(step));
    if (state.kind() == StepKind.CALLBACK) {
      throw new NotPossible(
          "step '%s' of run %s is a callback: its token is used, and its answer stays. Correct its output instead"
              .formatted(name, run.id()));
    }
    if (state.kind() != StepKind.APPROVAL && state.kind() != StepKind.WAIT) {
      throw new NotPossible(
          "step '%s' of run %s is %s: only approvals and waits can be asked again"
              .formatted(name, run.id(), state.kind()));
    }
    return step;
  }

  private ReplayTerms.Forced forced(ReplayWish.Force wish) {
    if (wish.reason().isBlank()) {
      throw new IllegalArgumentException("force: give a reason for effect " + wish.effect());
    }
    EffectRecord row = store.effect(EffectRecord.number(wish.effect()));
    if (row == null || !row.key().tenant().equals(run.tenant())) {
      throw new NotPossible("there is no effect %s to force".formatted(wish.effect()));
    }
    RunId additive = row.key().additiveRun();
    if (additive != null && !additive.equals(run.id())) {
      throw new NotPossible(
          "effect %s (%s) is additive and belongs to run %s: only a replay of that run can send it again"
              .formatted(row.id(), row.key(), additive));
    }
    if (row.isImported() && row.kind() != Kind.UPDATE) {
      throw new NotPossible(
          "effect %s (%s) was brought in from another system, and no run sends it again. Use another key"
              .formatted(row.id(), row.key()));
    }
    if (row.state() != EffectState.DONE) {
      throw new NotPossible(
          "effect %s (%s) is %s; only an effect that is done can be forced"
              .formatted(row.id(), row.key(), row.state().word()));
    }
    if (row.guard().equals("lookup") && wish.absent() == null) {
      throw new NotPossible(
          "effect %s (%s) is looked up before it is sent, so the first one would be found and nothing sent. Undo the first one at its destination, and settle it; or use another key"
              .formatted(row.id(), row.key()));
    }
    return new ReplayTerms.Forced(row.key().name(), row.key().key(), row.revision(), wish.reason());
  }
}
