package dev.hapax;

import dev.hapax.engine.Engine;
import dev.hapax.store.Change;
import dev.hapax.store.ErasablePage;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.Store;
import java.util.List;

/**
 * Erases everything that the store keeps of one tenant, in small commits. It can be given up at any
 * time: another one, in this process or a later one, continues. Used by one thread.
 */
public final class Erasure {
  /** Few, so that the commits of others wait for a short time only. */
  private static final int RUNS = 20;

  private static final int ROWS = 200;

  private final Engine engine;
  private final Store store;
  private final String tenant;
  private ErasablePage.After after = ErasablePage.After.BEGIN;

  Erasure(Engine engine, Store store, String tenant) {
    this.engine = engine;
    this.store = store;
    this.tenant = tenant;
  }

  /**
   * Erases the next rows; false if nothing is left.
   *
   * @throws IllegalStateException if the tenant is not held back: it could write meanwhile
   */
  public boolean step() {
    engine.refuseIfClosed();
    if (!engine.holds(tenant)) {
      throw new IllegalStateException(
          "tenant '%s' is not held back by the engine's TenantLimits, so it cannot be erased"
              .formatted(tenant));
    }
    ErasablePage page = store.tenants().erasable(tenant, after, RUNS);
    boolean isAtEnd = page.isEmpty();
    if (isAtEnd && !after.equals(ErasablePage.After.BEGIN)) {
      after = ErasablePage.After.BEGIN; // look again from the beginning
      return true;
    }
    GroupAnswer answer =
        engine
            .committer()
            .commit(
                Group.always(
                    engine.ids().next(),
                    engine.clock().now(),
                    List.of(new Change.EraseTenant(tenant, page, ROWS))));
    if (!(answer instanceof GroupAnswer.Landed)) {
      throw new IllegalStateException("the store did not erase: " + answer);
    }
    after = page.again(after);
    return !isAtEnd || !store.tenants().content(tenant).hasNothing();
  }
}
