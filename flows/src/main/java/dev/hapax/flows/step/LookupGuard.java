package dev.hapax.flows.step;

import dev.hapax.flow.Effect;
import dev.hapax.flow.RunContext;
import dev.hapax.flow.Undo;
import dev.hapax.flows.expression.Durations;
import dev.hapax.flows.expression.Position;
import dev.hapax.flows.yaml.Fields;
import dev.hapax.flows.yaml.Place;
import dev.hapax.flows.yaml.Shape;
import dev.hapax.flows.yaml.Type;
import dev.hapax.flows.yaml.Types;
import java.util.Optional;

/** A read says whether the effect happened. */
record LookupGuard(Lookup lookup) implements StepGuard {

  static final GuardForm FORM =
      new GuardForm(
          "lookup",
          "A read shows whether the effect happened.",
          (position, fields) -> new LookupGuard(readLookup(position, fields)),
          Shape.of("lookup", "guard lookup")
              .must(
                  HttpTemplate.WORD,
                  new Type.Of(HttpTemplate.LOOKING),
                  "The request that reads; `effect.key` is the effect's key.")
              .may(
                  "found",
                  new Type.Condition(Place.LOOKUP),
                  "True if the answer shows that the effect happened.")
              .may(
                  "output", new Type.Value(Place.LOOKUP), "Becomes the body of the adopted output.")
              .may(
                  "settle", Types.TIME, "How long to wait until \"not found\" counts; default 10s.")
              .build());

  static Lookup readLookup(Position position, Fields lookup) {
    return new Lookup(
        position,
        HttpTemplate.read(position, lookup.fieldsOf(HttpTemplate.WORD)),
        lookup.templateOrNull("found"),
        lookup.valueOrNull("output"),
        lookup.time("settle"));
  }

  @Override
  public String word() {
    return FORM.word();
  }

  @Override
  public String inDoubt() {
    return inDoubt(lookup);
  }

  static String inDoubt(Lookup lookup) {
    return "looked up: if it is found, it is done; if it is not found after the timeout and %s more, it is sent again"
        .formatted(Durations.text(lookup.settleTime()));
  }

  @Override
  public Position position() {
    return lookup.position();
  }

  @Override
  public <R> Effect<R> protect(Effect.Draft<R> draft, SendingStep kind, StepRun step) {
    return draft.lookup(_ -> find(lookup, step), lookup.settleTime());
  }

  @Override
  public Undo protect(RunContext.Action action, SendingStep kind, StepRun step) {
    return Undo.lookup(_ -> HttpSending.find(step, lookup), lookup.settleTime(), action);
  }

  /** In a draft, finds nothing, so that the draft shows what would be sent. */
  static Optional<?> find(Lookup lookup, StepRun step) throws Exception {
    return step.isDraft() ? Optional.empty() : HttpSending.find(step, lookup);
  }
}
