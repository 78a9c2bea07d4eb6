package dev.hapax.effect;

import dev.hapax.flow.CopySends;
import dev.hapax.flow.NotApplied;
import dev.hapax.store.Store;
import org.jspecify.annotations.Nullable;

/**
 * Stops the senders of a copied store from sending: production data that is started elsewhere must
 * not reach the outside world by itself. Safe for many threads.
 */
public final class CopySwitch {
  private final Store store;
  private final CopySends allowed;

  public CopySwitch(Store store, CopySends allowed) {
    this.store = store;
    this.allowed = allowed;
  }

  /** Nothing was sent yet, so the step goes on after a person has allowed it. */
  void refuseIfOff(String tenant, @Nullable String destination) {
    if (isAllowed(tenant, destination)) {
      return;
    }
    throw new NotApplied(
        "this store is a copy of another one, and copies may not send: nothing was sent. To allow it, use HapaxOptions.sendsInCopy(%dL), or on a server the setting store.copySends: \"%s\""
            .formatted(store.id(), Long.toString(store.id(), Character.MAX_RADIX)));
  }

  /** A store that cannot answer, or a rule that fails, has sent nothing. */
  private boolean isAllowed(String tenant, @Nullable String destination) {
    try {
      return store.copiedAt() == null || allowed.maySend(store.id(), tenant, destination);
    } catch (RuntimeException e) {
      throw new NotApplied(
          "could not find out whether this store is a copy that may not send, so nothing was sent",
          e);
    }
  }
}
