package dev.hapax.flows;

import dev.hapax.RunHandle;
import dev.hapax.testkit.FlowTest;
import dev.hapax.testkit.fault.SshServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** One example in its world. */
record PlayedExample(ExampleWorld world, LoadedFlow flow, FlowTest test, Path folder) {

  /** Plays an example and checks what it did. */
  interface Scenario {
    void play(PlayedExample example) throws Exception;
  }

  /** Starts the machine of examples with {@code ssh}. */
  SshServer machine() throws Exception {
    return world.host(Files.createTempDirectory(folder, "machine"));
  }

  Object run(Map<String, Object> input) {
    return test.run(flow.flow(), input);
  }

  RunHandle<Object> start(Map<String, Object> input) {
    RunHandle<Object> run = flow.start(test.hapax(), input);
    test.move(Duration.ofSeconds(1));
    return run;
  }

  String status(RunHandle<?> run) {
    return test.hapax().run(run.id()).status().word();
  }
}
