package dev.hapax.testkit.simulation;

import dev.hapax.store.Batch;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.Store;
import dev.hapax.store.UnknownCommit;
import org.jspecify.annotations.Nullable;

/** What can be done wrong after a commit whose outcome is unknown. */
final class BrokenCommit {
  private BrokenCommit() {}

  static final class TakenAsRollback extends StoreMutation {
    @Override
    @Nullable Object call(Store store, Call call) throws Throwable {
      try {
        return call.on(store);
      } catch (UnknownCommit e) {
        if (!call.is("commit")) {
          throw e;
        }
        Batch batch = (Batch) call.first();
        return batch.groups().stream().map(_ -> new GroupAnswer.Lost()).toList();
      }
    }
  }

  /** Made anew from what was to be written: the same changes as a new operation. */
  static final class ChangedBatch extends StoreMutation {
    private @Nullable Batch unknown;

    @Override
    @Nullable Object call(Store store, Call call) throws Throwable {
      if (!call.is("commit")) {
        return call.on(store);
      }
      Batch batch = (Batch) call.first();
      boolean again = batch.equals(unknown);
      unknown = batch;
      return store.commit(again ? anew(batch) : batch);
    }

    private static Batch anew(Batch batch) {
      return new Batch(
          batch.groups().stream()
              .map(it -> new Group(-it.op(), it.at(), it.head(), it.changes(), it.entries()))
              .toList());
    }
  }
}
