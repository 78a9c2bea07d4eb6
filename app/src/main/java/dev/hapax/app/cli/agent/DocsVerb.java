package dev.hapax.app.cli.agent;

import dev.hapax.app.cli.output.Table;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.verb.Verb;
import dev.hapax.app.cli.verb.VerbCall;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "docs",
    description = {
      "Shows a guide, or lists them. Needs no server and no network.",
      "'hapax docs agents' is for agents that write flows; a rule of check is a guide, too."
    },
    footer = {"", "Exit code 0: done; 4: there is no such guide."})
public final class DocsVerb extends Verb {
  @Parameters(
      paramLabel = "TOPIC",
      arity = "0..1",
      description = "A guide, for example guards, or a rule such as unstable-key.")
  @Nullable String topic;

  @Override
  public VerbAnswer answer(VerbCall call) throws IOException {
    if (topic != null) {
      String page = Guides.page(topic);
      return VerbAnswer.of(Map.of("topic", topic, "text", page), page);
    }
    List<Map<String, Object>> items = new ArrayList<>();
    var table = new Table("TOPIC", "TITLE");
    for (String one : Guides.TOPICS) {
      String title = Guides.title(one);
      items.add(Map.of("topic", one, "title", title));
      table.row(one, title);
    }
    return VerbAnswer.of(Map.of("items", items), table.text(call.paint(), "no guides"))
        .note("hapax docs TOPIC shows one of them");
  }
}
