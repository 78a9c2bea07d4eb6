package dev.hapax.flows.step;

import org.jspecify.annotations.Nullable;

/** User code that a {@code call} step calls, registered under a name. Called by many threads. */
@FunctionalInterface
public interface Handler {
  /**
   * Does the work. As an effect it throws {@code NotApplied} or {@code Rejected} if it knows that
   * nothing happened; with {@code pure: true} it changes nothing outside.
   *
   * @param input maps, lists and scalars, as the file says
   * @param key the key to send along; empty for a pure handler
   * @return anything that has a JSON form
   */
  @Nullable Object handle(@Nullable Object input, String key) throws Exception;
}
