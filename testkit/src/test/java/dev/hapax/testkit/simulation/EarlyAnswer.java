package dev.hapax.testkit.simulation;

import dev.hapax.run.journal.Answer;
import dev.hapax.run.journal.ClaimAnswer;
import dev.hapax.store.Batch;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.Head;
import dev.hapax.store.Store;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Acknowledges a batch that it writes only before the next one. */
class EarlyAnswer extends StoreMutation {
  private @Nullable Batch waiting;
  private @Nullable Store under;

  @Override
  @Nullable Object call(Store store, Call call) throws Throwable {
    if (!call.is("commit")) {
      return call.on(store);
    }
    if (!store.equals(under)) {
      waiting = null; // what the process before had not written is gone
      under = store;
    }
    write();
    Batch batch = (Batch) call.first();
    if (!batch.groups().stream().allMatch(group -> group.head() instanceof Head.Owned)
        || !isAnsweredEarly(batch)) {
      return call.on(store);
    }
    waiting = batch;
    return batch.groups().stream().map(EarlyAnswer::asAsked).toList();
  }

  boolean isAnsweredEarly(Batch batch) {
    return true;
  }

  final void write() {
    Batch late = waiting;
    Store store = under;
    waiting = null;
    if (late != null && store != null) {
      store.commit(late);
    }
  }

  private static GroupAnswer asAsked(Group group) {
    List<Answer> answers = new ArrayList<>();
    for (Change change : group.changes()) {
      if (change instanceof Change.Claim(var claim)) {
        answers.add(new ClaimAnswer.Granted(claim.number(), 1));
      } else if (change instanceof Change.Attempt(long effect, int revision, int _, boolean _)) {
        answers.add(new ClaimAnswer.Granted(effect, revision));
      }
    }
    return new GroupAnswer.Landed(answers, List.of());
  }
}
