package dev.hapax.store;

import dev.hapax.flow.StoreRefused;
import dev.hapax.time.Threads;
import java.nio.file.Path;
import java.util.ServiceLoader;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Opens stores of one kind. Found by {@code ServiceLoader}, because core cannot import the module
 * that has them. A provider that cannot open its argument returns null, and the next one is asked.
 */
public interface StoreProvider {
  /**
   * Opens the file, or creates it.
   *
   * @throws StoreRefused if it is no store of ours, a newer one, damaged, or used by another
   *     process
   */
  default @Nullable Store open(Path file, Threads threads) {
    return null;
  }

  /**
   * Opens the store in the database that the connections lead to, or creates it there.
   *
   * @throws StoreRefused if the database cannot keep a store, or has one of a newer version
   */
  default @Nullable Store open(DataSource connections, Threads threads) {
    return null;
  }

  /** As above, by an address such as {@code jdbc:postgresql://host/database?user=name}. */
  default @Nullable Store open(String url, Threads threads) {
    return null;
  }

  /** Returns the store of the first provider on the class path that can open it. */
  static Store open(Function<StoreProvider, @Nullable Store> opening) {
    for (StoreProvider provider : ServiceLoader.load(StoreProvider.class)) {
      Store store = opening.apply(provider);
      if (store != null) {
        return store;
      }
    }
    throw new IllegalStateException(
        "no matching store is on the class path: add dev.hapax:hapax-store beside"
            + " dev.hapax:hapax-core, and for PostgreSQL org.postgresql:postgresql");
  }
}
