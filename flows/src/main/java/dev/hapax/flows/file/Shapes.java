package dev.hapax.flows.file;

import dev.hapax.flows.file.Type.Branches;
import dev.hapax.flows.file.Type.Condition;
import dev.hapax.flows.file.Type.Flag;
import dev.hapax.flows.file.Type.ListOf;
import dev.hapax.flows.file.Type.Members;
import dev.hapax.flows.file.Type.Of;
import dev.hapax.flows.file.Type.Real;
import dev.hapax.flows.file.Type.Schema;
import dev.hapax.flows.file.Type.Statuses;
import dev.hapax.flows.file.Type.Templated;
import dev.hapax.flows.file.Type.TemplatedOr;
import dev.hapax.flows.file.Type.Text;
import dev.hapax.flows.file.Type.Texts;
import dev.hapax.flows.file.Type.Time;
import dev.hapax.flows.file.Type.Value;
import dev.hapax.flows.file.Type.Whole;
import dev.hapax.flows.file.Type.WordOr;
import dev.hapax.flows.file.Type.Words;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Every key of a flow file. The reader, the JSON Schema and the page of keys are built from this.
 */
final class Shapes {
  private static final Map<String, Shape> ALL = new LinkedHashMap<>();

  private static final Type NAME =
      new Text("[A-Za-z0-9][A-Za-z0-9._/-]{0,127}", "order-to-invoice");
  private static final Type CONNECTION = new Text("[A-Za-z0-9][A-Za-z0-9._/-]{0,63}", "accounting");
  private static final Type ID = new Text("[A-Za-z][A-Za-z0-9_-]{0,63}", "sendMail");
  private static final Type TEXT = new Text(null, "a text");
  private static final Type TEMPLATE = new Templated(Place.STEP);
  private static final Type VALUE = new Value(Place.STEP);
  private static final Type MEMBERS = new Members(Place.STEP);
  private static final Type TIME = new Time();
  private static final Type STATUSES = new Statuses();
  private static final Type STEPS = new ListOf("step");

  private Shapes() {}

  static Shape named(String name) {
    return Objects.requireNonNull(ALL.get(name), name);
  }

  static Iterable<Shape> all() {
    return ALL.values();
  }

  private static void add(Shape.Builder shape) {
    Shape built = shape.build();
    ALL.put(built.name(), built);
  }

  private static Type words(String... words) {
    return new Words(List.of(words));
  }

  static {
    add(
        Shape.of("flow", "a flow")
            .must("flow", NAME, "The flow's name.")
            .may("description", TEXT, "What it is for, in a sentence.")
            .may(
                "input", new Schema(), "JSON Schema of the input; a start with another is refused.")
            .may(
                "key",
                new Templated(Place.KEY),
                "What makes two starts the same run; `fingerprint` hashes the canonical input.")
            .may(
                "conflict",
                words("reject", "return", "new"),
                "The same key with another input: refused, the first run, or a run of its own.")
            .may("retention", TIME, "How long after its end the key answers with the full result.")
            .may(
                "afterRetention",
                words("expired", "new"),
                "What a start gets whose key is no longer kept: refused, or a new run.")
            .may(
                "concurrency", new Of("concurrency"), "How many of its runs are under way at once.")
            .may("rate", new Of("rate"), "How many of its runs begin in a period.")
            .may(
                "onNewRelease",
                words("coexist", "drain"),
                "With `drain` new starts wait until runs of the old release have ended.")
            .may(
                "onFailure",
                words("stop", "compensate"),
                "A run that fails stops and can be retried, or undoes what it did.")
            .may("timeout", TIME, "How long a run may take, waits included.")
            .may("triggers", new ListOf("trigger"), "What starts it beside the API.")
            .must("steps", STEPS, "What it does, in order.")
            .may("output", new Value(Place.END), "What a run answers with."));
    add(
        Shape.of("concurrency", "concurrency")
            .may(
                "key",
                new Templated(Place.KEY),
                "Counted per this value; without it over the flow.")
            .must("limit", new Whole(1, 1_000_000), "How many at once.")
            .may(
                "overflow",
                words("queue", "reject", "cancel-running"),
                "What happens to one more: it waits, is refused, or replaces the running one."));
    add(
        Shape.of("rate", "rate")
            .must("limit", new Whole(1, 1_000_000), "How many in each period, evenly spaced.")
            .may("per", TIME, "The period; 1s."));
    addTriggers();
    addStep();
    addEffect();
    addKinds();
  }

