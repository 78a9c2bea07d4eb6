package dev.hapax.app.cli;

import dev.hapax.app.cli.connection.ProgramVersion;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.verb.Verb;
import dev.hapax.app.cli.verb.VerbCall;
import java.util.LinkedHashMap;
import picocli.CommandLine.Command;

@Command(name = "version", description = "Shows the version of this program.")
final class VersionVerb extends Verb {
  @Override
  public VerbAnswer answer(VerbCall call) {
    var data = new LinkedHashMap<String, Object>();
    data.put("version", ProgramVersion.text());
    data.put("java", Runtime.version().toString());
    return VerbAnswer.of(data, "hapax " + ProgramVersion.text());
  }
}
