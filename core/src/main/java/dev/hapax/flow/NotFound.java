package dev.hapax.flow;

import org.jspecify.annotations.Nullable;

/** Thrown if there is no run, effect, event, wait or delivery with this id. */
public final class NotFound extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final @Nullable String owner;

  public NotFound(String message) {
    this(message, null);
  }

  /**
   * As above, for an id that another tenant has.
   *
   * @param owner that tenant; null if the id does not exist
   */
  public NotFound(String message, @Nullable String owner) {
    super(message);
    this.owner = owner;
  }

  /**
   * Returns the tenant that has something with this id; null if there is none. For logs of the
   * operator only: the caller must not learn that the id exists.
   */
  public @Nullable String owner() {
    return owner;
  }
}