  private static void addTriggers() {
    add(
        Shape.of("trigger", "a trigger")
            .either("webhook", new Of("webhook"), "An HTTP call from outside.")
            .either("schedule", new Of("schedule"), "Instants by a cron expression.")
            .either("queue", new Of("queue"), "Messages of a queue."));
    add(
        Shape.of("webhook", "a webhook")
            .must(
                "path",
                new Text("[A-Za-z0-9][A-Za-z0-9._/-]{0,127}", "shop/orders"),
                "Below `/hooks/`.")
            .must("verify", new Of("verify"), "How its signature is checked.")
            .may(
                "event",
                new Templated(Place.EVENT),
                "The event's id; a redelivery gets the first answer.")
            .may("object", new Templated(Place.EVENT), "What the event is about.")
            .may(
                "version",
                new Templated(Place.EVENT),
                "Of the object; an older one starts nothing.")
            .may(
                "time",
                new Templated(Place.EVENT),
                "When it happened: RFC 3339, or seconds since 1970. After a restore it tells events of the lost time.")
            .may(
                "input",
                new Value(Place.EVENT),
                "The run's input; the event's body if it is not given."));
    add(
        Shape.of("verify", "verify")
            .must(
                "scheme",
                words("stripe", "github", "slack", "standard-webhooks", "hmac", "none"),
                "Whose signatures these are.")
            .may("secret", TEXT, "The secret's name.")
            .may("header", TEXT, "Of scheme `hmac`: the header that holds the signature."));
    add(
        Shape.of("schedule", "a schedule")
            .must("name", NAME, "Part of the runs' keys.")
            .must("cron", TEXT, "Five fields: minute, hour, day, month, weekday.")
            .may("timezone", TEXT, "Such as Europe/Berlin.")
            .may(
                "catchUp", words("none", "latest", "all"), "Which missed instants are made up for.")
            .may("input", new Value(Place.SCHEDULE), "The run's input."));
    add(
        Shape.of("queue", "a queue")
            .must("connection", CONNECTION, "The broker.")
            .must("queue", TEXT, "Its name there.")
            .may("event", new Templated(Place.EVENT), "The message's id.")
            .may("input", new Value(Place.EVENT), "The run's input."));
  }

  private static void addStep() {
    Shape.Builder step =
        Shape.of("step", "a step")
            .must("id", ID, "Its name, once in the file; also the name in the history.")
            .may("when", new Condition(Place.STEP), "The step is left out if this is false.")
            .may(
                "forEach",
                new TemplatedOr(Place.STEP, "forEach"),
                "A list: the step is done for each item, with a state per item.")
            .may("itemKey", TEMPLATE, "The key of an item; never its place in the list.")
            .may(
                "effect",
                new Of("effect"),
                "The contract of a step that changes the outside world.")
            .may("retry", new Of("retry"), "When to try again, and when to stop.")
            .may("timeout", TIME, "How long one attempt may take; 30s.")
            .may("compensate", new Of("compensate"), "How the step is undone.")
            .may("lock", TEMPLATE, "One at a time per this key, across flows.")
            .may("onError", words("fail", "continue"), "With `continue` the run goes on.")
            .may("sample", VALUE, "The output in drafts, where nothing is sent.");
    kinds(step);
    add(step);
    Shape.Builder compensate =
        Shape.of("compensate", "a compensation")
            .may(
                "effect",
                new Of("effect"),
                "Its own contract; PUT and DELETE are `upsert` without one.")
            .may("retry", new Of("retry"), "When to try again.")
            .may("timeout", TIME, "How long one attempt may take.")
            .either("http", new Of("http"), "A request.")
            .either("db", new Of("db"), "A statement.")
            .either("email", new Of("email"), "A mail.")
            .either("ssh", new Of("ssh"), "A command.")
            .either("call", new Of("call"), "A handler in Java.");
    add(compensate);
    add(
        Shape.of("forEach", "forEach")
            .must("items", new Templated(Place.STEP), "The list.")
            .may("atOnce", new Whole(1, 256), "How many are handled at the same time; 16."));
    add(
        Shape.of("retry", "retry")
            .may("attempts", new Whole(1, 1_000), "How often at most; 5.")
            .may("delay", TIME, "Before the second attempt; 1s.")
            .may("factor", new Real(1, 100), "By which the delay grows; 2.")
            .may("maxDelay", TIME, "What it grows to; 5m.")
            .may("jitter", new Real(0, 1), "How far chance spreads it; 0.2.")
            .may("within", TIME, "No attempt after this long; 1h."));
  }

