package dev.hapax.engine.parts;

import dev.hapax.flow.StoreFull;
import dev.hapax.flow.StoreUnavailable;
import dev.hapax.flow.TokenKeys;
import dev.hapax.store.Store;
import dev.hapax.store.UnknownCommit;
import dev.hapax.time.RandomSource;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The key that a store makes for itself, and keeps readable. Safe for many threads. */
public final class StoreTokenKeys implements TokenKeys {
  private static final int KEY_BYTES = 32;

  private final Store store;
  private final RandomSource random;
  // Read at the first token: most engines never need it. Two threads that read it at once get the
  // same one.
  private final AtomicReference<byte @Nullable []> key = new AtomicReference<>();

  public StoreTokenKeys(Store store, RandomSource random) {
    this.store = store;
    this.random = random;
  }

  @Override
  public int current() {
    return OF_STORE;
  }

  @Override
  public byte @Nullable [] find(int version) {
    if (version != OF_STORE) {
      return null;
    }
    byte[] known = key.get();
    if (known == null) {
      known = readKey();
      key.set(known);
    }
    return known;
  }

  /** If it is unknown whether the key was written, the next read finds out. */
  private byte[] readKey() {
    try {
      return store.secretKey(fresh());
    } catch (UnknownCommit | StoreFull e) {
      throw new StoreUnavailable("the store's key could not be read: " + e.getMessage(), e);
    }
  }

  private byte[] fresh() {
    var bytes = ByteBuffer.allocate(KEY_BYTES);
    while (bytes.hasRemaining()) {
      bytes.putLong(random.nextLong());
    }
    return bytes.array();
  }
}
