package dev.hapax.flow;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A run whose replay is planned. The interpreter of flow files looks for it. */
public interface PlannedRun {
  /**
   * Notes something that a step sends, whose request depends on answers that are not there yet.
   * What the plan has of this step already is not noted again.
   *
   * @param name of the effect in the ledger, of the destination of a message, or of a flow
   * @param key of an effect, if it is known and an effect that is done counts whatever its content
   *     is; null otherwise
   * @param dependsOn the steps whose answers are missing
   */
  void unknown(
      String step, ReplayPlan.Type type, String name, @Nullable String key, List<String> dependsOn);

  /** Notes that the body has come to a step or an item; returns how many there were so far. */
  int reach();

  /** How many steps and items the body has come to. */
  int reached();

  /**
   * Says whether what comes next uses values that are other ones when the run goes on, such as the
   * time. The plan then shows no request of an effect, and a step that computes has no answer yet.
   *
   * @return what was said before
   */
  boolean momentary(boolean isMomentary);
}
