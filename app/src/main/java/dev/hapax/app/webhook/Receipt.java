package dev.hapax.app.webhook;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.hapax.Acknowledgement;
import org.jspecify.annotations.Nullable;

/**
 * The result of a delivery.
 *
 * @param run that it started, or that existed already
 */
record Receipt(
    @Nullable String run,
    String outcome,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String detail) {
  static Receipt of(Acknowledgement acknowledged) {
    return new Receipt(acknowledged.run(), acknowledged.outcome().word(), acknowledged.detail());
  }
}
