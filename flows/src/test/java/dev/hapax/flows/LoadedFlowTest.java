package dev.hapax.flows;

import dev.hapax.flow.Rejected;
import dev.hapax.testkit.FlowTest;
import dev.hapax.time.Ports;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Timeout;

/** Runs flows that are loaded from text. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class LoadedFlowTest {
  final List<String> calls = Collections.synchronizedList(new ArrayList<>());

  final FlowFiles files =
      FlowFiles.with(Ports.system())
          .handler(
              "ship",
              (input, key) -> {
                calls.add("ship " + input);
                return Map.of("parcel", "p-" + input);
              })
          .handler(
              "fragile",
              (input, key) -> {
                calls.add("fragile " + input);
                if ("bad".equals(input)) {
                  throw new Rejected("broken", "it broke");
                }
                return input;
              })
          .handler(
              "cancel",
              (input, key) -> {
                calls.add("cancel " + input);
                return null;
              })
          .open();

  LoadedFlow load(String text) {
    return files.load("test.yaml", text, 1);
  }

  Object run(String text, Object input) {
    LoadedFlow flow = load(text);
    try (FlowTest test = FlowTest.of(flow.flow())) {
      return test.run(flow.flow(), input);
    }
  }
}
