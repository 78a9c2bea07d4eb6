package dev.hapax.flows.file;

import dev.hapax.flows.alert.AlertReader;
import dev.hapax.flows.alert.ChannelForm;
import dev.hapax.flows.step.FlowStep;
import dev.hapax.flows.step.StepReader;
import dev.hapax.flows.trigger.TriggerReader;
import dev.hapax.flows.yaml.Place;
import dev.hapax.flows.yaml.Shape;
import dev.hapax.flows.yaml.Shapes;
import dev.hapax.flows.yaml.Type;
import dev.hapax.flows.yaml.Types;
import java.util.ArrayList;
import java.util.List;

/**
 * Every key of a flow file. The reader, the JSON Schema and the page of keys are built from this.
 */
final class FlowShapes {
  static final String FLOW = "flow";

  static final Shapes ALL = new Shapes(all());

  private FlowShapes() {}

  private static List<Shape> all() {
    var shapes = new ArrayList<Shape>();
    shapes.add(
        Shape.of("flow", "a flow")
            .must("flow", Types.NAME, "The flow's name.")
            .may("description", Types.TEXT, "The purpose of the flow, in one sentence.")
            .may(
                "labels",
                Types.LABELS,
                "Words that group flows; tokens can be limited to labels. A label has 1 to 63"
                    + " lower-case letters, digits, `.`, `_`, `/` or `-`, and begins with a letter"
                    + " or digit.")
            .may(
                "runbook",
                Types.RUNBOOK,
                "What people should do when a run fails or needs a person; reviews, `explain` and"
                    + " alerts show it. At most 4,000 characters.")
            .may(
                "input",
                new Type.Schema(),
                "JSON Schema of the input; a start with an input that does not match is refused.")
            .may(
                "key",
                new Type.Templated(Place.KEY),
                "Starts with the same key are the same run; `fingerprint` hashes the canonical"
                    + " input.")
            .may(
                "searchable",
                new Type.Members(Place.KEY),
                "Fields by which runs can be found: `hapax runs list --search name=value`. At most"
                    + " 8; computed from the input when the run starts. A field without a value is"
                    + " left out.")
            .may(
                "subject",
                new Type.Templated(Place.KEY),
                "The person whom a run is about, by an id that the input contains, or a list of at"
                    + " most 8: `hapax subject export|erase ID` finds the run. Only a hash of the"
                    + " id is stored.")
            .may(
                "conflict",
                Types.words("reject", "return", "new"),
                "The answer to a start with the same key and another input: a refusal, the first"
                    + " run, or a new run.")
            .may(
                "retention",
                Types.TIME,
                "How long after the end of a run its key answers with the full result.")
            .may(
                "afterRetention",
                Types.words("expired", "new"),
                "The answer to a start with an expired key: a refusal, or a new run.")
            .may(
                "concurrency",
                new Type.Of("concurrency"),
                "How many runs of the flow may be under way at once.")
            .may("rate", new Type.Of("rate"), "How many runs of the flow may begin in a period.")
            .may(
                "onNewRelease",
                Types.words("coexist", "drain"),
                "With `drain` new starts wait until runs of the old release have ended.")
            .may(
                "onFailure",
                Types.words("stop", "compensate"),
                "A run that fails stops and can be retried, or undoes its effects.")
            .may("timeout", Types.TIME, "How long a run may take, waits included.")
            .may(
                AlertReader.SHAPE,
                new Type.Of(AlertReader.SHAPE),
                "The channels of alerts about its runs; for each alert they replace those of the"
                    + " server.")
            .may(
                "expose",
                Types.words("mcp"),
                "With `mcp`, the live flow is a tool that agents find and call over MCP; see `hapax"
                    + " mcp`.")
            .may(
                "triggers",
                new Type.ListOf(TriggerReader.SHAPE),
                "The events that start the flow, besides the API.")
            .must("steps", new Type.ListOf(FlowStep.SHAPE), "The steps, in order.")
            .may("output", new Type.Value(Place.END), "The output of a run.")
            .build());
    shapes.add(
        Shape.of("concurrency", "concurrency")
            .may(
                "key",
                new Type.Templated(Place.KEY),
                "Runs are counted per value of this key; without it, over the whole flow.")
            .must("limit", new Type.Whole(1, 1_000_000), "How many runs at once.")
            .may(
                "overflow",
                Types.words("queue", "reject", "cancel-running"),
                "What happens to a run beyond the limit: it waits, is refused, or replaces the"
                    + " running one.")
            .build());
    shapes.add(
        Shape.of("rate", "rate")
            .must(
                "limit",
                new Type.Whole(1, 1_000_000),
                "How many runs in each period, evenly spaced.")
            .may("per", Types.TIME, "The period; default 1s.")
            .build());
    shapes.add(AlertReader.shape());
    shapes.addAll(ChannelForm.shapes());
    shapes.addAll(TriggerReader.shapes());
    shapes.addAll(StepReader.shapes());
    return shapes;
  }
}
