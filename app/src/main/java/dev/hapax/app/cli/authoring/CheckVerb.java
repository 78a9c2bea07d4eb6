package dev.hapax.app.cli.authoring;

import dev.hapax.app.cli.output.Exit;
import dev.hapax.app.cli.output.Paint;
import dev.hapax.app.cli.output.Refusal;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.output.Words;
import dev.hapax.app.cli.verb.Inputs;
import dev.hapax.app.cli.verb.Verb;
import dev.hapax.app.cli.verb.VerbCall;
import dev.hapax.flows.check.Check;
import dev.hapax.flows.check.Finding;
import dev.hapax.flows.check.KeyTerms;
import dev.hapax.flows.check.Level;
import dev.hapax.flows.explain.Checklist;
import dev.hapax.flows.file.FlowFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "check",
    description = {
      "Checks flow files for mistakes that cause duplicate or lost effects.",
      "For example: a step that writes without a stable key, or without a rule for doubt. Needs no"
          + " server."
    },
    footer = {
      "",
      "Exit code 0: no errors; 3: errors, or warnings with --strict; 4: a file does not exist."
    })
public final class CheckVerb extends Verb {
  @Parameters(paramLabel = "FILE", arity = "1..*", description = "Flow files; - is standard input.")
  List<String> files = List.of();

  @Option(names = "--strict", description = "Count warnings as errors.")
  boolean strict;

  @Option(
      names = "--explain",
      description =
          "Also print what each file answers to the questions of a careful engineer: keys, guards,"
              + " crashes, memory.")
  boolean explain;

  @Option(
      names = "--connections",
      paramLabel = "FOLDER",
      description =
          "Folder with connections, NAME.yaml or NAME.json: guards are compared with what they say"
              + " about keys and windows.")
  @Nullable String connections;

  @Override
  public VerbAnswer answer(VerbCall call) throws IOException {
    var folder =
        connections == null ? null : new ConnectionFolder(connections, call.surroundings());
    var findings = new ArrayList<Finding>();
    var checklists = new ArrayList<Map<String, Object>>();
    var text = new StringBuilder();
    for (String file : files) {
      Check.Result result = checked(file, Inputs.text(file, call.surroundings()), folder);
      findings.addAll(result.findings());
      text.append(text(result, call.paint()));
      FlowFile flow = result.file();
      if (explain && flow != null) {
        Checklist checklist = Checklist.of(flow);
        checklists.add(checklist.json());
        text.append(checklist.text()).append('\n');
      }
    }
    long errors = count(findings, Level.ERROR);
    long warnings = findings.size() - errors;
    var data = new LinkedHashMap<String, Object>();
    data.put("findings", findings.stream().map(Finding::json).toList());
    if (explain) {
      data.put("checklists", checklists);
    }
    return errors > 0 || (strict && warnings > 0)
        ? VerbAnswer.of(data, text.toString())
            .refused(
                Refusal.of(Exit.REFUSED, "findings", summary(errors, warnings))
                    .hint("each finding names its fix; docs/flows/check has a page per rule"))
        : VerbAnswer.of(data, text + summary(errors, warnings));
  }

  private static Check.Result checked(String name, String text, @Nullable ConnectionFolder folder) {
    Check.Result result = Check.check(name, text);
    FlowFile flow = result.file();
    if (folder == null || flow == null) {
      return result;
    }
    var all = new ArrayList<>(result.findings());
    all.addAll(KeyTerms.compare(flow, folder::keysOf));
    all.sort(Comparator.comparing(Finding::position));
    return new Check.Result(flow, List.copyOf(all), result.source());
  }

  private static long count(List<Finding> findings, Level level) {
    return findings.stream().filter(finding -> finding.level() == level).count();
  }

  private static String text(Check.Result result, Paint paint) {
    var text = new StringBuilder();
    for (Finding finding : result.findings()) {
      text.append(
          "%s %s %s: %s.%n%s  %s%n"
              .formatted(
                  finding.position(),
                  paint.status(finding.level().word()),
                  finding.rule(),
                  finding.message(),
                  result.excerpt(finding),
                  finding.fix()));
    }
    return text.toString();
  }

  private String summary(long errors, long warnings) {
    return "%s, %s in %s"
        .formatted(
            Words.count(errors, "error"),
            Words.count(warnings, "warning"),
            Words.count(files.size(), "file"));
  }
}
