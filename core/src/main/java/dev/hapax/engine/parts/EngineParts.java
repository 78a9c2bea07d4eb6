package dev.hapax.engine.parts;

import dev.hapax.effect.EffectLedger;
import dev.hapax.effect.Failovers;
import dev.hapax.engine.replay.Journals;
import dev.hapax.engine.start.RunStarts;
import dev.hapax.engine.writing.DelayedFlush;
import dev.hapax.engine.writing.Endings;
import dev.hapax.engine.writing.RunWriter;
import dev.hapax.flow.Interceptor;
import dev.hapax.limit.ValueMemory;
import dev.hapax.resource.LargeValues;
import dev.hapax.store.Committer;
import dev.hapax.store.Store;
import dev.hapax.time.Clock;
import dev.hapax.time.IdSource;
import dev.hapax.time.RandomSource;
import dev.hapax.time.Threads;
import java.util.function.LongConsumer;

/** What the engine gives each run that it executes. */
public record EngineParts(
    Store store,
    Committer committer,
    EffectLedger ledger,
    Failovers failovers,
    LargeValues values,
    Interceptor interceptor,
    Timer timer,
    DelayedFlush delayedFlush,
    Endings endings,
    Clock clock,
    IdSource ids,
    RandomSource random,
    Threads threads,
    Tokens tokens,
    Pauses draining,
    RunStarts starts,
    LongConsumer hearCancel,
    Alerts alerts,
    Journals journals,
    ValueMemory memory,
    ThreadGuard guard,
    long owner) {
  public RunWriter.Ports writing() {
    return new RunWriter.Ports(committer, clock, ids, owner);
  }
}
