package dev.hapax.engine;

import dev.hapax.effect.EffectLedger;
import dev.hapax.effect.Failovers;
import dev.hapax.flow.Interceptor;
import dev.hapax.resource.LargeValues;
import dev.hapax.store.Committer;
import dev.hapax.store.Store;
import dev.hapax.time.Clock;
import dev.hapax.time.IdSource;
import dev.hapax.time.RandomSource;
import dev.hapax.time.Threads;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/** What the engine gives each run that it executes. */
record EngineParts(
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
    BooleanSupplier draining,
    ChildRuns children,
    LongConsumer hearCancel,
    Alerts alerts,
    Journals journals,
    ThreadGuard guard,
    long owner) {}
