package dev.hapax.app.mcp.tool;

import dev.hapax.app.http.Call;
import dev.hapax.app.http.Problem;
import java.util.Map;

/**
 * Work that goes on after the answer of a call, as the protocol's extension for tasks has it. All
 * methods throw a {@link Problem} if nothing can be said now, for example because the store is
 * away.
 */
public interface Tasks {
  /** Whether this caller may ask about tasks; otherwise the plain result says what to do. */
  boolean mayAsk(Call call);

  /** Returns the result that hands out this task. */
  Map<String, Object> created(Call call, String task) throws InterruptedException;

  /**
   * Returns the state of a task, its result if it has ended, and what it needs from a person.
   *
   * @param opensPages whether the client can ask its user to open a page
   * @throws IllegalArgumentException if this caller has no such task
   */
  Map<String, Object> get(Call call, String task, boolean opensPages) throws InterruptedException;

  /**
   * Takes the client's answers to what a task has asked for.
   *
   * @throws IllegalArgumentException if this caller has no such task
   */
  void update(Call call, String task) throws InterruptedException;

  /**
   * Asks a task to end early.
   *
   * @throws IllegalArgumentException if this caller has no such task, or may not do so
   */
  void cancel(Call call, String task) throws InterruptedException;
}
