package dev.hapax.flows.step;

import dev.hapax.flow.DestinationDatabase;
import dev.hapax.flow.SqlDatabase;
import dev.hapax.flow.TransactionEffect;
import dev.hapax.flow.Undo;
import dev.hapax.flows.file.EffectContract;
import dev.hapax.flows.file.EffectContract.GuardBlock;
import dev.hapax.flows.file.StepKind;
import dev.hapax.json.Json;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Runs a statement in a user's database. */
final class DbStep {
  private static final Map<String, Object> NOTHING = Map.of("rows", List.of(), "count", 0);

  private DbStep() {}

  static @Nullable Object run(StepRun step, StepKind.Db db) {
    EffectContract contract = step.step().effect();
    Map<String, @Nullable Object> params = Guarded.prepared(step, () -> params(step, db));
    if (contract == null || Guarded.isRead(contract)) {
      return step.run()
          .read(
              step.id(),
              step.read(db.connection()),
              () ->
                  step.isSampled()
                      ? step.sample(null)
                      : output(database(step, db).run(db.sql(), params)),
              Object.class);
    }
    var request = new HashMap<String, @Nullable Object>();
    request.put("sql", db.sql());
    request.put("params", params);
    var guarded = new Guarded(step, contract);
    if (contract.guard() instanceof GuardBlock.Transaction) {
      return Guarded.prepared(
          step, () -> inTransaction(step, db, contract, guarded, request, params));
    }
    return Guarded.prepared(
        step,
        () ->
            guarded.send(
                request,
                new Destination(step, db),
                (_, _) -> output(database(step, db).run(db.sql(), params))));
  }

  private static @Nullable Object inTransaction(
      StepRun step,
      StepKind.Db db,
      EffectContract contract,
      Guarded guarded,
      Map<String, @Nullable Object> request,
      Map<String, @Nullable Object> params) {
    TransactionEffect<SqlDatabase.Session> effect =
        guarded
            .draft()
            .request(request)
            .transaction(new Late(step, db))
            .to(step.services().destination(db.connection()))
            .retry(step.step().retryPolicy())
            .timeout(step.step().attemptTimeout());
    TransactionEffect<SqlDatabase.Session> named =
        contract.name() == null ? effect : effect.name(contract.name());
    TransactionEffect<SqlDatabase.Session> told =
        contract.externalId() == null
            ? named
            : named.externalId(Object.class, guarded.externalId());
    Function<Object, Undo> undo = guarded.undo();
    return step.run()
        .effect(
            step.id(),
            undo == null ? told : told.compensate(Object.class, undo),
            (_, session) -> output(session.run(db.sql(), params)),
            Object.class);
  }

  /** Opened only when needed: a missing connection fails the attempt, not the run. */
  private record Late(StepRun step, StepKind.Db db)
      implements DestinationDatabase<SqlDatabase.Session> {
    @Override
    public String once(String marker, Work<SqlDatabase.Session> work) throws Exception {
      if (!step.isDraft()) {
        return database(step, db).once(marker, work);
      }
      Object sample = step.sample(NOTHING);
      return sample == null ? "null" : Json.write(sample);
    }
  }

  static SqlDatabase database(StepRun step, StepKind.Db db) {
    return step.services().database(db.connection(), step.step().attemptTimeout());
  }

  /** Runs one statement outside of the step's own effect, for its compensation. */
  static void write(StepRun step, StepKind.Db db) throws Exception {
    var _ = database(step, db).run(db.sql(), params(step, db));
  }

  static Map<String, @Nullable Object> params(StepRun step, StepKind.Db db) {
    var params = new LinkedHashMap<String, @Nullable Object>();
    db.params().members().forEach((name, value) -> params.put(name, value.value(step.scope())));
    return params;
  }

  private static Map<String, Object> output(SqlDatabase.Result result) {
    var output = new LinkedHashMap<String, Object>();
    output.put("rows", result.rows());
    output.put("count", result.count());
    return output;
  }

  private record Destination(StepRun step, StepKind.Db db) implements Guarded.Destination {
    @Override
    public String connection() {
      return db.connection();
    }

    @Override
    public Object drafted(String key) {
      return NOTHING;
    }

    @Override
    public Duration window() {
      throw new IllegalStateException("check lets no db step through that is keyed");
    }

    @Override
    public Optional<?> find(GuardBlock.Lookup lookup) throws Exception {
      return new HttpStep(step, lookup.http(), null).find(lookup);
    }
  }
}
