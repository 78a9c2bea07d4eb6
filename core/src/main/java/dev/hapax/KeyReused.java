package dev.hapax;

/** Thrown if the key belongs to a run with another input, and the flow refuses that. */
public final class KeyReused extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String firstRun;

  KeyReused(String flow, String key, String firstRun, String difference) {
    super(
        "key '%s' of flow '%s' belongs to run %s, started with another input: %s. Use another key, or give the flow the conflict rule 'return' to get the first run."
            .formatted(key, flow, firstRun, difference));
    this.firstRun = firstRun;
  }

  /** Returns the id of the run that the key belongs to. */
  public String firstRun() {
    return firstRun;
  }
}
