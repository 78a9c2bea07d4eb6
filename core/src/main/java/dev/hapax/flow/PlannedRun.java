package dev.hapax.flow;

import java.util.List;

/** A run whose replay is planned. The interpreter of flow files looks for it. */
public interface PlannedRun {
  /**
   * Notes an effect whose request depends on answers that are not there yet.
   *
   * @param effect its name in the ledger
   * @param dependsOn the steps whose answers are missing
   */
  void unknown(String step, String effect, List<String> dependsOn);
}
