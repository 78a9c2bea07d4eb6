package dev.hapax.store.sqlite;

import dev.hapax.store.Store;
import dev.hapax.store.StoreProvider;
import dev.hapax.time.Threads;
import java.nio.file.Path;

/** The store that {@code Hapax.open(path)} finds. */
public final class SqliteProvider implements StoreProvider {
  @Override
  public Store open(Path file, Threads threads) {
    return new SqliteStore(file, threads);
  }
}
