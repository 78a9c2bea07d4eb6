package dev.hapax.flows.step;

import dev.hapax.flow.Effect;
import dev.hapax.flow.RunContext;
import dev.hapax.flow.Undo;
import dev.hapax.flows.connection.Idempotency;
import dev.hapax.flows.expression.Durations;
import dev.hapax.flows.expression.Position;
import dev.hapax.flows.yaml.Fields;
import dev.hapax.flows.yaml.Shape;
import dev.hapax.flows.yaml.Type;
import dev.hapax.flows.yaml.Types;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The destination removes duplicates by our key.
 *
 * @param keyHeader that carries it; null: as the connection says
 * @param window how long it is remembered there; null: as the connection says
 * @param lookup used when the key does not settle a doubt; null if a person has to
 */
record KeyedGuard(
    Position position,
    @Nullable String keyHeader,
    @Nullable Duration window,
    StepGuard.@Nullable Lookup lookup)
    implements StepGuard {
  private static final Duration USUAL_WINDOW = Duration.ofHours(24);

  static final GuardForm FORM =
      new GuardForm(
          "keyed",
          "The destination removes duplicates by our key.",
          KeyedGuard::read,
          Shape.of("keyed", "guard keyed")
              .may(
                  "header",
                  Types.TEXT,
                  "The header that carries the key; default `Idempotency-Key`.")
              .may("window", Types.TIME, "How long the destination remembers the key; default 24h.")
              .may(
                  LookupGuard.FORM.word(),
                  new Type.Of(LookupGuard.FORM.shape().name()),
                  "Settles doubts that the key cannot settle.")
              .build());

  private static KeyedGuard read(Position position, Fields keyed) {
    String lookup = LookupGuard.FORM.word();
    return new KeyedGuard(
        position,
        keyed.textOrNull("header"),
        keyed.time("window"),
        keyed.has(lookup)
            ? LookupGuard.readLookup(keyed.position(lookup), keyed.fieldsOf(lookup))
            : null);
  }

  @Override
  public String word() {
    return FORM.word();
  }

  @Override
  public String inDoubt() {
    String inside =
        "sent again with the same key for %s after the first attempt"
            .formatted(Durations.text(remembersFor()));
    return lookup == null
        ? inside + "; after that a person decides"
        : inside + "; after that " + LookupGuard.inDoubt(lookup);
  }

  @Override
  public <R> Effect<R> protect(Effect.Draft<R> draft, SendingStep kind, StepRun step) {
    Duration remembered = window == null ? kind.keyWindow(step) : window;
    return lookup == null
        ? draft.keyed(remembered)
        : draft.keyed(remembered, _ -> LookupGuard.find(lookup, step), lookup.settleTime());
  }

  @Override
  public Undo protect(RunContext.Action action, SendingStep kind, StepRun step) {
    Duration remembered = window == null ? Idempotency.USUAL.window() : window;
    return lookup == null
        ? Undo.keyed(remembered, action)
        : Undo.keyed(remembered, _ -> HttpSending.find(step, lookup), action);
  }

  @Override
  public boolean sendsKey() {
    return true;
  }

  @Override
  public Duration remembersFor() {
    return window == null ? USUAL_WINDOW : window;
  }

  @Override
  public Duration remembersFor(Duration ofConnection) {
    return window == null ? ofConnection : window;
  }

  @Override
  public @Nullable Misfit misfit(SendingStep kind) {
    String instead = kind.insteadOfKey();
    return instead == null
        ? null
        : new Misfit(
            "guard keyed does not fit %s: such a destination does not remove duplicates by a key"
                .formatted(kind.word()),
            instead);
  }
}
