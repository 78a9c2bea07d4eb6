package dev.hapax.flow;

/**
 * Every slot of the flow's concurrency limit is taken, and the flow refuses runs in this case. No
 * run was created and the key is unused; a run that was to be retried is unchanged.
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

  /** The id of a run that holds a slot. */
  public String holder() {
    return holder;
  }
}
