package dev.hapax.engine.replay;

import dev.hapax.flow.Names;
import dev.hapax.flow.Step;
import dev.hapax.run.journal.ReplayTerms;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Takes back the states of the steps that a replay does again: those from a step on, in the order
 * in which the journal first recorded them. Waits keep their answers, children stay attached, and
 * effects ask the ledger again.
 */
final class ReplayedSteps {
  private final Map<Step, StepState> steps;
  private final Map<Step, StepState> items;
  private final CallReplay calls;
  private final EndedItems endedItems;

  /** The row that first recorded a step or the end of an item. */
  private final Map<Step, Long> stepRows = new HashMap<>();

  private final Map<Step, Long> itemRows = new HashMap<>();

  ReplayedSteps(
      Map<Step, StepState> steps,
      Map<Step, StepState> items,
      CallReplay calls,
      EndedItems endedItems) {
    this.steps = steps;
    this.items = items;
    this.calls = calls;
    this.endedItems = endedItems;
  }

  /** A row of the journal has said something about this step. */
  void note(Step step, long seq) {
    if (steps.containsKey(step)) {
      stepRows.putIfAbsent(step, seq);
    }
    if (items.containsKey(step)) {
      itemRows.putIfAbsent(step, seq);
    }
  }

  /** Steps were taken back: if they are done again, they are recorded later. */
  void forgot() {
    stepRows.keySet().retainAll(steps.keySet());
    itemRows.keySet().retainAll(items.keySet());
  }

  /** The row that first recorded this step; null if none did. */
  @Nullable Long rowOf(Step step) {
    return stepRows.get(step);
  }

  void replayed(ReplayTerms terms) {
    Set<Step> again = again(terms);
    reopen(terms, again);
    Map<Step, StepKind> kinds = new HashMap<>();
    for (ReplayTerms.Corrected one : terms.outputs()) {
      StepState state = steps.get(one.step());
      if (state != null) {
        kinds.put(one.step(), state.kind());
      }
    }
    var asked = new HashSet<>(terms.ask());
    steps.replaceAll(
        (step, state) ->
            again.contains(step) && state.kind() == StepKind.LOOP
                ? new StepState.Looping()
                : state);
    calls.replayed(again);
    boolean anyAgain = !again.isEmpty();
    steps
        .entrySet()
        .removeIf(
            one ->
                asked.contains(one.getKey())
                    || (again.contains(one.getKey()) && isDoneAgain(one.getKey(), one.getValue()))
                    || (WaitOutcome.isOpenApproval(one.getValue()) // closed when the run ended
                        && !endedItems.isKept(one.getKey()))
                    || (anyAgain
                        && one.getValue().kind() == StepKind.LOCK
                        && !endedItems.isKept(one.getKey())));
    terms
        .outputs()
        .forEach(
            one -> {
              StepKind kind = kinds.get(one.step());
              if (kind != null) {
                steps.put(one.step(), StepState.done(kind, one.output()));
              }
            });
    forgot();
  }

  private Set<Step> again(ReplayTerms terms) {
    if (terms.isFromTheStart()) {
      return new HashSet<>(steps.keySet());
    }
    Step from = Objects.requireNonNull(terms.from());
    boolean isHere = steps.containsKey(from);
    Set<Step> again = new LinkedHashSet<>();
    boolean isReached = false;
    for (Step step : steps.keySet()) {
      isReached |= step.equals(from);
      if (isHere ? isReached : isAfter(stepRows.get(step), terms)) {
        again.add(step);
      }
    }
    return again;
  }

  private static boolean isAfter(@Nullable Long row, ReplayTerms terms) {
    Long after = terms.after();
    return row != null && after != null && row > after;
  }

  /** Lets loops go on: those that are done again, and those around the step. */
  private void reopen(ReplayTerms terms, Set<Step> again) {
    boolean isHere = terms.from() != null && steps.containsKey(terms.from());
    Set<Step> reopened = new HashSet<>();
    for (Step end : items.keySet()) {
      if (terms.isFromTheStart()
          || isAfter(itemRows.get(end), terms)
          || (isHere && isEndAround(terms, end))) {
        reopened.add(end);
      }
    }
    reopened.forEach(
        end -> {
          items.remove(end);
          endedItems.end(end, true);
        });
    endedItems.retried(terms.isFromTheStart());
    terms.within().stream().filter(steps::containsKey).forEach(again::add);
  }

  /** Whether an item ends here that holds the step, in one of the loops around it. */
  private static boolean isEndAround(ReplayTerms terms, Step end) {
    String item = Objects.requireNonNull(terms.from()).item();
    String ended = end.item();
    if (item == null || ended == null) {
      return false;
    }
    boolean holds = item.equals(ended) || item.startsWith(ended + Names.BETWEEN_ITEMS);
    List<Step> loops = terms.within();
    return holds
        && loops.stream()
            .anyMatch(
                loop ->
                    loop.name().equals(end.name()) && Objects.equals(loop.round(), end.round()));
  }

  /** Answers of people, systems and time are kept, and so is everything that was undone. */
  private static boolean isDoneAgain(Step step, StepState state) {
    return switch (state.kind()) {
      case STEP, MESSAGE, ITEM -> true;
      case EFFECT -> !step.isUndo();
      case KV -> state.dependsOnInput();
      case CALL, SPAWN -> state instanceof StepState.Failed;
      case LOOP, LOCK, WAIT, CALLBACK, APPROVAL -> false;
    };
  }
}
