package dev.hapax.store;

import dev.hapax.time.Threads;
import java.nio.file.Path;

/**
 * Opens a store from a file. Found by {@code ServiceLoader}, because core cannot import the module
 * that has one.
 */
public interface StoreProvider {
  /**
   * Opens the file, or makes it.
   *
   * @throws StoreRefused if it is no store of ours, a newer one, damaged, or used by another
   *     process
   */
  Store open(Path file, Threads threads);
}
