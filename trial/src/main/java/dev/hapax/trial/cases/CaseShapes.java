package dev.hapax.trial.cases;

import dev.hapax.flow.RunStatus;
import dev.hapax.flows.file.FlowSchema;
import dev.hapax.flows.yaml.Shape;
import dev.hapax.flows.yaml.Shapes;
import dev.hapax.flows.yaml.Type;
import dev.hapax.flows.yaml.Types;
import dev.hapax.trial.sandbox.SandboxFault;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Every key of a file with test cases. The reader and the JSON Schema are built from this. */
public final class CaseShapes {
  /** The resource that contains the JSON Schema. */
  public static final String RESOURCE = "case.schema.json";

  static final String FILE = "file";
  static final String AGAIN = "again";

  private static final Type ANY = new Type.Plain();
  private static final Type STEP = new Type.Text("[A-Za-z][A-Za-z0-9_.-]{0,79}", "charge");
  private static final Type COUNT = new Type.Whole(0, 1_000_000);
  private static final List<String> FAULTS =
      Arrays.stream(SandboxFault.values()).map(SandboxFault::word).toList();
  private static final List<String> STATUSES =
      Arrays.stream(RunStatus.values()).map(RunStatus::word).toList();

  static final Shapes ALL =
      new Shapes(
          List.of(
              file(),
              testCase(),
              event(),
              message(),
              answer(),
              lookup(),
              action(),
              start(),
              callback(),
              decision(),
              settle(),
              expect(),
              send()));

  static final String STAND_IN = "stand-in";

  /** The shapes of {@link StandIn#FILE}. */
  static final Shapes OUTSIDE = new Shapes(List.of(standIn(), answer()));

  private CaseShapes() {}

  /** Returns the JSON Schema of files with test cases, as maps and lists. */
  public static Map<String, Object> schema() {
    return FlowSchema.of("Hapax test cases", "Cases of a flow, which hapax test runs.", ALL, FILE);
  }

  /** Returns the page of all keys, for people. */
  public static String page() {
    return FlowSchema.page(ALL);
  }

  private static Shape file() {
    return Shape.of(FILE, "a file with test cases")
        .may("flow", Types.NAME, "The flow; default is the one in the file beside.")
        .must("cases", new Type.ListOf("case"), "The cases, each on its own.")
        .build();
  }

  private static Shape standIn() {
    return Shape.of(STAND_IN, "a stand-in for the systems outside")
        .must(
            "answers",
            new Type.Named(new Type.OneOrMany("answer")),
            "The answers per step: one for all requests, or a list in the order of the requests, whose last one repeats.")
        .build();
  }

  private static Shape testCase() {
    return Shape.of("case", "a case")
        .must("name", Types.TEXT, "What the case shows, in one sentence. No two are equal.")
        .either("input", ANY, "The input of a start.")
        .either("event", new Type.Of("event"), "A delivery to the flow's webhook.")
        .either("message", new Type.Of("message"), "A message of the flow's queue.")
        .may("key", Types.TEXT, "The key of the start, for a flow that computes none.")
        .may("kv", new Type.Named(ANY), "Entries of the durable map before the start.")
        .may(
            "answers",
            new Type.Named(new Type.OneOrMany("answer")),
            "The answers per step: one for all requests, or a list in the order of the requests, whose last one repeats.")
        .may(
            "lookups",
            new Type.Named(new Type.Of("lookup")),
            "The answers to the lookups of a step's guard; by default they say what is true.")
        .may(
            "kill",
            new Type.Texts(),
            "Where the process dies, each once: `before send STEP`, `after send STEP`, `before intent of STEP`, `after intent of STEP`, `before commit of STEP`, `after commit of STEP`. Add `attempt 2` for the second time.")
        .may("do", new Type.ListOf("action"), "What happens after the start, in order.")
        .may(
            "repeats",
            new Type.Texts(),
            "Effects, by name, that `hapax prove` lets happen more than once: better twice than never.")
        .may("expect", new Type.Of("expect"), "What must be true at the end.")
        .part()
        .build();
  }

  private static Shape event() {
    return Shape.of("event", "an event")
        .may("path", Types.TEXT, "The path of the webhook, if the flow has several.")
        .may("headers", new Type.Named(Types.TEXT), "The headers of the delivery.")
        .must("body", ANY, "The body of the delivery, which counts as signed.")
        .build();
  }

  private static Shape message() {
    return Shape.of("message", "a message")
        .may("queue", Types.TEXT, "The name of the queue, if the flow reads several.")
        .may(
            "id",
            Types.TEXT,
            "The broker's id of the message; default: made from its content, so the same one is a repeat.")
        .may("key", Types.TEXT, "The key, by which the broker keeps messages in order.")
        .may("headers", new Type.Named(Types.TEXT), "The headers of the message.")
        .may("place", new Type.Named(ANY), "Other members of `event`, such as `partition`.")
        .must(
            "body",
            ANY,
            "The message, of a table its row. A text is sent as it is, so it can be no JSON.")
        .build();
  }

