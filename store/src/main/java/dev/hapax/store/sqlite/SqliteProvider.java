package dev.hapax.store.sqlite;

import dev.hapax.store.Store;
import dev.hapax.store.StoreProvider;
import dev.hapax.time.Threads;
import java.nio.file.Path;

/** Provides the store for {@code Hapax.open(path)}. */
public final class SqliteProvider implements StoreProvider {
  @Override
  public Store open(Path file, Threads threads) {
    return new SqliteStore(file, threads);
  }
}
