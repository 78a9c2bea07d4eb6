package dev.hapax.app.alert;

import dev.hapax.Hapax;
import dev.hapax.flow.Alert;
import dev.hapax.flow.Message;
import dev.hapax.flows.alert.AlertDesk;
import dev.hapax.time.Clock;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Watches whether records can be exported before they are deleted. If they cannot, nothing is
 * deleted and the store grows, so people hear of it as of a disk that is almost full: once, until
 * exports work again. Used by one thread.
 */
public final class ExportWatch {
  private final Hapax operator;
  private final Supplier<@Nullable String> problem;
  private final Clock clock;
  private boolean isTold;

  /**
   * Watches exports.
   *
   * @param operator the engine, for the tenant that gets the alert
   * @param problem why nothing can be exported; null if all is well
   */
  public ExportWatch(Hapax operator, Supplier<@Nullable String> problem, Clock clock) {
    this.operator = operator;
    this.problem = problem;
    this.clock = clock;
  }

  /** Looks once. A look that cannot write its alert is repeated at the next one. */
  public void look() {
    String note = problem.get();
    if (note != null && !isTold) {
      var _ =
          operator
              .outbox()
              .publish(
                  "exports/" + clock.now(),
                  Message.to(AlertDesk.DESTINATION)
                      .type(Alert.DISK_LOW.type())
                      .data(Map.of("alert", Alert.DISK_LOW.word(), "note", note)));
    }
    isTold = note != null;
  }
}
