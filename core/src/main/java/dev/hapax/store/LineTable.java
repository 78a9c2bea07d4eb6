package dev.hapax.store;

import dev.hapax.flow.Hold;
import dev.hapax.flow.Run;
import dev.hapax.flow.Subject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows of lines as one store keeps them, for {@link LineRule}. Called inside the transaction.
 *
 * @param <E> the exception of this store
 */
public interface LineTable<E extends Exception> {

  /** The state at the front of the line; a line without holders has a limit of 0. */
  Front front(Subject subject) throws E;

  /** The present holders; all holders of a line have the same limit and release. */
  record Front(int holders, int limit, int release, boolean someWait) {}

  /** The smallest number from 1 on that no holder has. */
  int freeSlot(Subject subject) throws E;

  List<Hold> holders(Subject subject) throws E;

  /** The run that has waited longest. */
  @Nullable Hold firstWaiting(Subject subject) throws E;

  /** The waiting run that came last. */
  @Nullable Hold lastWaiting(Subject subject) throws E;

  /** Holders and waiters without a cancel request, in order of arrival. */
  List<Hold> alive(Subject subject) throws E;

  /** Everything that the run holds or waits for. */
  List<Hold> of(long run) throws E;

  /** The runs that wait for the end of this one. */
  List<Long> waiters(long run) throws E;

  void add(Hold hold) throws E;

  void remove(Hold hold) throws E;

  /** Sets the limit of a newer release, which applies to the whole line from now on. */
  void limit(Subject subject, int limit, int release) throws E;

  /** Larger than every earlier fence. */
  long nextFence() throws E;

  /** The public id of a run. */
  String id(long run) throws E;

  /** The run gets its slot or lock and goes on. */
  void letIn(Hold hold) throws E;

  void askToCancel(long run, Run.Cancel wish) throws E;
}
