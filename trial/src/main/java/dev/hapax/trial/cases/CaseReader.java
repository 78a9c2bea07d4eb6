package dev.hapax.trial.cases;

import dev.hapax.flow.Decision;
import dev.hapax.flow.Names;
import dev.hapax.flows.expression.Position;
import dev.hapax.flows.expression.Suggestion;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.FlowStep;
import dev.hapax.flows.yaml.Fields;
import dev.hapax.flows.yaml.FileProblem;
import dev.hapax.flows.yaml.Node;
import dev.hapax.trial.FlowFolder;
import dev.hapax.trial.QueuedMessage;
import dev.hapax.trial.TrialEvent;
import dev.hapax.trial.WebhookCall;
import dev.hapax.trial.sandbox.SandboxAnswer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Makes a case from its fields, and refuses names of steps that its flow does not have. */
final class CaseReader {
  private static final String MESSAGE = "message";

  private final FlowFile flow;
  private final Set<String> steps = new TreeSet<>();
  private final List<FileProblem> problems;
  private final SandboxAnswerReader answers;

  CaseReader(FlowFolder folder, FlowFile flow, List<FileProblem> problems) {
    this.flow = flow;
    this.problems = problems;
    this.answers = new SandboxAnswerReader(problems);
    for (FlowFolder.Entry entry : folder.with(flow.name())) {
      FlowFile file = Objects.requireNonNull(entry.checked().file());
      for (FlowStep step : file.allSteps()) {
        steps.add(step.id());
        if (step.compensate() != null) {
          steps.add(step.id() + Names.UNDO);
        }
      }
    }
  }

  TestCase read(Fields one, int number) {
    TrialEvent event = arrival(one);
    return new TestCase(
        one.position(),
        number,
        one.text("name"),
        flow.name(),
        plain(one.node("input")),
        event,
        one.textOrNull("key"),
        kv(one.fields("kv")),
        answers.answers(one.fields("answers"), this::known),
        lookups(one.fields("lookups")),
        kills(one),
        actions(one.list("do"), event != null),
        one.list("repeats"),
        one.has("expect") ? expectation(one.fieldsOf("expect")) : null);
  }

  private static @Nullable Object plain(@Nullable Node node) {
    return node == null ? null : node.plain();
  }

  private static @Nullable TrialEvent arrival(Fields one) {
    Fields event = one.fields("event");
    Fields message = one.fields(MESSAGE);
    return event != null ? event(event) : message == null ? null : message(message);
  }

  /** A body that is a text is the message itself, so that one can be no JSON. */
  private static QueuedMessage message(Fields message) {
    var place = new LinkedHashMap<String, Object>();
    Fields given = message.fields("place");
    if (given != null) {
      for (String name : given.names()) {
        Object value = plain(given.node(name));
        if (value != null) {
          place.put(name, value);
        }
      }
    }
    return new QueuedMessage(
        message.textOrNull("queue"),
        message.textOrNull("id"),
        message.textOrNull("key"),
        SandboxAnswerReader.texts(message.fields("headers")),
        place,
        plain(message.node("body")));
  }

  private static WebhookCall event(Fields event) {
    return new WebhookCall(
        event.textOrNull("path"),
        SandboxAnswerReader.texts(event.fields("headers")),
        plain(event.node("body")));
  }

  private Map<String, Object> kv(@Nullable Fields named) {
    var entries = new LinkedHashMap<String, Object>();
    if (named != null) {
      for (String name : named.names()) {
        Object value = plain(named.node(name));
        if (value == null) {
          problem(named.position(name), "an entry of the map is not null", "Leave it out.");
        } else {
          entries.put(name, value);
        }
      }
    }
    return entries;
  }

  private Map<String, TestCase.Lookup> lookups(@Nullable Fields named) {
    var lookups = new LinkedHashMap<String, TestCase.Lookup>();
    if (named != null) {
      for (String step : named.names()) {
        known(step, named.position(step));
        Fields given = named.fieldsOf(step);
        lookups.put(step, new TestCase.Lookup(answer(given, "found"), answer(given, "missing")));
      }
    }
    return lookups;
  }

  private @Nullable SandboxAnswer answer(Fields lookup, String which) {
    Fields given = lookup.has(which) ? lookup.fields(which) : lookup.fields("always");
    return given == null ? null : answers.answer(given);
  }

  private List<KillPoint> kills(Fields one) {
    List<String> texts = one.list("kill");
    var kills = new ArrayList<KillPoint>();
    for (String text : texts) {
      KillPoint point = kill(text, one.position("kill"));
      if (point != null) {
        kills.add(point);
      }
    }
    return kills;
  }

  private @Nullable KillPoint kill(String text, Position at) {
    KillPoint point = KillPoint.parse(text);
    if (point == null) {
      problem(
          at,
          "'%s' is not a place where the process can die".formatted(text),
          "Write 'before send STEP', 'after send STEP', 'after intent of STEP' or 'after commit of STEP'.");
      return null;
    }
    known(point.step(), at);
    return point;
  }

