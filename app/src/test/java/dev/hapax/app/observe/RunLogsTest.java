package dev.hapax.app.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.flow.Effect;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Interceptor;
import dev.hapax.testkit.memory.MemoryStore;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.MDC;

/** Every log line of a run's code carries the names of its run. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RunLogsTest {
  private final Map<String, Map<String, String>> names = new ConcurrentHashMap<>();

  private String note(String place) {
    names.put(place, MDC.getCopyOfContextMap());
    return place;
  }

  @Test
  void lines_of_body_step_effect_and_branch_bear_run_flow_key_and_step() throws Exception {
    MDC.put("probe", "here");
    boolean hasNames = "here".equals(MDC.get("probe"));
    MDC.clear();
    Assumptions.assumeTrue(hasNames, "this log knows no names");
    Flow<String, String> flow =
        Flow.of("order", String.class, String.class)
            .key(order -> order)
            .body(
                (run, order) -> {
                  note("body");
                  run.step("weigh", () -> note("step"), String.class);
                  note("after");
                  run.effect(
                      "charge", Effect.create(order).keyed(), _ -> note("effect"), String.class);
                  run.parallel(
                      List.of(branch -> branch.step("beside", () -> note("branch"), String.class)));
                  return order;
                });
    String id;
    try (Hapax hapax =
        Hapax.open(
            new MemoryStore(), HapaxOptions.DEFAULT.interceptor(new RunLogs(Interceptor.NONE)))) {
      hapax.register(flow);
      var run = hapax.start(flow, "A\n1");
      run.await();
      id = run.id();
    }

    var ofRun = Map.of("run", id, "flow", "order", "key", "A?1");
    assertThat(names.get("body")).isEqualTo(ofRun);
    assertThat(names.get("after")).isEqualTo(ofRun);
    assertThat(names.get("step")).containsAllEntriesOf(ofRun).containsEntry("step", "weigh");
    assertThat(names.get("effect")).containsAllEntriesOf(ofRun).containsEntry("step", "charge");
    assertThat(names.get("branch")).containsAllEntriesOf(ofRun).containsEntry("step", "beside");
  }
}
