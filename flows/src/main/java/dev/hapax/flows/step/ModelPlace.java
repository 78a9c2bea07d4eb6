package dev.hapax.flows.step;

import dev.hapax.flows.connection.Connection;
import dev.hapax.flows.connection.ModelDialect;
import org.jspecify.annotations.Nullable;

/**
 * Where a run asks, as it found it when it got there.
 *
 * @param lengthField the member of a request that limits the answer
 * @param period in which other runs find the same answer; null if they find none
 */
record ModelPlace(ModelDialect dialect, String url, String lengthField, @Nullable Long period) {
  /** Nobody is asked. */
  static final ModelPlace NONE =
      new ModelPlace(ModelDialect.OPENAI, "", Connection.Model.MAX_TOKENS, null);

  static ModelPlace of(Connection.Model model, @Nullable Long period) {
    return new ModelPlace(
        model.dialect(), model.base() + model.dialect().path(), model.lengthField(), period);
  }
}
