package dev.hapax.flow;

/**
 * An open store, for {@code Hapax.open}. Implementations implement {@code dev.hapax.store.Store},
 * which extends this.
 */
public interface StoreHandle extends AutoCloseable {
  @Override
  void close();
}
