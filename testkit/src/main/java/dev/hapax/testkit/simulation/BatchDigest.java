package dev.hapax.testkit.simulation;

import dev.hapax.store.Batch;
import dev.hapax.store.Group;
import dev.hapax.store.Head;

/** A number for a batch in a trace: two runs of a seed must commit the same. */
final class BatchDigest {
  private BatchDigest() {}

  static long of(Batch batch) {
    long digest = 0;
    for (Group group : batch.groups()) {
      String entries = group.entries();
      digest = 31 * digest + group.op();
      digest = 31 * digest + group.at().toEpochMilli();
      digest = 31 * digest + (entries == null ? 0 : entries.hashCode());
      digest = 31 * digest + headDigest(group.head());
    }
    return digest;
  }

  private static long headDigest(Head head) {
    return switch (head) {
      case Head.Insert(var run, var owner) -> run.number() + (owner == null ? 0 : owner);
      case Head.Owned(long run, long owner, long seq) -> run + 31 * (owner + 31 * seq);
      case Head.Unowned(long run, long seq) -> run + 31 * seq;
      case Head.NotEnded(long run) -> run;
      case Head.Always() -> 1;
    };
  }
}
