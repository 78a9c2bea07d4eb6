package dev.hapax.flows.explain;

import dev.hapax.flow.Flow;
import dev.hapax.flows.expression.Durations;
import dev.hapax.flows.file.FlowFile;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one run is about, and what a second start means.
 *
 * @param key as in the file; null if the file gives none
 */
public record StartAnswers(
    String unitOfWork,
    @Nullable String key,
    String sameInput,
    String otherInput,
    String afterRetention) {

  static StartAnswers of(FlowFile file) {
    String key = file.key() == null ? null : file.key().source();
    return new StartAnswers(
        unitOfWork(file), key, sameInput(file), otherInput(file), afterRetention(file));
  }

  private static String unitOfWork(FlowFile file) {
    if (file.key() != null) {
      return file.isKeyedByFingerprint()
          ? "one run per input: the key is the hash of the canonical input"
          : "one run per %s".formatted(file.key().source());
    }
    return file.triggers().isEmpty()
        ? "each start is a run, unless the caller sends an Idempotency-Key"
        : "one run per event of a trigger; each other start is a run, unless the caller sends an Idempotency-Key";
  }

  private static String sameInput(FlowFile file) {
    return file.isKeyedByFingerprint()
        ? "a second start with the same input gets the first run and its result"
        : "a second start with the same key and input gets the first run and its result";
  }

  private static String otherInput(FlowFile file) {
    if (file.isKeyedByFingerprint()) {
      return "another input has another key, so it is another run";
    }
    return switch (file.conflict()) {
      case REJECT ->
          "a second start with the same key and another input is refused (409 key-reused)";
      case RETURN ->
          "a second start with the same key and another input gets the first run; its own input is ignored";
      case NEW -> "a second start with the same key and another input is another run";
    };
  }

  private static String afterRetention(FlowFile file) {
    String kept = Durations.text(file.retention());
    return file.afterRetention() == Flow.AfterRetention.NEW
        ? "%s after its end a run is forgotten, and the key starts a new run that does everything again"
            .formatted(kept)
        : "%s after its end a run is forgotten, and the key is refused (410 key-expired)"
            .formatted(kept);
  }

  Map<String, @Nullable Object> json() {
    var fields = new LinkedHashMap<String, @Nullable Object>();
    fields.put("unitOfWork", unitOfWork);
    fields.put("key", key);
    fields.put("sameInput", sameInput);
    fields.put("otherInput", otherInput);
    fields.put("afterRetention", afterRetention);
    return fields;
  }
}
