package dev.hapax.flows.queue;

import org.jspecify.annotations.Nullable;

/** For brokers that forget nothing. */
final class NoMemory implements GroupMemory {
  @Override
  public @Nullable Known recall(String place) {
    return null;
  }

  @Override
  public void keep(String place, Known now) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void tell(String notice) {
    throw new UnsupportedOperationException();
  }
}
