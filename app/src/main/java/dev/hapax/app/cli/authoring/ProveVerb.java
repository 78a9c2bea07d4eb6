package dev.hapax.app.cli.authoring;

import dev.hapax.app.cli.output.Exit;
import dev.hapax.app.cli.output.Paint;
import dev.hapax.app.cli.output.Refusal;
import dev.hapax.app.cli.output.Table;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.output.Words;
import dev.hapax.app.cli.verb.Verb;
import dev.hapax.app.cli.verb.VerbCall;
import dev.hapax.flows.expression.Durations;
import dev.hapax.trial.JUnitXml;
import dev.hapax.trial.proof.FlowProof;
import dev.hapax.trial.proof.FlowProver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "prove",
    description = {
      "Proves that each effect of a flow happens once, no matter what goes wrong.",
      "Runs the flow again and again in memory: the process dies at each commit and each request,"
          + " answers get lost or come too late, requests arrive twice. A sandbox stands in for"
          + " everything outside. Needs no server."
    },
    footer = {
      "",
      "Exit code 0: every effect was applied once; 1: one was applied twice or lost, or a flow does"
          + " not succeed undisturbed; 3: a file has errors; 4: the file or folder does not exist."
    })
public final class ProveVerb extends Verb {
  private static final int MOST_SHOWN = 10;

  @Parameters(paramLabel = "PATH", description = "A flow file, or a folder of flow files.")
  String place = "";

  @Option(
      names = "--within",
      paramLabel = "TIME",
      defaultValue = "60s",
      description =
          "Stop after this time and say what was not tried, for example 30s or 10m. Default:"
              + " ${DEFAULT-VALUE}.")
  String within = "60s";

  @Option(
      names = "--every",
      description =
          "Disturb every request and every commit; otherwise at most 12 requests of an effect and"
              + " 100 commits.")
  boolean every;

  @Option(names = "--strict", description = "Fail also if something was not tried.")
  boolean strict;

  @Option(
      names = "--junit",
      paramLabel = "FILE",
      description = "Also write a report in the XML of JUnit, for CI.")
  @Nullable String junit;

  @Override
  public VerbAnswer answer(VerbCall call) throws IOException {
    Duration time = time();
    Path report = junit == null ? null : reportFile(call, junit);
    ProofFiles files = ProofFiles.read(pathOf(call), place);
    List<FlowProof> proofs =
        new FlowProver(
                files.parts(),
                files.cases(),
                time,
                every,
                (flow, runs, of) -> {
                  synchronized (this) { // several threads report
                    call.output().progress("%s: %d of %d runs".formatted(flow, runs, of));
                  }
                })
            .prove(files.flows());
    if (report != null) {
      Files.writeString(
          report, JUnitXml.of(proofs.stream().flatMap(proof -> proof.junit().stream()).toList()));
    }
    return answer(proofs, call.paint());
  }

  /** Refuses a place that cannot be written before the proof, which takes a while. */
  private static Path reportFile(VerbCall call, String given) {
    Path file = call.surroundings().path(given).toAbsolutePath().normalize();
    Path folder = file.getParent();
    if (Files.isDirectory(file) || folder == null || !Files.isWritable(folder)) {
      throw Refusal.of(
          Exit.REFUSED,
          "file-unwritable",
          "--junit: '%s' cannot be written: expected a file in an existing folder"
              .formatted(given));
    }
    return file;
  }

  private Duration time() {
    Duration time = Durations.parse(within);
    if (time == null || time.isZero() || time.isNegative()) {
      throw Refusal.usage(
          "--within: expected a time such as 30s or 10m, got '%s'".formatted(within));
    }
    return time;
  }

  private Path pathOf(VerbCall call) {
    try {
      Path path = call.surroundings().path(place).normalize();
      if (Files.exists(path)) {
        return path;
      }
    } catch (InvalidPathException _) {
      // does not exist either
    }
    throw Refusal.of(Exit.NOT_FOUND, "file-not-found", "'%s' does not exist".formatted(place));
  }

  private VerbAnswer answer(List<FlowProof> proofs, Paint paint) {
    var text = new StringBuilder();
    proofs.forEach(proof -> text.append(text(proof, paint)).append('\n'));
    var data = new LinkedHashMap<String, Object>();
    data.put("proofs", proofs.stream().map(FlowProof::json).toList());
    List<FlowProof> failed =
        proofs.stream().filter(proof -> !proof.holds() || (strict && !proof.isComplete())).toList();
    return failed.isEmpty()
        ? VerbAnswer.of(data, text + summary(proofs))
        : VerbAnswer.of(data, text.toString())
            .refused(
                Refusal.of(
                        Exit.RUN_FAILED,
                        "not-proven",
                        "%d of %s not proven: %s"
                            .formatted(
                                failed.size(),
                                Words.count(proofs.size(), "proof"),
                                String.join(", ", failed.stream().map(FlowProof::name).toList())))
                    .hint("docs/flows/proving.md explains each kind of failure"));
  }

  private static String summary(List<FlowProof> proofs) {
    return Words.count(proofs.size(), "proof")
        + (proofs.size() == 1 ? " holds" : " hold")
        + ": every effect was applied once";
  }

  private static String text(FlowProof proof, Paint paint) {
    var text = new StringBuilder(paint.strong(Words.line(proof.name())));
    if (!proof.effort().isEmpty()) {
      text.append(": ").append(proof.effort());
    }
    text.append('\n').append(table(proof, paint));
    proof.untried().forEach(line -> text.append("not tried: %s%n".formatted(Words.line(line))));
    List<String> problems = proof.problems();
    for (String problem : problems.subList(0, Math.min(MOST_SHOWN, problems.size()))) {
      text.append("%s %s%n".formatted(paint.status("failed"), Words.plain(problem)));
    }
    if (problems.size() > MOST_SHOWN) {
      text.append("and %d more; --json shows all%n".formatted(problems.size() - MOST_SHOWN));
    }
    return text.toString();
  }

  private static String table(FlowProof proof, Paint paint) {
    var table = new Table("EFFECT", "GUARD", "SENT", "APPLIED", "SETTLED BY", "REVIEW");
    for (FlowProof.Row row : proof.rows()) {
      table.row(
          row.keys() == 1 ? row.effect() : "%s (%,d keys)".formatted(row.effect(), row.keys()),
          row.guard(),
          row.sent(),
          row.applied(),
          row.settledBy(),
          row.reviews());
    }
    return table.text(
        paint, proof.holds() ? "It has no effect, so nothing can happen twice.\n" : "");
  }
}
