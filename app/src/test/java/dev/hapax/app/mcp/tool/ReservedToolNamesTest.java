package dev.hapax.app.mcp.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.http.InnerCalls;
import dev.hapax.flows.check.Check;
import dev.hapax.flows.check.Finding;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A flow cannot hide behind a tool of Hapax that has its name. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class ReservedToolNamesTest {
  @Test
  void check_refuses_a_tool_that_has_the_name_of_one_of_ours() {
    List<String> names =
        HapaxTools.all(new AgentRoutes(new InnerCalls(List.of(), _ -> {})), (_, _) -> List.of())
            .stream()
            .map(tool -> tool.definition().name())
            .toList();

    assertThat(names).contains("once", "find");
    for (String name : names) {
      assertThat(rules("flow: %s%nexpose: mcp%nsteps:%n  - {id: a, set: {b: 1}}%n", name))
          .as(name)
          .contains("reserved-name");
      assertThat(rules("flow: %s%nsteps:%n  - {id: a, set: {b: 1}}%n", name))
          .as("a flow that is no tool")
          .doesNotContain("reserved-name");
    }
  }

  private static List<String> rules(String file, String name) {
    return Check.check("test.yaml", file.formatted(name)).findings().stream()
        .map(Finding::rule)
        .toList();
  }

  @Test
  void check_refuses_a_tool_that_would_be_called_like_another_flow() {
    String file = "flow: %s%nexpose: mcp%nsteps:%n  - {id: a, set: {b: 1}}%n";

    assertThat(rules(file, "shop__orders")).contains("reserved-name");
    assertThat(rules(file, "shop/orders_of_today")).doesNotContain("reserved-name");
  }
}