  private static void kinds(Shape.Builder step) {
    step.either("http", new Of("http"), "An HTTP request.")
        .either("db", new Of("db"), "A statement in a database of yours.")
        .either("kv", new Of("kv"), "The durable map of the tenant.")
        .either("resource", new Of("resource"), "A large value, stored once.")
        .either("llm", new Of("llm"), "A call of a language model.")
        .either("ssh", new Of("ssh"), "A command on another machine.")
        .either("email", new Of("email"), "A mail.")
        .either("publish", new Of("publish"), "A message, delivered by the outbox.")
        .either("wait", new Of("wait"), "A pause.")
        .either("approval", new Of("approval"), "A question to people.")
        .either("flow", new Of("child"), "Another flow as a child run.")
        .either("parallel", new Of("parallel"), "Branches beside each other.")
        .either("choose", new ListOf("choice"), "The first branch whose condition holds.")
        .either("set", MEMBERS, "Values, computed once.")
        .either("fail", new Of("fail"), "The run fails here.")
        .either("call", new Of("call"), "A handler in Java.");
  }

  private static void addEffect() {
    add(
        Shape.of("effect", "an effect")
            .may("name", NAME, "In the ledger, to share it between flows; `flow/step` without it.")
            .must(
                "kind",
                words("read", "create", "update", "notify", "additive"),
                "What \"already handled\" means.")
            .must(
                "key",
                TEMPLATE,
                "The business key: what makes two effects the same intent. Another step or item with the same key and other content fails with `effect-key-reused`.")
            .must(
                "guard",
                new WordOr(List.of("keyed", "upsert", "transaction", "none"), "guard"),
                "What makes repeating it safe.")
            .may("version", TEMPLATE, "Of an update's content; an older one is skipped as stale.")
            .may("externalId", new Templated(Place.RESULT), "The destination's id for it.")
            .may("reconcile", new Of("reconcile"), "How to list what the destination holds."));
    add(
        Shape.of("guard", "a guard")
            .either("keyed", new Of("keyed"), "The destination removes duplicates by our key.")
            .either("upsert", new Of("upsert"), "The operation itself can be repeated.")
            .either("transaction", new Of("transaction"), "A marker row commits with the write.")
            .either("lookup", new Of("lookup"), "A read tells whether it happened.")
            .either("none", new Of("none"), "Nobody removes a duplicate."));
    add(
        Shape.of("keyed", "guard keyed")
            .may("header", TEXT, "That carries the key; `Idempotency-Key` without it.")
            .may("window", TIME, "How long the destination remembers it; 24h.")
            .may("lookup", new Of("lookup"), "What tells when the key does not."));
    add(Shape.of("upsert", "guard upsert"));
    add(Shape.of("transaction", "guard transaction"));
    add(
        Shape.of("lookup", "guard lookup")
            .must("http", new Of("http"), "The read.")
            .may("found", new Condition(Place.LOOKUP), "Whether the answer says that it happened.")
            .may("output", new Value(Place.LOOKUP), "Becomes the body of the adopted output.")
            .may("settle", TIME, "How long \"not found\" must wait to count; 10s."));
    add(
        Shape.of("none", "guard none")
            .may(
                "onDoubt",
                words("review", "repeat", "skip"),
                "A person decides, or it is sent again, or left."));
    add(
        Shape.of("reconcile", "reconcile")
            .must("list", new Of("http"), "The read that lists.")
            .may("items", new Templated(Place.LOOKUP), "Where the list is in the answer.")
            .must("key", new Templated(Place.LISTED), "The effect's key in one of them."));
  }

