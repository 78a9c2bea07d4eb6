package dev.hapax.flows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flows.check.Check;
import dev.hapax.testkit.FlowTest;
import dev.hapax.testkit.fault.PostgresServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Every flow file of the examples checks clean and does what it says, over real servers. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("server")
class ExamplesTest {
  @TempDir Path folder;

  /**
   * Run by tests of their own: {@code OrderToInvoiceTest}, and {@code BlueprintKillTest} in app.
   */
  private static boolean isRunElsewhere(String name) {
    return name.equals("order-to-invoice.yaml") || ExampleFiles.isBlueprint(name);
  }

  private static final List<Map<String, PlayedExample.Scenario>> SCENARIOS =
      List.of(StepExamples.SCENARIOS, GuardExamples.SCENARIOS, FieldExamples.SCENARIOS);

  @TestFactory
  Stream<DynamicTest> each_example_checks_clean_and_runs() {
    return ExampleFiles.names().stream()
        .filter(name -> !isRunElsewhere(name))
        .map(name -> DynamicTest.dynamicTest(name, () -> play(name)));
  }

  @TestFactory
  Stream<DynamicTest> each_blueprint_checks_clean_and_needs_no_other_flow() {
    return ExampleFiles.names().stream()
        .filter(ExampleFiles::isBlueprint)
        .map(
            name ->
                DynamicTest.dynamicTest(
                    name,
                    () -> {
                      String text = ExampleFiles.text(name);
                      assertThat(Check.check(name, text).text()).isEmpty();
                      assertThat(text).doesNotContainPattern("(?m)^ +flow:");
                    }));
  }

  private void play(String name) throws Exception {
    PlayedExample.Scenario scenario = scenario(name);
    assertThat(Check.check(name, ExampleFiles.text(name)).text()).isEmpty();
    for (ExampleWorld world : worlds(name)) {
      try (world) {
        LoadedFlow flow = world.load(name);
        try (FlowTest test = world.test(flow)) {
          scenario.play(new PlayedExample(world, flow, test, folder));
        }
      }
    }
  }

  private static PlayedExample.Scenario scenario(String name) {
    for (Map<String, PlayedExample.Scenario> some : SCENARIOS) {
      PlayedExample.Scenario scenario = some.get(name);
      if (scenario != null) {
        return scenario;
      }
    }
    throw new AssertionError("there is no scenario for " + name);
  }

  /** An example with a database is run over each kind of database. */
  private List<ExampleWorld> worlds(String name) throws IOException {
    var worlds = new ArrayList<ExampleWorld>();
    worlds.add(new ExampleWorld().sqlite(folder.resolve("books.db")));
    if (ExampleFiles.text(name).contains("db:") && PostgresServer.obstacle() == null) {
      worlds.add(new ExampleWorld().postgres());
    }
    return worlds;
  }
}
