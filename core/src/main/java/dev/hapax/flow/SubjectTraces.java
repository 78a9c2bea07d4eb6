package dev.hapax.flow;

import java.util.List;

/**
 * Records about effects that are kept outside the ledger, such as a server's comments on reviews.
 * They are erased and exported with the runs that own the effects.
 */
public interface SubjectTraces {
  /** There are none. */
  SubjectTraces NONE =
      new SubjectTraces() {
        @Override
        public void erase(String tenant, List<String> effects) {}

        @Override
        public List<Object> export(String tenant, List<String> effects) {
          return List.of();
        }
      };

  /** Erases what is kept about these effects. Called again after a crash. */
  void erase(String tenant, List<String> effects);

  /** Returns what is kept about these effects, as values that can be written as JSON. */
  List<Object> export(String tenant, List<String> effects);
}
