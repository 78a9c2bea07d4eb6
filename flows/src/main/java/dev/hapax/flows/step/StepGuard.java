package dev.hapax.flows.step;

import dev.hapax.flow.Effect;
import dev.hapax.flow.RunContext;
import dev.hapax.flow.Undo;
import dev.hapax.flows.expression.Position;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.expression.ValueTemplate;
import java.time.Duration;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The guard that makes it safe to repeat an effect, as a flow file declares it. A guard is one
 * file: its record, its form in flow files, its reader, and how it protects an effect and a
 * compensation. The rules of check ask the methods below; {@link GuardKinds} lists all guards.
 */
public interface StepGuard {
  /** The guard's word in the file. */
  String word();

  Position position();

  /** Puts the effect of a step under this guard. */
  <R> Effect<R> protect(Effect.Draft<R> draft, SendingStep kind, StepRun step);

  /** Puts a compensation under this guard. */
  Undo protect(RunContext.Action action, SendingStep kind, StepRun step);

  /**
   * A read that says whether the effect happened.
   *
   * @param found null if the file gives none, which check refuses
   * @param settle null if the file gives none
   */
  record Lookup(
      Position position,
      HttpTemplate http,
      @Nullable Template found,
      @Nullable ValueTemplate output,
      @Nullable Duration settle) {
    private static final Duration USUAL_SETTLE = Duration.ofSeconds(10);

    /** How long "not found" proves nothing after the end of an attempt. */
    Duration settleTime() {
      return settle == null ? USUAL_SETTLE : settle;
    }

    Stream<Template> templates() {
      return Stream.concat(http.templates(), Templates.of(found, output));
    }
  }

  /** Returns null if no read settles a doubt. */
  default @Nullable Lookup lookup() {
    return null;
  }

  // ---- for the kinds of steps

  /** Whether the effect's key is sent to the destination. */
  default boolean sendsKey() {
    return false;
  }

  /** The header that carries the key; null: as the connection says. */
  default @Nullable String keyHeader() {
    return null;
  }

  /** Whether a marker commits in the transaction of the write. */
  default boolean commitsMarker() {
    return false;
  }

  // ---- for people

  /** Says what becomes of a doubt, to follow "in doubt it is" in a sentence. */
  String inDoubt();

  // ---- for the rules of check

  /** Why a guard cannot protect a kind of step, and what to do. */
  record Misfit(String message, String fix) {}

  /** Returns null if the guard fits the kind. */
  default @Nullable Misfit misfit(SendingStep kind) {
    return null;
  }

  /** How long the destination remembers the key; null if it need not remember any. */
  default @Nullable Duration remembersFor() {
    return null;
  }

  /**
   * As above, on a connection that says this about its keys.
   *
   * @param ofConnection how long the connection's destination remembers a key
   */
  default @Nullable Duration remembersFor(Duration ofConnection) {
    return null;
  }

  /** Whether it relies on an operation that has the same result if it is repeated. */
  default boolean letsOperationRepeat() {
    return false;
  }

  /** Whether a duplicate is removed or noticed. */
  default boolean removesDuplicates() {
    return true;
  }

  /** Whether each doubt waits for a person. */
  default boolean stopsOnDoubt() {
    return false;
  }
}
