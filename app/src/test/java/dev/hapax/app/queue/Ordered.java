package dev.hapax.app.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Messages about three objects whose order counts, and the runs that they start. */
final class Ordered {
  private static final int OBJECTS = 3;

  private Ordered() {}

  static String flow(TestBroker broker) {
    return """
    flow: intake
    key: ${input.at}
    concurrency: {key: "${input.object}", limit: 1, overflow: queue}
    triggers:
      - queue: {connection: broker, %1$s, ordered: true, batch: 7, input: {object: "${%2$s.object}", at: "${%2$s.at}"}}
    steps:
      - id: work
        wait: {for: 1ms}
    """
        .formatted(broker.trigger(), broker.message());
  }

  static void send(TestBroker broker, int number) throws Exception {
    String object = "c-" + number % OBJECTS;
    broker.send(
        object,
        "{\"object\": \"%s\", \"at\": \"%05d\"}"
            .formatted(object, number)
            .getBytes(StandardCharsets.UTF_8));
  }

  static boolean haveSucceeded(List<JsonNode> runs) {
    return runs.stream().allMatch(run -> run.path("status").asString().equals("succeeded"));
  }

  static void assertOrder(List<JsonNode> runs) {
    Map<Integer, List<JsonNode>> byObject = new HashMap<>();
    for (JsonNode run : runs) {
      int number = Integer.parseInt(run.path("key").asString());
      byObject.computeIfAbsent(number % OBJECTS, _ -> new ArrayList<>()).add(run);
    }
    for (List<JsonNode> ofOne : byObject.values()) {
      ofOne.sort(Comparator.comparing(Ordered::endedAt));
      assertThat(ofOne).extracting(run -> run.path("key").asString()).isSorted();
    }
  }

  private static Instant endedAt(JsonNode run) {
    return Instant.parse(run.path("endedAt").asString());
  }
}
