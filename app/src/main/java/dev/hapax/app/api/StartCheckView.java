package dev.hapax.app.api;

import dev.hapax.StartOutlook;
import dev.hapax.flow.Flow;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a start would get now.
 *
 * @param outcome new, duplicate, key-reused or key-expired
 * @param key null if each start is a run of its own
 * @param run that the start would begin or get; null without a key
 * @param difference from the input of that run, if the key belongs to it with another input
 */
record StartCheckView(
    String flow,
    int release,
    String outcome,
    @Nullable String key,
    @Nullable String run,
    @Nullable String difference) {

  static StartCheckView of(Flow<?, ?> flow, StartOutlook outlook) {
    return new StartCheckView(
        flow.name(),
        flow.release(),
        outlook.result().name().toLowerCase(Locale.ROOT).replace('_', '-'),
        outlook.key(),
        outlook.run(),
        outlook.difference());
  }
}
