package dev.hapax.export;

import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.HistoryEntry;
import dev.hapax.flow.InboxEvent;
import dev.hapax.flow.Run;
import org.jspecify.annotations.Nullable;

/** Decides how records are written as JSON. The server writes them as its API shows them. */
public interface ExportForm {
  /** The components of the records of Java, under their names. */
  ExportForm PLAIN = new PlainForm();

  Object run(Run run);

  Object entry(HistoryEntry entry);

  /**
   * An effect.
   *
   * @param run the id of its last run; null if the record of that is gone
   */
  Object effect(EffectRecord effect, @Nullable String run);

  Object event(InboxEvent event);
}
