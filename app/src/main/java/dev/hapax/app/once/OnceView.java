package dev.hapax.app.once;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonRawValue;
import dev.hapax.app.wire.ErrorView;
import org.jspecify.annotations.Nullable;

/**
 * The answer to an effect without a flow.
 *
 * @param run the id of its run
 * @param state the status of the run: {@code succeeded}, {@code failed}, {@code review}, …
 * @param output what the destination answered; null until the run succeeded
 * @param error why it failed; absent if it did not
 * @param effect as the ledger holds it; absent if it has no row
 */
public record OnceView(
    String run,
    String state,
    @Nullable @JsonRawValue String output,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable ErrorView error,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable OnceEffect effect) {

  /**
   * The row of the ledger.
   *
   * @param state {@code pending}, {@code done}, {@code doubt}, {@code review}, {@code failed}, …
   */
  public record OnceEffect(
      String id,
      String name,
      String key,
      String state,
      int attempts,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String externalId) {}
}
