package dev.hapax.store;

import dev.hapax.run.ErasureRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Forwards every question about erasures. */
record ForwardingErasures(ForwardingStore store) implements ErasureReads {

  @Override
  public @Nullable ErasureRecord find(long number) {
    return store.<@Nullable ErasureRecord>call("erasure", () -> store.to().erasures().find(number));
  }

  @Override
  public List<ErasureRecord> list(String tenant, int limit) {
    return store.call("erasures", () -> store.to().erasures().list(tenant, limit));
  }

  @Override
  public List<ErasureRecord> all(long after, boolean onlyOpen, int limit) {
    return store.call("erasures", () -> store.to().erasures().all(after, onlyOpen, limit));
  }
}
