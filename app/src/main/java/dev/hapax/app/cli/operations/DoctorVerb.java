package dev.hapax.app.cli.operations;

import dev.hapax.app.cli.connection.ProfileFile;
import dev.hapax.app.cli.connection.ProgramVersion;
import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Exit;
import dev.hapax.app.cli.output.Paint;
import dev.hapax.app.cli.output.Refusal;
import dev.hapax.app.cli.output.Surroundings;
import dev.hapax.app.cli.output.Table;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.output.Words;
import dev.hapax.app.cli.verb.ServerVerb;
import dev.hapax.app.cli.verb.VerbCall;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;

@Command(
    name = "doctor",
    description = {
      "Checks that this program can work here: Java, profiles, the server, the token.",
      "It lists connections of the token's tenant that have a secret and no encryption, and secrets"
          + " without hosts.",
      "With --data DIR on the server's machine, it also checks that others cannot open its files."
    },
    footer = {
      "",
      "Exit code 0: no problem, but perhaps warnings; otherwise the code of the first problem."
    })
public final class DoctorVerb extends ServerVerb {
  @Override
  protected VerbAnswer answer(VerbCall call, ServerClient server) {
    var findings = new ArrayList<DoctorFinding>();
    findings.add(DoctorFinding.well("program", "hapax " + ProgramVersion.text()));
    findings.add(java());
    findings.add(profiles(call.surroundings()));
    Path data = where().dataFolder(call.surroundings());
    if (data != null) {
      findings.add(files(data));
    }
    DoctorFinding alive = asked(server, "server", "/healthz", server.url() + " answers");
    findings.add(alive);
    if (alive.problem() == null) {
      findings.add(asked(server, "ready", "/readyz", "it accepts work, and its store is writable"));
      DoctorFinding token = asked(server, "token", "/api/runs?limit=1", "the server accepts it");
      findings.add(token);
      if (token.problem() == null) {
        findings.addAll(SecretWays.check(server));
      }
    }
    return answer(findings, call.paint());
  }

  private static VerbAnswer answer(List<DoctorFinding> findings, Paint paint) {
    var table = new Table("CHECK", "", "SEEN");
    for (DoctorFinding finding : findings) {
      table.row(finding.what(), finding.state(), finding.seen());
    }
    var answer =
        VerbAnswer.of(
            Map.of("checks", findings.stream().map(DoctorFinding::json).toList()),
            table.text(paint, ""));
    for (DoctorFinding finding : findings) {
      if (finding.advice() != null) {
        answer =
            answer.note(
                "warning: %s%n  %s".formatted(Words.plain(finding.seen()), finding.advice()));
      }
    }
    for (DoctorFinding finding : findings) {
      Refusal problem = finding.problem();
      if (problem != null) {
        return answer.refused(problem);
      }
    }
    return answer;
  }

  private static DoctorFinding java() {
    String version = "Java " + Runtime.version().feature();
    return DoctorFinding.well("java", version);
  }

  private static DoctorFinding profiles(Surroundings surroundings) {
    try {
      int count = new ProfileFile(surroundings).read().profiles().size();
      return DoctorFinding.well("profiles", Words.count(count, "profile"));
    } catch (Refusal problem) {
      return DoctorFinding.failed("profiles", problem);
    }
  }

  private static DoctorFinding files(Path data) {
    List<FileRights.Open> open;
    try {
      open = FileRights.tooOpen(data);
    } catch (IOException e) {
      String why = "cannot read the rights of %s: %s".formatted(data, e);
      return DoctorFinding.failed("files", Refusal.of(Exit.REFUSED, "file-unreadable", why));
    }
    if (open.isEmpty()) {
      return DoctorFinding.well("files", "only their owner can open the files in " + data);
    }
    String list =
        open.stream()
            .map(one -> "%s (%s)".formatted(one.path(), one.rights()))
            .collect(Collectors.joining(", "));
    String why = "other users can open " + list;
    return DoctorFinding.failed(
        "files",
        Refusal.of(Exit.REFUSED, "files-too-open", why)
            .hint(open.stream().map(FileRights.Open::fix).collect(Collectors.joining(" && "))));
  }

  private static DoctorFinding asked(ServerClient server, String what, String path, String seen) {
    try {
      server.ask(ServerRequest.get(path));
      return DoctorFinding.well(what, seen);
    } catch (Refusal problem) {
      return DoctorFinding.failed(what, problem);
    }
  }
}
