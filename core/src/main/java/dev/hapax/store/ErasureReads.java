package dev.hapax.store;

import dev.hapax.run.ErasureRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the requests to erase what is stored about people. */
public interface ErasureReads {
  @Nullable ErasureRecord find(long number);

  /** The requests of this tenant, the newest first. */
  List<ErasureRecord> list(String tenant, int limit);

  /**
   * The requests of all tenants in the order of their numbers.
   *
   * @param after only requests with a greater number
   * @param onlyOpen whether only those that have something left to erase
   */
  List<ErasureRecord> all(long after, boolean onlyOpen, int limit);
}
