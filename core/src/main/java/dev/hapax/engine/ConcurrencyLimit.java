package dev.hapax.engine;

/**
 * Every slot of the flow's concurrency limit is taken, and the flow says to refuse then. No run was
 * made and the key is unused; what was to be retried is as it was.
 */
public final class ConcurrencyLimit extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String holder;

  public ConcurrencyLimit(String flow, String holder) {
    super(
        "flow '%s' has as many runs under way as its concurrency limit allows, run %s among them. Try again later with the same key, or give the flow .concurrency(…, QUEUE) to wait in line."
            .formatted(flow, holder));
    this.holder = holder;
  }

  /** The problem's name. */
  public String code() {
    return "concurrency-limit";
  }

  /** The id of a run that has a slot. */
  public String holder() {
    return holder;
  }
}
