package dev.hapax.engine.parts;

import dev.hapax.flow.TokenKeys;
import dev.hapax.store.Store;
import org.jspecify.annotations.Nullable;

/**
 * One key from the program that embeds the engine. Waits that were opened before it was supplied
 * keep the store's own key, until that is erased.
 */
public final class SuppliedTokenKey implements TokenKeys {
  public static final int SHORTEST = 32;
  private static final int VERSION = 1;

  private final byte[] key;
  private final Store store;

  public SuppliedTokenKey(byte[] key, Store store) {
    this.key = key.clone();
    this.store = store;
  }

  @Override
  public int current() {
    return VERSION;
  }

  @Override
  public byte @Nullable [] find(int version) {
    return switch (version) {
      case VERSION -> key;
      case OF_STORE -> store.secretKey();
      default -> null;
    };
  }
}
