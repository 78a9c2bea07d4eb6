package dev.hapax.flows.file;

import dev.hapax.flow.Approval;
import dev.hapax.flow.OnDoubt;
import dev.hapax.flow.RetryPolicy;
import dev.hapax.flows.expression.Position;
import dev.hapax.flows.expression.Template;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes the records of steps from fields that fit their shapes. */
final class StepReader {
  private final List<FileProblem> problems;

  StepReader(List<FileProblem> problems) {
    this.problems = problems;
  }

  List<Step> steps(List<Fields> steps) {
    return steps.stream().map(this::step).toList();
  }

  private Step step(Fields step) {
    String kind = step.alternative();
    return new Step(
        step.position("id"),
        step.text("id"),
        kind(step, kind),
        step.templateOrNull("when"),
        forEach(step),
        effect(step.fields("effect"), step.position("effect")),
        retry(step.fields("retry")),
        step.time("timeout"),
        compensate(step),
        step.templateOrNull("lock"),
        FlowReader.word(Step.OnError.class, step.text("onError", "fail")),
        step.valueOrNull("sample"));
  }

  private Step.@Nullable ForEach forEach(Fields step) {
    Position at = step.position("forEach");
    Template itemKey = step.templateOrNull("itemKey");
    return switch (step.raw("forEach")) {
      case null -> {
        if (itemKey != null) {
          problems.add(
              new FileProblem(
                  FileProblem.SCHEMA,
                  step.position("itemKey"),
                  "itemKey stands without forEach",
                  "Add forEach: ${ a list }, or remove itemKey."));
        }
        yield null;
      }
      case Template items -> new Step.ForEach(at, items, itemKey, 16);
      case Fields fields ->
          new Step.ForEach(at, fields.template("items"), itemKey, fields.whole("atOnce", 16));
      default -> throw new IllegalStateException("forEach is a template or fields");
    };
  }

  private @Nullable RetryPolicy retry(@Nullable Fields retry) {
    if (retry == null) {
      return null;
    }
    RetryPolicy usual = RetryPolicy.DEFAULT;
    return new RetryPolicy(
        retry.whole("attempts", usual.attempts()),
        retry.time("delay", usual.delay()),
        retry.real("factor", usual.factor()),
        retry.time("maxDelay", usual.maxDelay()),
        retry.real("jitter", usual.jitter()),
        retry.time("within", usual.within()));
  }

  private Step.@Nullable Compensate compensate(Fields step) {
    Fields fields = step.fields("compensate");
    if (fields == null) {
      return null;
    }
    return new Step.Compensate(
        step.position("compensate"),
        kind(fields, fields.alternative()),
        effect(fields.fields("effect"), fields.position("effect")),
        retry(fields.fields("retry")),
        fields.time("timeout"));
  }

  private @Nullable EffectContract effect(@Nullable Fields effect, Position position) {
    if (effect == null) {
      return null;
    }
    Fields reconcile = effect.fields("reconcile");
    return new EffectContract(
        position,
        effect.textOrNull("name"),
        FlowReader.word(EffectKind.class, effect.text("kind")),
        effect.template("key"),
        guard(effect),
        effect.templateOrNull("version"),
        effect.templateOrNull("externalId"),
        reconcile == null
            ? null
            : new EffectContract.Reconcile(
                http(effect.position("reconcile"), reconcile.fieldsOf("list")),
                reconcile.templateOrNull("items"),
                reconcile.template("key")));
  }