  private List<CaseAction> actions(List<Fields> all, boolean isDelivered) {
    var actions = new ArrayList<CaseAction>();
    for (Fields one : all) {
      CaseAction action = action(one, isDelivered);
      if (action != null) {
        actions.add(action);
      }
    }
    return actions;
  }

  private @Nullable CaseAction action(Fields one, boolean isDelivered) {
    return switch (one.alternative()) {
      case "move" -> new CaseAction.Move(Objects.requireNonNull(one.time("move")));
      case "callback" -> {
        Fields callback = one.fieldsOf("callback");
        yield new CaseAction.CallBack(step(callback), plain(callback.node("body")));
      }
      case "approve" -> decision(Decision.Choice.APPROVE, one.fieldsOf("approve"));
      case "reject" -> decision(Decision.Choice.REJECT, one.fieldsOf("reject"));
      case "rework" -> decision(Decision.Choice.REWORK, one.fieldsOf("rework"));
      case "settle" -> {
        Fields settle = one.fieldsOf("settle");
        yield new CaseAction.Settle(
            step(settle), settle.textOrNull("item"), settle.text("as", "true"));
      }
      case "start" -> start(one, isDelivered);
      case "deliver" -> deliver(one, isDelivered);
      case MESSAGE -> new CaseAction.Deliver(message(one.fieldsOf(MESSAGE)));
      case "retry" -> new CaseAction.Retry();
      default -> killing(one);
    };
  }

  private CaseAction decision(Decision.Choice choice, Fields given) {
    return new CaseAction.Decide(
        choice,
        step(given),
        given.text("by", "tester"),
        given.textOrNull("comment"),
        plain(given.node("values")));
  }

  private CaseAction start(Fields one, boolean isDelivered) {
    if (one.raw("start") instanceof Fields start) {
      return new CaseAction.Start(plain(start.node("input")), start.textOrNull("key"));
    }
    if (isDelivered) {
      problem(one.position("start"), "the case begins with an event", "Write 'deliver: again'.");
    }
    return new CaseAction.Start(null, null);
  }

  private CaseAction deliver(Fields one, boolean isDelivered) {
    if (one.raw("deliver") instanceof Fields event) {
      return new CaseAction.Deliver(event(event));
    }
    if (!isDelivered) {
      problem(one.position("deliver"), "the case begins with a start", "Write 'start: again'.");
    }
    return new CaseAction.Deliver(null);
  }

  private @Nullable CaseAction killing(Fields one) {
    String text = one.text("kill");
    if (text.equals("now")) {
      return new CaseAction.Kill(null);
    }
    KillPoint at = kill(text, one.position("kill"));
    return at == null ? null : new CaseAction.Kill(at);
  }

  private Expectation expectation(Fields expect) {
    List<Fields> sends = expect.has("sends") ? expect.list("sends") : null;
    Fields applied = expect.fields("applied");
    List<String> reviews = expect.has("reviews") ? expect.list("reviews") : null;
    if (reviews != null) {
      reviews.forEach(step -> known(step, expect.position("reviews")));
    }
    return new Expectation(
        expect.textOrNull("status"),
        expect.has("output"),
        plain(expect.node("output")),
        expect.textOrNull("error"),
        expect.textOrNull("refused"),
        expect.textOrNull("outcome"),
        sends == null ? null : sends.stream().map(this::send).toList(),
        applied == null ? null : counts(applied),
        reviews,
        expect.has("history") ? expect.list("history") : null,
        expect.has("duplicates") ? expect.whole("duplicates", 0) : null);
  }

  private Expectation.Send send(Fields send) {
    return new Expectation.Send(
        step(send),
        send.textOrNull("item"),
        send.textOrNull("key"),
        send.has("applied") ? send.whole("applied", 0) : null,
        send.textOrNull("method"),
        send.textOrNull("url"),
        plain(send.node("body")));
  }

  private Map<String, Integer> counts(Fields named) {
    var counts = new LinkedHashMap<String, Integer>();
    for (String step : named.names()) {
      known(step, named.position(step));
      counts.put(step, named.whole(step, 0));
    }
    return counts;
  }

  private String step(Fields given) {
    String step = given.text("step");
    known(step, given.position("step"));
    return step;
  }

  private void known(String step, Position at) {
    if (!steps.contains(step)) {
      problems.add(
          new FileProblem(
              "unknown-step",
              at,
              "flow '%s' has no step '%s'%s"
                  .formatted(flow.name(), step, Suggestion.among(step, steps)),
              "Its steps are: " + String.join(", ", steps) + "."));
    }
  }

  private void problem(Position at, String message, String fix) {
    problems.add(new FileProblem(FileProblem.SCHEMA, at, message, fix));
  }
}
