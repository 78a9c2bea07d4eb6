package dev.hapax.testkit.simulation;

import dev.hapax.store.Batch;
import dev.hapax.store.Change;

/** Sends first, and writes down afterwards that it was about to. */
final class LateIntent extends EarlyAnswer {
  @Override
  boolean isAnsweredEarly(Batch batch) {
    return batch.groups().stream()
        .flatMap(group -> group.changes().stream())
        .anyMatch(change -> change instanceof Change.Claim || change instanceof Change.Attempt);
  }

  @Override
  public String send(Sender sender) throws Exception {
    try {
      return sender.send();
    } finally {
      write();
    }
  }
}
