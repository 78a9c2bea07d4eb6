package dev.hapax.flow;

/**
 * The engine was closed before this could be made durable. Accepted runs go on when the store is
 * opened again.
 */
public final class StoreClosed extends NoAnswer {
  private static final long serialVersionUID = 1L;

  public StoreClosed() {
    super(
        "the engine was closed; open the store again and repeat the call. Accepted runs continue by themselves",
        null);
  }
}
