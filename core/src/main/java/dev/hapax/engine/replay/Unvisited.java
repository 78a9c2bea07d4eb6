package dev.hapax.engine.replay;

import dev.hapax.flow.Names;
import dev.hapax.flow.Step;
import dev.hapax.run.journal.EffectEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The steps of a run or an item that the journal holds as sent and that the body has not reached in
 * this pass. Unchanged code reaches all of them before it sends anything new. Code that changed
 * under its release, or decides by chance, does not, and must not send.
 *
 * <p>Steps that were recorded before a retry may be left out, because a step that failed before, or
 * a corrected input, can lead to another branch. Safe for the threads of the fibers that share the
 * journal.
 */
public final class Unvisited {
  // Guarded by this.
  private final Map<Step, Sent> since = new LinkedHashMap<>();
  private final Map<What, EffectEntry.LeftBehind> before = new LinkedHashMap<>();
  private final Map<Step, Closed> closed = new LinkedHashMap<>();
  private final Map<String, Integer> inBranch = new HashMap<>();
  private final Map<String, List<Step>> inItem = new HashMap<>();

  /** An effect: after a corrected input the same step may do another one. */
  private record What(String name, String key) {}

  /** Something that was sent by an item that has ended. */
  private record Closed(Sent sent, boolean isFailed) {}

  /**
   * Something that was sent.
   *
   * @param branch the fiber that sent it, within its journal; empty if it is the journal's own one,
   *     or the journal does not say
   * @param effect the entry to write if the run's own effect is left behind; null for an effect of
   *     another run, and for anything that is no effect
   */
  private record Sent(String branch, EffectEntry.@Nullable LeftBehind effect, boolean isDone) {
    void leaveTo(Map<What, EffectEntry.LeftBehind> before) {
      if (effect != null && isDone) {
        before.put(new What(effect.name(), effect.key()), effect);
      }
    }
  }

  /** Returns a copy in which a pass notes what its body reaches; the journal is read on here. */
  synchronized Unvisited copy() {
    var copy = new Unvisited();
    copy.since.putAll(since);
    copy.before.putAll(before);
    copy.closed.putAll(closed);
    copy.inBranch.putAll(inBranch);
    inItem.forEach((item, steps) -> copy.inItem.put(item, new ArrayList<>(steps)));
    return copy;
  }

  /** An effect of this run. */
  void granted(EffectEntry.Claimed claim, long effect) {
    var ifLeft = new EffectEntry.LeftBehind(claim.step(), effect, claim.name(), claim.key());
    reached(claim.name(), claim.key());
    sent(claim.step(), claim.branch(), ifLeft);
  }

  /** An effect that another run or step did, or whose key was refused. */
  void answered(EffectEntry.Claimed claim) {
    reached(claim.name(), claim.key());
    sent(claim.step(), claim.branch(), null);
  }

  /** A message, or a run that the step started. */
  void handedOver(Step step) {
    sent(step, null, null);
  }

  private synchronized void sent(
      Step step, @Nullable String branch, EffectEntry.@Nullable LeftBehind ownEffect) {
    if (step.isUndo()) {
      return;
    }
    forget(step);
    var sent = new Sent(branch == null ? "" : branch, ownEffect, false);
    since.put(step, sent);
    for (int end = 1; (end = endOfPart(sent.branch, end)) > 0; end++) {
      inBranch.merge(sent.branch.substring(0, end), 1, Integer::sum);
    }
    String item = step.item();
    if (item != null) {
      note(item, step);
      int end = -1;
      while ((end = item.indexOf(Names.BETWEEN_ITEMS, end + 1)) >= 0) {
        note(item.substring(0, end), step);
      }
    }
  }

  private void note(String item, Step step) {
    inItem.computeIfAbsent(item, _ -> new ArrayList<>()).add(step);
  }

  synchronized void done(Step step) {
    since.computeIfPresent(step, (_, sent) -> new Sent(sent.branch, sent.effect, true));
  }

  /** An item that has ended is not handled again, unless the run is retried because it failed. */
  public synchronized void itemEnded(Step item, boolean isFailed) {
    List<Step> steps = item.item() == null ? null : inItem.remove(item.item());
    if (steps == null) {
      return;
    }
    for (Step step : steps) {
      Sent sent = forget(step);
      if (sent != null) {
        closed.put(step, new Closed(sent, isFailed));
      }
    }
  }

  synchronized void retried(boolean withInput) {
    closed
        .values()
        .removeIf(
            one -> {
              boolean isOpenAgain = withInput || one.isFailed;
              if (isOpenAgain) {
                one.sent.leaveTo(before);
              }
              return isOpenAgain;
            });
    since.values().forEach(sent -> sent.leaveTo(before));
    since.clear();
    inBranch.clear();
    inItem.clear();
  }

  /** The body has reached this step. */
  public synchronized void visit(Step step) {
    if (!since.isEmpty()) {
      forget(step);
    }
  }

  /** The body has reached this effect, in any step. */
  public synchronized void reached(String name, String key) {
    if (!before.isEmpty()) {
      before.remove(new What(name, key));
    }
  }

  private @Nullable Sent forget(Step step) {
    Sent sent = since.remove(step);
    if (sent != null) {
      for (int end = 1; (end = endOfPart(sent.branch, end)) > 0; end++) {
        inBranch.computeIfPresent(
            sent.branch.substring(0, end), (_, count) -> count == 1 ? null : count - 1);
      }
    }
    return sent;
  }

  /** A step sent by this fiber, or one that it started, that the body has not reached; or null. */
  public synchronized @Nullable Step first(String branch) {
    if (since.isEmpty() || (!branch.isEmpty() && !inBranch.containsKey(branch))) {
      return null;
    }
    return since.entrySet().stream()
        .filter(one -> isIn(branch, one.getValue().branch))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse(null);
  }

  /**
   * Returns the effects that the run did before it was retried and that its body has not reached
   * since; each is returned once.
   */
  public synchronized List<EffectEntry.LeftBehind> takeLeftBehind() {
    List<EffectEntry.LeftBehind> left = List.copyOf(before.values());
    before.clear();
    return left;
  }

  /** The history has it already. */
  synchronized void toldLeftBehind(EffectEntry.LeftBehind told) {
    reached(told.name(), told.key());
    closed.values().removeIf(one -> told.equals(one.sent.effect));
  }

  private static boolean isIn(String branch, String inner) {
    return inner.startsWith(branch)
        && (inner.length() == branch.length() || inner.charAt(branch.length()) == '/');
  }

  /** Where the part that begins before this place ends; -1 if there is none. */
  private static int endOfPart(String branch, int from) {
    if (from > branch.length()) {
      return -1;
    }
    int slash = branch.indexOf('/', from);
    return slash < 0 ? branch.length() : slash;
  }
}
