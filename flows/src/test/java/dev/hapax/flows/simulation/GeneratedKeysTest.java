package dev.hapax.flows.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flows.file.WrittenKeys;
import dev.hapax.testkit.simulation.Choices;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Generated files use every key of the schema, except for those that are listed here. */
class GeneratedKeysTest {
  private static final int FILES = 600;

  private static final String OF_SERVER =
      "a server starts runs by it; InboxFeature and ScheduleFeature simulate what the engine does";
  private static final String OF_ENGINE = "the engine's simulation has it: ";
  private static final String OF_TEST = "a test of its own runs it: ";

  /** Keys that the generator does not write, by the reason. */
  private static final Map<String, List<String>> EXCEPT =
      Map.ofEntries(
          Map.entry(OF_TEST + "TableQueueTest of the server", List.of("queue.*")),
          Map.entry(
              OF_TEST + "KafkaTopicsTest, RabbitQueueTest and SqsQueueTest of the server",
              List.of("publish.headers", "publish.key", "publish.queue", "publish.topic")),
          Map.entry(OF_TEST + "McpApiTest of the server", List.of("flow.expose")),
          Map.entry(OF_TEST + "RemoteJobTest", List.of("compensate.ssh", "ssh.*", "step.ssh")),
          Map.entry(
              OF_SERVER,
              List.of("flow.triggers", "schedule.*", "trigger.*", "verify.*", "webhook.*")),
          Map.entry(OF_ENGINE + "GateFeature", List.of("concurrency.*", "flow.concurrency")),
          Map.entry(OF_ENGINE + "LimitFeature", List.of("flow.rate", "rate.*")),
          Map.entry(OF_ENGINE + "PlannedEffects", List.of("keyed.lookup")),
          Map.entry(OF_ENGINE + "PlannedFlows", List.of("flow.timeout")),
          Map.entry(
              OF_TEST + "AlertChannelsTest",
              List.of("channel.email", "channel.flow", "channelEmail.*")),
          Map.entry(
              OF_TEST + "LlmStepTest", List.of("llm.*", "modelBudget.*", "step.llm", "tool.*")),
          Map.entry(OF_TEST + "DraftTest", List.of("step.sample")),
          Map.entry(
              OF_TEST + "ReconcileTest of the server",
              List.of("effect.reconcile", "list.*", "reconcile.*", "reconcile-schedule.*")),
          Map.entry(
              OF_TEST + "ScheduledReconcileTest of the server", List.of("alerts.differences")),
          Map.entry(
              "as the same keys of http, which have the same reader",
              List.of(
                  "lookup-http.alreadyDone",
                  "lookup-http.body",
                  "lookup-http.headers",
                  "lookup-http.inFlight",
                  "lookup-http.method",
                  "lookup-http.notApplied",
                  "lookup-http.url")),
          Map.entry(
              OF_TEST + "ExamplesTest with examples/flows/fields/compensate-kinds.yaml",
              List.of("compensate.call", "compensate.db", "compensate.email")),
          Map.entry(
              OF_TEST + "ExamplesTest with examples/flows/fields/meanings.yaml",
              List.of("http.alreadyDone", "http.inFlight", "http.notApplied")),
          Map.entry(
              OF_TEST + "ExamplesTest with examples/flows/steps/approval-second-person.yaml",
              List.of("approval.notBy", "approval.requireToken")),
          Map.entry(
              OF_TEST + "ExamplesTest with examples/flows/steps",
              List.of("call.pure", "resource.get", "resourceGet.ref")));

  @Test
  void every_key_of_the_schema_is_generated_or_is_here_with_its_reason() {
    var keys = new WrittenKeys();
    for (int seed = 1; seed <= FILES; seed++) {
      FileGenerator.draw(Choices.of(seed)).forEach(file -> keys.read(FileText.of(file)));
    }
    Set<String> missing = WrittenKeys.all();
    missing.removeAll(keys.written());

    assertThat(missing).isEqualTo(expected());
  }

  private static Set<String> expected() {
    var expected = new TreeSet<String>();
    var unknown = new TreeMap<String, String>();
    EXCEPT.forEach(
        (reason, patterns) ->
            patterns.forEach(
                pattern -> {
                  int before = expected.size();
                  WrittenKeys.all().stream()
                      .filter(key -> fits(key, pattern))
                      .forEach(expected::add);
                  if (expected.size() == before) {
                    unknown.put(pattern, reason);
                  }
                }));
    assertThat(unknown).as("exceptions for keys that the schema does not have").isEmpty();
    return expected;
  }

  private static boolean fits(String key, String pattern) {
    return pattern.endsWith("*")
        ? key.startsWith(pattern.substring(0, pattern.length() - 1))
        : key.equals(pattern);
  }
}
