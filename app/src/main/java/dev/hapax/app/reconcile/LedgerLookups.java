package dev.hapax.app.reconcile;

import dev.hapax.Hapax;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.NoAnswer;
import dev.hapax.flow.NotApplied;
import dev.hapax.flow.Rejected;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunContext;
import dev.hapax.flows.step.EffectLookup;
import dev.hapax.json.Text;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Looks up rows of the ledger, some at a time. A destination that does not answer has said nothing:
 * the answers so far are kept, and the rest is asked again later. Safe for many threads.
 */
final class LedgerLookups {
  private static final int MOST_OPEN = 64;

  /** A row that fails so often is left out, if the destination answers for others. */
  private static final int MOST_FAILURES = 3;

  private final Map<String, Batch> open =
      Collections.synchronizedMap(
          new LinkedHashMap<>() {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Batch> eldest) {
              return size() > MOST_OPEN;
            }
          });

  /** Used by one thread at a time: the one of the run that asks. */
  private static final class Batch {
    private final Map<Long, EffectLookup.Answer> answers = new HashMap<>();
    private final Map<Long, Integer> failures = new HashMap<>();
  }

  /**
   * Asks for all rows.
   *
   * @param batch a name for these rows, the same if they are asked for again
   * @param flow that declares the lookup
   * @throws Exception if the destination did not answer for all of them; ask again later
   */
  Map<Long, EffectLookup.Answer> ask(
      Hapax hapax,
      RunContext run,
      String batch,
      EffectLookup lookup,
      String flow,
      List<EffectRecord> rows)
      throws Exception {
    String name = run.id() + " " + batch;
    Batch known = open.computeIfAbsent(name, _ -> new Batch());
    Exception failed = null;
    for (EffectRecord row : rows) {
      if (!known.answers.containsKey(row.number())) {
        Exception now = ask(hapax, run, lookup, flow, row, known);
        failed = now == null ? failed : now;
      }
    }
    if (failed != null && !known.answers.isEmpty()) {
      leaveOut(rows, known, failed);
    }
    if (failed != null && known.answers.size() < rows.size()) {
      throw failed;
    }
    open.remove(name);
    return known.answers;
  }

  /** Returns why it was not answered; throws if the destination wants no more requests now. */
  private static @Nullable Exception ask(
      Hapax hapax, RunContext run, EffectLookup lookup, String flow, EffectRecord row, Batch known)
      throws Exception {
    Run owner = row.isImported() ? null : hapax.findRun(row.run());
    try {
      known.answers.put(row.number(), lookup.find(run, flow, row, owner));
      return null;
    } catch (NotApplied e) {
      throw e;
    } catch (Rejected e) {
      NoAnswer.passOn(e);
      known.answers.put(
          row.number(),
          new EffectLookup.Answer.Unasked("the destination refused the lookup: " + said(e)));
      return null;
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      NoAnswer.passOn(e);
      known.failures.merge(row.number(), 1, Integer::sum);
      return e;
    }
  }

  private static void leaveOut(List<EffectRecord> rows, Batch known, Exception failed) {
    for (EffectRecord row : rows) {
      if (known.failures.getOrDefault(row.number(), 0) >= MOST_FAILURES) {
        known.answers.putIfAbsent(
            row.number(),
            new EffectLookup.Answer.Unasked("the lookup kept failing: " + said(failed)));
      }
    }
  }

  private static String said(Exception e) {
    return Text.storable(Text.messageOf(e));
  }
}
