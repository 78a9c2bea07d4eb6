package dev.hapax.app.cli;

import dev.hapax.flows.check.Check;
import dev.hapax.flows.check.Finding;
import dev.hapax.flows.check.Level;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "check",
    description = {
      "Asks of flow files what a careful engineer would ask before shipping.",
      "Has every writing step a stable key, what happens in doubt, how long is a key remembered?"
          + " Needs no server."
    },
    footer = {
      "",
      "Exit code 0: no errors; 3: errors, with --strict also warnings; 4: a file is not there."
    })
final class CheckFiles extends Verb {
  @Parameters(paramLabel = "FILE", arity = "1..*", description = "Flow files; - is standard input.")
  List<String> files = List.of();

  @Option(names = "--strict", description = "Count warnings as errors.")
  boolean strict;

  @Override
  protected Answer answer(Call call) throws IOException {
    var findings = new ArrayList<Finding>();
    var text = new StringBuilder();
    for (String file : files) {
      Check.Result result = Check.check(file, Inputs.text(file, call.surroundings()));
      findings.addAll(result.findings());
      text.append(text(result, call.paint()));
    }
    long errors = count(findings, Level.ERROR);
    long warnings = findings.size() - errors;
    var data = Map.of("findings", findings.stream().map(Finding::json).toList());
    return errors > 0 || (strict && warnings > 0)
        ? Answer.of(data, text.toString())
            .refused(
                Refusal.of(Exit.REFUSED, "findings", summary(errors, warnings))
                    .hint("each finding names its fix; docs/flows/check has a page per rule"))
        : Answer.of(data, text + summary(errors, warnings));
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