  private EffectContract.GuardBlock guard(Fields effect) {
    Position at = effect.position("guard");
    if (effect.raw("guard") instanceof String word) {
      return switch (word) {
        case "keyed" -> new EffectContract.GuardBlock.Keyed(at, null, null, null);
        case "upsert" -> new EffectContract.GuardBlock.Upsert(at);
        case "transaction" -> new EffectContract.GuardBlock.Transaction(at);
        default -> new EffectContract.GuardBlock.None(at, OnDoubt.REVIEW);
      };
    }
    Fields guard = effect.fieldsOf("guard");
    String word = guard.alternative();
    Fields fields = guard.fieldsOf(word);
    Position place = guard.position(word);
    return switch (word) {
      case "keyed" ->
          new EffectContract.GuardBlock.Keyed(
              place,
              fields.textOrNull("header"),
              fields.time("window"),
              fields.fields("lookup") == null
                  ? null
                  : lookup(fields.position("lookup"), fields.fieldsOf("lookup")));
      case "upsert" -> new EffectContract.GuardBlock.Upsert(place);
      case "transaction" -> new EffectContract.GuardBlock.Transaction(place);
      case "lookup" -> lookup(place, fields);
      default ->
          new EffectContract.GuardBlock.None(
              place, FlowReader.word(OnDoubt.class, fields.text("onDoubt", "review")));
    };
  }

  private EffectContract.GuardBlock.Lookup lookup(Position place, Fields fields) {
    return new EffectContract.GuardBlock.Lookup(
        place,
        http(place, fields.fieldsOf("http")),
        fields.templateOrNull("found"),
        fields.valueOrNull("output"),
        fields.time("settle"));
  }

  private StepKind kind(Fields step, String kind) {
    Position at = step.position(kind);
    if (kind.equals("choose")) {
      return new StepKind.Choose(at, choices(step.list("choose")));
    }
    if (kind.equals("set")) {
      return new StepKind.SetValues(at, step.members("set"));
    }
    Fields fields = step.fieldsOf(kind);
    return switch (kind) {
      case "http" -> http(at, fields);
      case "db" -> db(at, fields);
      case "kv" -> kv(at, fields);
      case "resource" -> resource(at, fields);
      case "llm" ->
          new StepKind.Llm(
              at,
              fields.text("connection"),
              fields.template("model"),
              fields.value("messages"),
              fields.schema("schema"),
              fields.text("cache", "run"));
      case "ssh" ->
          new StepKind.Ssh(
              at, fields.text("connection"), fields.text("run"), fields.valueOrNull("args"));
      case "email" -> email(at, fields);
      case "publish" ->
          new StepKind.Publish(
              at,
              fields.textOrNull("connection"),
              fields.templateOrNull("url"),
              fields.template("type"),
              fields.valueOrNull("data"));
      case "wait" -> wait(at, fields);
      case "approval" -> approval(at, fields);
      case "flow" ->
          new StepKind.ChildFlow(
              at, fields.text("name"), fields.valueOrNull("input"), fields.templateOrNull("key"));
      case "parallel" -> parallel(at, fields);
      case "fail" ->
          new StepKind.Fail(
              at, fields.text("code"), fields.templateOrNull("message"), fields.flag("retryable"));
      default ->
          new StepKind.Call(
              at, fields.text("handler"), fields.valueOrNull("input"), fields.flag("pure"));
    };
  }

  private static StepKind.Http http(Position at, Fields http) {
    return new StepKind.Http(
        at,
        http.textOrNull("connection"),
        http.templateOrNull("url"),
        http.text("method", "GET"),
        http.templateOrNull("path"),
        http.members("query"),
        http.members("headers"),
        http.valueOrNull("body"),
        new StepKind.Meanings(
            Set.copyOf(http.<Integer>list("notApplied")),
            Set.copyOf(http.<Integer>list("alreadyDone")),
            Set.copyOf(http.<Integer>list("inFlight"))));
  }

  private StepKind db(Position at, Fields db) {
    String sql = db.text("sql");
    if (Sql.isMany(sql)) {
      problems.add(
          new FileProblem(
              FileProblem.TYPE,
              db.position("sql"),
              "sql: expected one statement, got several",
              "Make a step of each."));
    }
    return new StepKind.Db(at, db.text("connection"), sql, db.members("params"));
  }

