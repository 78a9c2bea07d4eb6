package dev.hapax.app.cli.authoring;

import dev.hapax.app.cli.output.Exit;
import dev.hapax.app.cli.output.Refusal;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.output.Words;
import dev.hapax.app.cli.verb.FileReplacement;
import dev.hapax.app.cli.verb.Inputs;
import dev.hapax.app.cli.verb.Verb;
import dev.hapax.app.cli.verb.VerbCall;
import dev.hapax.flows.check.Finding;
import dev.hapax.flows.check.Level;
import dev.hapax.flows.format.FlowFormatter;
import dev.hapax.flows.yaml.FileProblem;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "fmt",
    description = {
      "Formats flow files: the order of keys, indentation, quotes and empty lines.",
      "The meaning and all comments stay; a file that cannot be read is left as it is. In a folder,"
          + " all YAML files with a 'flow' key are formatted. Needs no server."
    },
    footer = {
      "",
      "Exit code 0: all files are formatted; 3: with --check a file is not, or a file was refused;"
          + " 4: a file does not exist."
    })
public final class FmtVerb extends Verb {
  @Parameters(
      paramLabel = "FILE",
      arity = "0..*",
      description = "Flow files, and folders of flow files.")
  List<String> files = List.of();

  @Option(names = "--check", description = "Write nothing; exit 3 if a file is not formatted.")
  boolean check;

  @Option(
      names = "--stdin",
      description = "Read a flow from standard input and print only its formatted text.")
  boolean stdin;

  @Override
  public VerbAnswer answer(VerbCall call) throws IOException {
    if (stdin == !files.isEmpty()) {
      throw Refusal.usage("expected files or --stdin").hint("hapax fmt --help");
    }
    return stdin ? filter(call) : answer(call, NamedFlowFiles.files(files, call.surroundings()));
  }

  private VerbAnswer filter(VerbCall call) throws IOException {
    String text = Inputs.text("-", call.surroundings());
    FlowFormatter.Result result = FlowFormatter.format("-", text);
    if (!result.problems().isEmpty()) {
      throw refused(findings(result.problems()));
    }
    if (check) {
      return answered(Map.of("-", state(text, result.text())), List.of());
    }
    call.output().raw(result.text());
    return VerbAnswer.said(Exit.DONE);
  }

  private VerbAnswer answer(VerbCall call, List<String> paths) throws IOException {
    var states = new LinkedHashMap<String, String>();
    var findings = new ArrayList<Finding>();
    for (String path : paths) {
      String text = Inputs.text(path, call.surroundings());
      FlowFormatter.Result result = FlowFormatter.format(path, text);
      if (!result.problems().isEmpty()) {
        findings.addAll(findings(result.problems()));
        states.put(path, "refused");
      } else {
        states.put(path, state(text, result.text()));
        write(call, path, text, result.text());
      }
    }
    return answered(states, findings);
  }

  private void write(VerbCall call, String path, String before, String after) throws IOException {
    if (check || before.equals(after)) {
      return;
    }
    if (!Inputs.text(path, call.surroundings()).equals(before)) {
      throw Refusal.of(
              Exit.REFUSED, "changed", "'%s' changed while it was formatted".formatted(path))
          .hint("save it, then try again; the file was not touched");
    }
    FileReplacement.write(call.surroundings().path(path), after);
  }

  private String state(String before, String after) {
    return before.equals(after) ? "unchanged" : check ? "not-formatted" : "formatted";
  }

  private VerbAnswer answered(Map<String, String> states, List<Finding> findings) {
    var items = new ArrayList<Map<String, Object>>();
    var lines = new StringBuilder();
    states.forEach(
        (file, state) -> {
          var item = new LinkedHashMap<String, Object>();
          item.put("file", file);
          item.put("state", state);
          items.add(item);
          if (!state.equals("unchanged")) {
            lines.append("%s %s%n".formatted(state.replace('-', ' '), file));
          }
        });
    var data = new LinkedHashMap<String, Object>();
    data.put("files", items);
    data.put("findings", findings.stream().map(Finding::json).toList());
    long wrong = states.values().stream().filter("not-formatted"::equals).count();
    if (!findings.isEmpty()) {
      return VerbAnswer.of(data, lines.toString()).refused(refused(findings));
    }
    if (wrong > 0) {
      return VerbAnswer.of(data, lines.toString())
          .refused(
              Refusal.of(
                      Exit.REFUSED,
                      "not-formatted",
                      "%s not formatted"
                          .formatted(Words.count(wrong, "file") + " of " + states.size()))
                  .hint("hapax fmt FILE"));
    }
    return VerbAnswer.of(
        data, lines + "%s formatted%n".formatted(Words.count(states.size(), "file")));
  }

  private static Refusal refused(List<Finding> findings) {
    return Refusal.of(
            Exit.REFUSED, "findings", "some files cannot be formatted and were left as they are")
        .details(Map.of("findings", findings.stream().map(Finding::json).toList()))
        .hint("correct them, then format again");
  }

  private static List<Finding> findings(List<FileProblem> problems) {
    return problems.stream()
        .map(
            problem ->
                new Finding(
                    problem.rule(),
                    Level.ERROR,
                    problem.position(),
                    problem.message(),
                    problem.fix()))
        .toList();
  }
}
