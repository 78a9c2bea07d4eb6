package dev.hapax.flow;

/**
 * The store was restored or copied, and no person has said yet what it is. Nothing was accepted or
 * sent; reads work.
 */
public final class StoreRestored extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public StoreRestored(Restored restored) {
    super(restored.text());
  }
}
