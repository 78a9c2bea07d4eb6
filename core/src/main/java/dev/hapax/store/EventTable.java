package dev.hapax.store;

import dev.hapax.flow.Fingerprint;
import dev.hapax.flow.InboxEvent;
import dev.hapax.flow.ObjectVersion;
import org.jspecify.annotations.Nullable;

/**
 * The rows of received events as one store keeps them, for {@link ReceiveRule}. Called inside the
 * transaction.
 *
 * @param <E> the exception of this store
 */
public interface EventTable<E extends Exception> {

  /** The row of the same event of the same source; locked until the transaction ends. */
  @Nullable InboxEvent find(InboxEvent event) throws E;

  /** Counts that the event came again; once for an operation that is submitted again. */
  void countRedelivery(InboxEvent first, long op) throws E;

  /**
   * The newest version of the event's object; null if the event has no object, or a new one. No
   * other transaction decides about the object until this one ends, also if the object is new.
   */
  @Nullable Newest newest(InboxEvent event) throws E;

  /**
   * The newest known version of an object, and the run that it started. Stores of older versions
   * remember no content with it: it is that of the run.
   */
  record Newest(ObjectVersion version, @Nullable String run) {}

  /** An earlier event that brought the same content under the same version of the object. */
  @Nullable InboxEvent seen(InboxEvent event, Fingerprint content) throws E;

  /**
   * Writes the event.
   *
   * @param content to be found by {@link #seen} as long as the event is kept; null if it was not
   *     taken
   */
  void put(InboxEvent event, @Nullable Fingerprint content, long op) throws E;

  /** Makes the event's version the newest of its object. */
  void putNewest(InboxEvent event) throws E;
}
