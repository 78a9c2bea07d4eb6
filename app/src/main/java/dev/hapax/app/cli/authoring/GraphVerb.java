package dev.hapax.app.cli.authoring;

import dev.hapax.app.cli.output.Exit;
import dev.hapax.app.cli.output.Refusal;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.verb.FileReplacement;
import dev.hapax.app.cli.verb.Inputs;
import dev.hapax.app.cli.verb.Verb;
import dev.hapax.app.cli.verb.VerbCall;
import dev.hapax.flows.check.Check;
import dev.hapax.flows.check.Finding;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.graph.FlowPicture;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "graph",
    description = {
      "Draws a flow file: its triggers, steps, branches and loops.",
      "As SVG, or as text for Mermaid, which many wikis and code hosts draw. Needs no server."
    },
    footer = {
      "",
      "Exit code 0: done; 3: the file is not a flow, or the picture cannot be written; 4: there is"
          + " no such file."
    })
public final class GraphVerb extends Verb {
  @Parameters(paramLabel = "FILE", description = "Flow file; - is standard input.")
  String file = "";

  @Option(names = "--svg", description = "Draw an SVG; this is the default.")
  boolean svg;

  @Option(names = "--mermaid", description = "Write text for Mermaid.")
  boolean mermaid;

  @Option(names = "--out", paramLabel = "FILE", description = "Write the picture to this file.")
  @Nullable String out;

  @Option(names = "--print", description = "Print only the picture.")
  boolean print;

  @Override
  public VerbAnswer answer(VerbCall call) throws IOException {
    if (svg && mermaid) {
      throw Refusal.usage("expected --svg or --mermaid, got both").hint("hapax graph --help");
    }
    FlowFile flow = flow(call);
    String picture = mermaid ? FlowPicture.mermaid(flow) : FlowPicture.svg(flow);
    var data = new LinkedHashMap<String, Object>();
    data.put("flow", flow.name());
    data.put("format", mermaid ? "mermaid" : "svg");
    if (out != null) {
      FileReplacement.write(call.surroundings().path(out), picture);
      data.put("file", out);
      return VerbAnswer.of(data, "wrote %s".formatted(out));
    }
    if (print) {
      call.output().raw(picture);
      return VerbAnswer.said(Exit.DONE);
    }
    data.put("picture", picture);
    return VerbAnswer.of(data, picture);
  }

  /** A picture needs a file that can be read; other findings do not matter to it. */
  private FlowFile flow(VerbCall call) throws IOException {
    Check.Result result = Check.check(file, Inputs.text(file, call.surroundings()));
    FlowFile flow = result.file();
    if (flow == null) {
      throw Refusal.of(Exit.REFUSED, "findings", "'%s' cannot be read as a flow".formatted(file))
          .details(Map.of("findings", result.findings().stream().map(Finding::json).toList()))
          .hint("hapax check " + file);
    }
    return flow;
  }
}