  private static StepKind kv(Position at, Fields kv) {
    String word = kv.alternative();
    Fields entry = kv.fieldsOf(word);
    StepKind.Kv.Operation operation =
        switch (word) {
          case "get" -> StepKind.Kv.Operation.GET;
          case "put" -> StepKind.Kv.Operation.PUT;
          case "putIfAbsent" -> StepKind.Kv.Operation.PUT_IF_ABSENT;
          case "compareAndSet" -> StepKind.Kv.Operation.COMPARE_AND_SET;
          default -> StepKind.Kv.Operation.DELETE;
        };
    return new StepKind.Kv(
        at,
        operation,
        entry.template("key"),
        entry.valueOrNull("value"),
        entry.templateOrNull("version"),
        entry.time("ttl"));
  }

  private static StepKind resource(Position at, Fields resource) {
    Fields put = resource.fields("put");
    return put != null
        ? new StepKind.ResourcePut(at, put.value("value"), put.textOrNull("contentType"))
        : new StepKind.ResourceGet(at, resource.fieldsOf("get").template("ref"));
  }

  private StepKind email(Position at, Fields email) {
    if (!email.has("text") && !email.has("html")) {
      problems.add(
          new FileProblem(
              FileProblem.SCHEMA, at, "email needs text or html", "Add what the mail says."));
    }
    return new StepKind.Email(
        at,
        email.text("connection"),
        email.value("to"),
        email.valueOrNull("cc"),
        email.template("subject"),
        email.templateOrNull("text"),
        email.templateOrNull("html"));
  }

  private StepKind wait(Position at, Fields wait) {
    return switch (wait.alternative()) {
      case "for" -> {
        Template length = wait.template("for");
        if (length.isConstant()
            && dev.hapax.flows.expression.Durations.parse(length.source()) == null) {
          problems.add(
              new FileProblem(
                  FileProblem.TYPE,
                  length.position(),
                  "for: expected a length of time such as 10s, 5m, 24h, 30d, got '%s'"
                      .formatted(length.source()),
                  "Write a number and a unit."));
        }
        yield new StepKind.WaitFor(at, length);
      }
      case "until" -> new StepKind.WaitUntil(at, wait.template("until"));
      default -> {
        Fields callback = wait.fieldsOf("callback");
        yield new StepKind.WaitCallback(at, callback.time("expires"), callback.schema("schema"));
      }
    };
  }

  private static StepKind approval(Position at, Fields approval) {
    return new StepKind.Ask(
        at,
        approval.template("ask"),
        approval.list("roles"),
        approval.time("expires"),
        FlowReader.word(Approval.OnExpire.class, approval.text("onExpire", "reject")),
        FlowReader.word(Approval.OnReject.class, approval.text("onReject", "fail")),
        approval.textOrNull("rework"),
        approval.whole("maxRounds", 3));
  }

  private StepKind parallel(Position at, Fields parallel) {
    Map<String, List<Step>> branches = new LinkedHashMap<>();
    parallel.branches("branches").forEach((name, steps) -> branches.put(name, steps(steps)));
    return new StepKind.Parallel(at, branches);
  }

  private List<StepKind.Choice> choices(List<Fields> choices) {
    return choices.stream().map(this::choice).toList();
  }

  private StepKind.Choice choice(Fields choice) {
    if (choice.has("otherwise")) {
      if (choice.has("steps")) {
        problems.add(
            new FileProblem(
                FileProblem.SCHEMA,
                choice.position("steps"),
                "a choice with otherwise has no steps beside it",
                "Put them under otherwise."));
      }
      return new StepKind.Choice(choice.position(), null, steps(choice.list("otherwise")));
    }
    if (!choice.has("steps")) {
      problems.add(
          new FileProblem(
              FileProblem.SCHEMA,
              choice.position(),
              "a choice with when needs steps",
              "Add them."));
    }
    return new StepKind.Choice(
        choice.position(), choice.template("when"), steps(choice.list("steps")));
  }
}
