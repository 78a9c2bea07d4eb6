package dev.hapax;

import dev.hapax.flow.HistoryEntry;
import dev.hapax.flow.Resource;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What an export or an erasure of a person needs of the tenant's engine.
 *
 * @param refuseInPart refuses what concerns other tenants, unless the caller sees all of them
 * @param catchUpSearch indexes runs that search does not know yet
 * @param history the history of a run, to be read entry by entry
 * @param resource a large value by its reference
 */
record SubjectAccess(
    Consumer<String> refuseInPart,
    Runnable catchUpSearch,
    Function<String, Iterable<HistoryEntry>> history,
    Function<String, @Nullable Resource> resource) {}
