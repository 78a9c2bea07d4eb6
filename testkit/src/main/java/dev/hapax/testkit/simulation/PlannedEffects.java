package dev.hapax.testkit.simulation;

import dev.hapax.flow.Effect;
import dev.hapax.flow.Kind;
import dev.hapax.flow.OnRework;
import dev.hapax.flow.RunContext;
import dev.hapax.flow.TransactionEffect;
import dev.hapax.flow.Undo;
import org.jspecify.annotations.Nullable;

/** How planned steps change the world, each by its destination's contract, and are undone. */
final class PlannedEffects {
  private static final String NO_RESULT = "null";

  private final UnreliableWorld world;
  private final Mutation mutation;
  private final boolean someAreUndone;
  private final boolean someReturnNothing;

  /** Some say how they are undone, or none does. */
  PlannedEffects(UnreliableWorld world, Mutation mutation, boolean someAreUndone) {
    this(world, mutation, someAreUndone, false);
  }

  /** Some return nothing, or none does: the plan of a replay goes on behind such a one. */
  PlannedEffects(
      UnreliableWorld world, Mutation mutation, boolean someAreUndone, boolean someReturnNothing) {
    this.world = world;
    this.mutation = mutation;
    this.someAreUndone = someAreUndone;
    this.someReturnNothing = someReturnNothing;
  }

  @Nullable String send(RunContext run, Plan.PlannedStep step, String businessKey) {
    SimulatedDestination truth = SimulatedDestination.named(step.destination());
    SimulatedDestination declared = mutation.declared(truth);
    boolean isUndone = someAreUndone && step.seconds() % 4 != 0;
    Undo undo = isUndone ? undo(truth.undo(), run.id(), businessKey) : null;
    if (truth.guard() == SimulatedDestination.Guarded.TRANSACTION) {
      TransactionEffect<String> effect =
          draft(declared, step, businessKey)
              .transaction(world.database(truth, run.id(), businessKey))
              .name(truth.name())
              .retry(declared.retry())
              .timeout(declared.timeout());
      String content = step.content();
      return run.effect(
          step.name(),
          undo == null ? effect : effect.compensate(Object.class, _ -> told(undo)),
          (key, _) -> content + "-" + key,
          String.class);
    }
    Effect<String> effect =
        guarded(draft(declared, step, businessKey, isUndone), declared, truth)
            .name(truth.name())
            .retry(declared.retry())
            .timeout(declared.timeout());
    if (someReturnNothing && step.version() >= 2 && !truth.looksUp()) {
      run.effect(
          step.name(),
          undo == null ? effect : effect.compensate(Object.class, _ -> told(undo)),
          (String key, String request) -> {
            String wireKey = mutation.wireKey(key, run.id());
            var order = new WorldRequest.Order(run.id(), businessKey, wireKey, request, NO_RESULT);
            mutation.send(() -> world.send(truth, order));
          });
      return null;
    }
    return run.effect(
        step.name(),
        undo == null ? effect : effect.compensate(Object.class, _ -> told(undo)),
        (String key, String request) -> {
          String wireKey = mutation.wireKey(key, run.id());
          var order = new WorldRequest.Order(run.id(), businessKey, wireKey, request, null);
          return UnreliableWorld.unquoted(mutation.send(() -> world.send(truth, order)));
        },
        String.class);
  }

  /** Code of the flow says how to undo an effect, and may ask the store before it does. */
  private Undo told(Undo undo) {
    world.askStore();
    return undo;
  }

  /** Half of the rounds of a rework send other content; each step has its rule for that. */
  private static Effect.Draft<String> draft(
      SimulatedDestination to, Plan.PlannedStep step, String key, boolean isUndone) {
    Effect.Draft<String> draft = draft(to, step, key).request(step.content());
    if (to.kind() != Kind.CREATE && to.kind() != Kind.NOTIFY) {
      return draft;
    }
    return draft.onRework(
        switch (step.seconds() % 3) {
          case 0 -> OnRework.REUSE;
          case 1 -> OnRework.REVIEW;
          default -> isUndone ? OnRework.REVISE : OnRework.REVIEW;
        });
  }

  private static Effect.Draft<Void> draft(
      SimulatedDestination to, Plan.PlannedStep step, String key) {
    return switch (to.kind()) {
      case CREATE -> Effect.create(key);
      case NOTIFY -> Effect.notify(key);
      case ADDITIVE -> Effect.additive(key);
      case UPDATE ->
          step.version() == 0 ? Effect.update(key) : Effect.update(key).version(step.version());
    };
  }

  private Effect<String> guarded(
      Effect.Draft<String> draft, SimulatedDestination declared, SimulatedDestination truth) {
    Effect.LookupBy lookup = key -> world.lookUp(truth, key);
    return switch (declared.guard()) {
      case KEYED ->
          declared.looksUp()
              ? draft.keyed(declared.window(), lookup)
              : draft.keyed(declared.window());
      case UPSERT -> draft.upsert();
      case LOOKUP -> draft.lookup(lookup, declared.settle());
      case NONE -> draft.unguarded(declared.onDoubt());
      case TRANSACTION -> throw new IllegalStateException("has a sender of its own");
    };
  }

  private Undo undo(SimulatedDestination truth, String run, String businessKey) {
    SimulatedDestination declared = mutation.declared(truth);
    Effect.LookupBy lookup = key -> world.lookUp(truth, key);
    RunContext.Action action =
        key -> {
          String wireKey = mutation.wireKey(key, run);
          var order = new WorldRequest.Order(run, businessKey, wireKey, null, NO_RESULT);
          mutation.send(() -> world.send(truth, order));
        };
    Undo undo =
        switch (declared.guard()) {
          case KEYED ->
              declared.looksUp()
                  ? Undo.keyed(declared.window(), lookup, action)
                  : Undo.keyed(declared.window(), action);
          case UPSERT -> Undo.upsert(action);
          case LOOKUP -> Undo.lookup(lookup, declared.settle(), action);
          case NONE -> Undo.unguarded(declared.onDoubt(), action);
          case TRANSACTION ->
              Undo.transaction(world.database(truth, run, businessKey), (_, _) -> {});
        };
    return undo.retry(declared.retry()).timeout(declared.timeout());
  }
}
