package dev.hapax.engine.replay;

import dev.hapax.flow.Names;
import dev.hapax.flow.Step;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The steps of items that have ended well: failures that their code passed over, and sections under
 * a lock. A retry does not handle such an item again, so it must not forget them: a compensation
 * calls the item's code once more to learn its undos, and the code would stop at a step that is not
 * there. Folded from one journal.
 *
 * <p>The name of a step does not say which loop it belongs to, and two loops can have the same
 * items. A step belongs to the item that ends next. If an item of this name fails later, nothing of
 * it is kept, because its code runs again.
 */
final class EndedItems {
  /** By item, in order, so that the items inside an item follow it. */
  private final NavigableMap<String, Set<Step>> open = new TreeMap<>();

  private final NavigableMap<String, Set<Step>> ended = new TreeMap<>();

  /** The journal says how this step is now. */
  void note(Step step, @Nullable StepState state) {
    String item = step.item();
    boolean matters =
        state instanceof StepState.Failed
            || (state instanceof StepState.Finished && state.kind() == StepKind.LOCK);
    if (item != null && matters && !isKept(step)) {
      open.computeIfAbsent(item, _ -> new HashSet<>()).add(step);
    }
  }

  void end(Step item, boolean isFailed) {
    String path = item.item();
    if (path == null) {
      return;
    }
    Map<String, Set<Step>> steps = take(open, path);
    if (isFailed) {
      take(ended, path);
    } else {
      steps.forEach((at, some) -> ended.computeIfAbsent(at, _ -> new HashSet<>()).addAll(some));
    }
  }

  /** Takes out what belongs to an item, and to the items of loops inside it. */
  private static Map<String, Set<Step>> take(NavigableMap<String, Set<Step>> all, String path) {
    Map<String, Set<Step>> taken = new TreeMap<>();
    Iterator<Map.Entry<String, Set<Step>>> rest = all.tailMap(path, true).entrySet().iterator();
    while (rest.hasNext()) {
      Map.Entry<String, Set<Step>> one = rest.next();
      if (!one.getKey().startsWith(path)) {
        break;
      }
      if (one.getKey().equals(path) || one.getKey().startsWith(path + Names.BETWEEN_ITEMS)) {
        taken.put(one.getKey(), one.getValue());
        rest.remove();
      }
    }
    return taken;
  }

  /** Whether a retry keeps this step as it is. */
  boolean isKept(Step step) {
    String item = step.item();
    return item != null && ended.getOrDefault(item, Set.of()).contains(step);
  }

  /** The run was retried; with another input, every item is handled again. */
  void retried(boolean withInput) {
    open.clear();
    if (withInput) {
      ended.clear();
    }
  }
}
