package dev.hapax.app.cli.authoring;

import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Exit;
import dev.hapax.app.cli.output.Refusal;
import dev.hapax.app.cli.output.Table;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.verb.Inputs;
import dev.hapax.app.cli.verb.ServerVerb;
import dev.hapax.app.cli.verb.VerbCall;
import dev.hapax.flows.check.Check;
import dev.hapax.flows.check.Finding;
import dev.hapax.flows.file.FlowFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "push",
    description = {
      "Checks flow files and uploads them to the server as drafts.",
      "A draft changes no run. 'hapax release' turns it into a release, 'hapax promote' makes the"
          + " release live."
    })
public final class PushVerb extends ServerVerb {
  @Parameters(paramLabel = "FILE", arity = "1..*", description = "Flow files.")
  List<String> files = List.of();

  /** A file that can be sent. */
  private record Draft(String file, String flow, String text) {}

  @Override
  protected VerbAnswer answer(VerbCall call, ServerClient server) throws IOException {
    List<Draft> drafts = drafts(call);
    var items = new ArrayList<Map<String, Object>>();
    var table = new Table("FLOW", "FILE", "FINDINGS");
    for (Draft draft : drafts) {
      JsonNode put =
          server
              .ask(
                  ServerRequest.put("/api/flows/{}/draft", draft.flow())
                      .body("application/yaml", draft.text().getBytes(StandardCharsets.UTF_8)))
              .json();
      var item = new LinkedHashMap<String, Object>();
      item.put("flow", draft.flow());
      item.put("file", draft.file());
      put.properties().forEach(member -> item.put(member.getKey(), member.getValue()));
      items.add(item);
      table.row(draft.flow(), draft.file(), put.path("findings").size());
    }
    return VerbAnswer.of(
        Map.of("drafts", items),
        table.text(call.paint(), "")
            + "next: hapax release %s%n".formatted(drafts.getFirst().flow()));
  }

  /** Checks all files before the first one is sent. */
  private List<Draft> drafts(VerbCall call) throws IOException {
    var drafts = new ArrayList<Draft>();
    var findings = new ArrayList<Finding>();
    for (String file : files) {
      String text = Inputs.text(file, call.surroundings());
      Check.Result result = Check.check(file, text);
      FlowFile flow = result.file();
      if (flow == null || result.hasErrors()) {
        findings.addAll(result.findings());
      } else {
        drafts.add(new Draft(file, flow.name(), text));
      }
    }
    if (!findings.isEmpty()) {
      throw Refusal.of(Exit.REFUSED, "findings", "nothing was sent: the files have errors")
          .details(Map.of("findings", findings.stream().map(Finding::json).toList()))
          .hint("hapax check " + String.join(" ", files));
    }
    return drafts;
  }
}
