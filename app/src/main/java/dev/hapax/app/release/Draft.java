package dev.hapax.app.release;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A flow file that is not released yet, and may be wrong.
 *
 * @param text YAML as it was put
 * @param author its writer
 * @param labels that the file gives the flow, none if it cannot be read; null if the draft was put
 *     before there were labels
 */
public record Draft(String text, String author, Instant updatedAt, @Nullable List<String> labels) {
  List<String> labelsOrNone() {
    return labels == null ? List.of() : labels;
  }
}
