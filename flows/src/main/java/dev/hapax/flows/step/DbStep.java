package dev.hapax.flows.step;

import dev.hapax.flow.DestinationDatabase;
import dev.hapax.flow.RunContext;
import dev.hapax.flow.SqlDatabase;
import dev.hapax.flow.TransactionEffect;
import dev.hapax.flow.Undo;
import dev.hapax.flows.connection.ConnectionKind;
import dev.hapax.flows.expression.Position;
import dev.hapax.flows.expression.Scope;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.expression.ValueTemplate;
import dev.hapax.flows.yaml.Fields;
import dev.hapax.flows.yaml.FileProblem;
import dev.hapax.flows.yaml.Shape;
import dev.hapax.flows.yaml.Types;
import dev.hapax.json.Json;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A statement in a user's database. */
record DbStep(Position position, String connection, String sql, ValueTemplate.Mapping params)
    implements SendingStep {
  static final StepForm FORM =
      StepForm.mapping(
              "db",
              "A statement in your own database.",
              DbStep::read,
              Shape.of("db", "db")
                  .must("connection", Types.CONNECTION, "The database.")
                  .must("sql", Types.TEXT, "One constant statement; values are bound by `:name`.")
                  .may("params", Types.MEMBERS, "The values of the parameters.")
                  .build())
          .orCompensation("A statement.");

  /** A draft assumes that a statement writes one row. */
  private static final Map<String, Object> WRITTEN = Map.of("rows", List.of(), "count", 1);

  private static DbStep read(StepSource source) {
    Fields db = source.fields();
    String sql = db.text("sql");
    if (Sql.isMany(sql)) {
      source.problem(
          FileProblem.TYPE,
          db.position("sql"),
          "sql: expected one statement, got several",
          "Make each statement its own step.");
    }
    return new DbStep(source.position(), db.text("connection"), sql, db.members("params"));
  }

  @Override
  public String word() {
    return FORM.word();
  }

  @Override
  public ConnectionKind connectionKind() {
    return ConnectionKind.DATABASE;
  }

  @Override
  public Stream<Template> templates() {
    return Templates.of(params);
  }

  @Override
  public boolean writes() {
    return !Sql.reads(sql);
  }

  @Override
  public boolean isTransactional() {
    return true;
  }

  @Override
  public String insteadOfKey() {
    return "Use transaction or upsert.";
  }

  @Override
  public String description() {
    return "%s: %s".formatted(connection, sql);
  }

  // ---- execution

  @Override
  public Object drafted(String key, Object request) {
    return WRITTEN;
  }

  @Override
  public @Nullable Object run(StepRun step) {
    EffectContract contract = step.step().effect();
    Map<String, @Nullable Object> values = Guarded.prepared(step, () -> values(step));
    if (contract == null || Guarded.isRead(contract)) {
      return step.run()
          .read(
              step.id(),
              step.read(connection),
              () -> step.isSampled() ? step.sample(null) : output(database(step).run(sql, values)),
              Object.class);
    }
    var request = new HashMap<String, @Nullable Object>();
    request.put("sql", sql);
    request.put("params", values);
    var guarded = new Guarded(step, contract);
    if (contract.guard().commitsMarker()) {
      return Guarded.prepared(step, () -> inTransaction(step, contract, guarded, request, values));
    }
    return Guarded.prepared(
        step, () -> guarded.send(this, request, (_, _) -> output(database(step).run(sql, values))));
  }

  private @Nullable Object inTransaction(
      StepRun step,
      EffectContract contract,
      Guarded guarded,
      Map<String, @Nullable Object> request,
      Map<String, @Nullable Object> values) {
    TransactionEffect<SqlDatabase.Session> effect =
        guarded
            .draft()
            .request(request)
            .transaction(new Late(step, this))
            .to(step.services().destination(connection))
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
            (_, session) -> output(session.run(sql, values)),
            Object.class);
  }

  /** Opened only when needed: a missing connection fails the attempt, not the run. */
  private record Late(StepRun step, DbStep db) implements DestinationDatabase<SqlDatabase.Session> {
    @Override
    public String once(String marker, Work<SqlDatabase.Session> work) throws Exception {
      if (!step.isDraft()) {
        return db.database(step).once(marker, work);
      }
      Object sample = step.sample(MadeUp.output(step, WRITTEN, marker));
      return sample == null ? "null" : Json.write(sample);
    }
  }

  private SqlDatabase database(StepRun step) {
    return step.services().database(connection, step.step().attemptTimeout());
  }

  @Override
  public RunContext.Action undoing(StepRun step, FlowStep.Compensate compensate) {
    return _ -> {
      var _ = database(step).run(sql, values(step));
    };
  }

  @Override
  public Undo undoingInTransaction(StepRun step) {
    return Undo.transaction(
        database(step),
        (_, session) -> {
          var _ = session.run(sql, values(step));
        });
  }

  private Map<String, @Nullable Object> values(StepRun step) {
    var values = new LinkedHashMap<String, @Nullable Object>();
    Scope scope = step.scope().asOneValue();
    params.members().forEach((name, value) -> values.put(name, value.value(scope)));
    return values;
  }

  private static Map<String, Object> output(SqlDatabase.Result result) {
    var output = new LinkedHashMap<String, Object>();
    output.put("rows", result.rows());
    output.put("count", result.count());
    return output;
  }
}
