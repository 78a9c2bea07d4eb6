package dev.hapax;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.hapax.flow.RunId;
import dev.hapax.run.ErasureRecord;
import dev.hapax.subject.ErasureTurn;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A request to erase what is stored about a person.
 *
 * @param subject the hash of the person's id; the id itself is not stored
 * @param endedAt when nothing was left to erase; null while something is
 * @param runs how many runs were erased, once it has ended
 * @param run the id of the run that carries it out
 */
public record SubjectErasure(
    String id,
    String subject,
    Instant at,
    String actor,
    String reason,
    boolean externalIds,
    @Nullable Instant endedAt,
    long runs,
    String run) {

  static SubjectErasure of(ErasureRecord record) {
    return new SubjectErasure(
        record.id(),
        record.subject().hex(),
        record.at(),
        record.actor(),
        record.reason(),
        record.externalIds(),
        record.endedAt(),
        record.runs(),
        RunId.of(record.tenant(), ErasureTurn.FLOW, record.id(), null).toString());
  }

  /** Returns whether nothing is left to erase. */
  @JsonIgnore // endedAt says it
  public boolean isDone() {
    return endedAt != null;
  }
}