  private static Shape answer() {
    return Shape.of("answer", "an answer")
        .may("item", Types.TEXT, "The item of a loop that it is for; default: all items.")
        .may("status", new Type.Whole(100, 599), "The status; 400 and more means: not done.")
        .may("headers", new Type.Named(Types.TEXT), "The headers, such as `Retry-After`.")
        .may(
            "body",
            ANY,
            "The body. Of a `db` step `{rows, count}`, of a `call` step what the handler returns.")
        .may("bytes", new Type.Whole(0, 60_000_000), "A body of so many bytes, instead of one.")
        .may(
            "fault",
            new Type.Words(FAULTS),
            "What goes wrong: it never arrives, its answer is lost, it arrives late or twice, or there is no connection.")
        .may("after", Types.TIME, "When a late request arrives; default: when its attempt ends.")
        .may("applied", new Type.Flag(), "Whether the destination does it; default by the status.")
        .build();
  }

  private static Shape lookup() {
    return Shape.of("lookup", "the answers to a lookup")
        .may("found", new Type.Of("answer"), "The answer if the effect has happened.")
        .may("missing", new Type.Of("answer"), "The answer if it has not.")
        .may("always", new Type.Of("answer"), "The answer in both cases.")
        .build();
  }

  private static Shape action() {
    return Shape.of("action", "an action")
        .either("move", Types.TIME, "Moves the clock.")
        .either("callback", new Type.Of("callback"), "Another system calls back.")
        .either("approve", new Type.Of("decision"), "A person approves.")
        .either("reject", new Type.Of("decision"), "A person rejects.")
        .either("rework", new Type.Of("decision"), "A person sends the run back.")
        .either("settle", new Type.Of("settle"), "A person settles a review.")
        .either("start", new Type.WordOr(List.of(AGAIN), "start"), "Starts once more.")
        .either("deliver", new Type.WordOr(List.of(AGAIN), "event"), "Delivers once more.")
        .either("message", new Type.Of("message"), "Another message comes.")
        .either("retry", new Type.Flag(), "True: a person retries the failed run.")
        .either("kill", Types.TEXT, "`now`, or a place as in `kill` of the case.")
        .build();
  }

  private static Shape start() {
    return Shape.of("start", "a start")
        .must("input", ANY, "The input.")
        .may("key", Types.TEXT, "The key, for a flow that computes none.")
        .build();
  }

  private static Shape callback() {
    return Shape.of("callback", "a callback")
        .must("step", STEP, "The step that waits.")
        .may("body", ANY, "The answer.")
        .build();
  }

  private static Shape decision() {
    return Shape.of("decision", "a decision")
        .must("step", STEP, "The approval.")
        .may("by", Types.TEXT, "The person; default `tester`.")
        .may("comment", Types.TEXT, "The comment; a rework needs one.")
        .may("values", ANY, "The values that the person edited.")
        .build();
  }

  private static Shape settle() {
    return Shape.of("settle", "a settlement")
        .must("step", STEP, "The step in review.")
        .may("item", Types.TEXT, "The item of the loop.")
        .may(
            "as",
            Types.words("true", "happened", "not-happened", "abandon"),
            "What the person says; default `true`: what is true at the destination.")
        .build();
  }

  private static Shape expect() {
    return Shape.of("expect", "the expected end")
        .may("status", new Type.Words(STATUSES), "The status of the run.")
        .may("output", ANY, "The output of the run.")
        .may("error", Types.TEXT, "The code of the run's error.")
        .may("refused", Types.TEXT, "The code by which the last start was refused.")
        .may(
            "outcome",
            Types.TEXT,
            "The outcome of the last delivery or message, such as `duplicate`; `filtered` if the filter left it out.")
        .may(
            "sends",
            new Type.OneOrMany("send"),
            "Every request that changes something, in order. Requests of steps that run at the same time are sorted by item.")
        .may(
            "applied",
            new Type.Named(COUNT),
            "How often each of these steps happened at its destination.")
        .may("reviews", new Type.Texts(), "The steps that wait for a person.")
        .may("history", new Type.Texts(), "Parts of lines of the run's history, in this order.")
        .may("duplicates", COUNT, "How many later starts and events of the case were duplicates.")
        .build();
  }

  private static Shape send() {
    return Shape.of("send", "a request")
        .must("step", STEP, "The step; with `.undo` at its end for a compensation.")
        .may("item", Types.TEXT, "The item of the loop.")
        .may("key", Types.TEXT, "The key of the effect, as the flow says it.")
        .may("applied", COUNT, "How often the destination did it because of this request.")
        .may("method", Types.TEXT, "The HTTP method.")
        .may("url", Types.TEXT, "The end of the address.")
        .may("body", ANY, "Members that the body must have.")
        .build();
  }
}
