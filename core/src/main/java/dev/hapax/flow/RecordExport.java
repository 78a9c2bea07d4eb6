package dev.hapax.flow;

import java.io.IOException;
import java.time.Instant;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Receives the records that are about to be deleted. Nothing is deleted before {@link #sync} has
 * returned; a record may be given more than once, and never less than once. Used by one thread at a
 * time.
 */
public interface RecordExport extends AutoCloseable {
  /** Where the records go, for people. */
  String place();

  /** Begins with records that are deleted at this time. */
  void begin(Instant now);

  /**
   * Takes a run.
   *
   * @param history calls back with every entry, in order
   */
  void run(Run run, Consumer<Consumer<HistoryEntry>> history) throws IOException;

  /**
   * Takes an effect.
   *
   * @param run the id of its last run; null if the record of that is gone
   */
  void effect(EffectRecord effect, @Nullable String run) throws IOException;

  void event(InboxEvent event) throws IOException;

  /**
   * Makes durable what was given since {@link #begin}.
   *
   * @throws IOException if something of it may not be durable; then nothing of it is deleted
   */
  void sync() throws IOException;

  /** Forgets what was given since {@link #begin}, because it is not deleted now. */
  void abandon();

  @Override
  void close();
}