  private static void addKinds() {
    add(
        Shape.of("http", "http")
            .either("connection", CONNECTION, "Whose base address, limits and secrets are used.")
            .either("url", TEMPLATE, "A whole address, without secrets.")
            .may(
                "method", words("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"), "GET without it.")
            .may("path", TEMPLATE, "Below the connection's base address.")
            .may("query", MEMBERS, "Parameters behind the path.")
            .may("headers", MEMBERS, "Further headers.")
            .may("body", VALUE, "Sent as JSON; a text as it is.")
            .may("notApplied", STATUSES, "Answers that say that nothing happened; retried.")
            .may("alreadyDone", STATUSES, "Answers that say that it had happened before.")
            .may("inFlight", STATUSES, "Answers that say that it is still being done."));
    add(
        Shape.of("db", "db")
            .must("connection", CONNECTION, "The database.")
            .must("sql", TEXT, "One statement, constant; values are bound by `:name`.")
            .may("params", MEMBERS, "The values."));
    add(
        Shape.of("kv", "kv")
            .either("get", new Of("kvKey"), "Reads an entry.")
            .either("put", new Of("kvPut"), "Writes it, whatever stands there.")
            .either("putIfAbsent", new Of("kvPut"), "Writes it if there is none.")
            .either("compareAndSet", new Of("kvCompareAndSet"), "Writes it if it has this version.")
            .either("delete", new Of("kvKey"), "Removes it."));
    add(Shape.of("kvKey", "an entry").must("key", TEMPLATE, "Its key."));
    add(
        Shape.of("kvPut", "an entry")
            .must("key", TEMPLATE, "Its key.")
            .must("value", VALUE, "Its value.")
            .may("ttl", TIME, "After which it is gone."));
    add(
        Shape.of("kvCompareAndSet", "an entry")
            .must("key", TEMPLATE, "Its key.")
            .must("version", TEMPLATE, "That it must still have; 0 for none.")
            .must("value", VALUE, "Its value.")
            .may("ttl", TIME, "After which it is gone."));
    add(
        Shape.of("resource", "resource")
            .either("put", new Of("resourcePut"), "Stores a value.")
            .either("get", new Of("resourceGet"), "Reads one."));
    add(
        Shape.of("resourcePut", "resource.put")
            .must("value", VALUE, "A text, or any value as JSON.")
            .may("contentType", TEXT, "Such as text/csv."));
    add(Shape.of("resourceGet", "resource.get").must("ref", TEMPLATE, "A `res://` reference."));
    add(
        Shape.of("llm", "llm")
            .must("connection", CONNECTION, "The provider.")
            .must("model", TEMPLATE, "Its name there.")
            .must("messages", VALUE, "What is said to it.")
            .may("schema", new Schema(), "Of the answer.")
            .may("cache", words("run", "flow", "tenant", "none"), "How far an answer is shared."));
    add(
        Shape.of("ssh", "ssh")
            .must("connection", CONNECTION, "The machine.")
            .must("run", TEXT, "The command, constant.")
            .may("args", VALUE, "Its arguments, quoted by us."));
    add(
        Shape.of("email", "email")
            .must("connection", CONNECTION, "The mail server.")
            .must("to", VALUE, "Who gets it; one or a list.")
            .may("cc", VALUE, "Who gets a copy.")
            .must("subject", TEMPLATE, "One line.")
            .may("text", TEMPLATE, "The plain text.")
            .may("html", TEMPLATE, "The same as HTML."));
    add(
        Shape.of("publish", "publish")
            .either("connection", CONNECTION, "Where it goes.")
            .either("url", TEMPLATE, "A whole address.")
            .must("type", TEMPLATE, "What it tells, for the receiver.")
            .may("data", VALUE, "The message."));
    add(
        Shape.of("wait", "wait")
            .either("for", new Templated(Place.STEP), "A length of time.")
            .either("until", new Templated(Place.STEP), "A time.")
            .either("callback", new Of("callback"), "An answer from outside."));
    add(
        Shape.of("callback", "wait.callback")
            .may("expires", TIME, "How long it can be answered.")
            .may("schema", new Schema(), "Of the answer; another one is refused."));
    add(
        Shape.of("approval", "approval")
            .must("ask", TEMPLATE, "The question.")
            .may("roles", new Texts(), "Who may decide; anybody without it.")
            .may("expires", TIME, "How long it can be decided.")
            .may("onExpire", words("reject", "approve"), "What it means that nobody decided.")
            .may("onReject", words("fail", "continue"), "What a rejection does to the run.")
            .may("rework", ID, "The step that a rework goes back to.")
            .may("maxRounds", new Whole(1, 100), "How many rounds at most; 3."));
    add(
        Shape.of("child", "flow")
            .must("name", NAME, "The flow.")
            .may("input", VALUE, "Its input.")
            .may("key", TEMPLATE, "Its key, if the flow computes none."));
    add(Shape.of("parallel", "parallel").must("branches", new Branches(), "By name."));
    add(
        Shape.of("choice", "a choice")
            .either("when", new Condition(Place.STEP), "The branch runs if this is true.")
            .either("otherwise", STEPS, "The branch that runs if none was true.")
            .may("steps", STEPS, "Of a branch with `when`."));
    add(
        Shape.of("fail", "fail")
            .must("code", NAME, "A stable word for it.")
            .may("message", TEMPLATE, "What people read.")
            .may("retryable", new Flag(), "Whether another try could succeed; false."));
    add(
        Shape.of("call", "call")
            .must("handler", NAME, "Its name, registered in Java.")
            .may("input", VALUE, "What it gets.")
            .may("pure", new Flag(), "It changes nothing outside, and so needs no effect."));
  }
}
