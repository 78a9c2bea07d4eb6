package dev.hapax.app.cli;

import dev.hapax.app.cli.output.Exit;
import dev.hapax.app.cli.output.Surroundings;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.verb.Verb;
import dev.hapax.app.cli.verb.VerbCall;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "completion",
    description = {
      "Installs completion of verbs and options for a shell.",
      "Writes a script to the folder where bash looks for it, or prints it:",
      "  bash: source <(hapax completion --print)",
      "  zsh:  autoload -U +X bashcompinit && bashcompinit && source <(hapax completion --print)"
    })
final class CompletionVerb extends Verb {
  @Option(names = "--print", description = "Print only the script.")
  boolean print;

  @Override
  public VerbAnswer answer(VerbCall call) throws IOException {
    String script = AutoComplete.bash("hapax", call.program().get());
    if (print) {
      call.output().raw(script);
      return VerbAnswer.said(Exit.DONE);
    }
    Path file = folder(call.surroundings()).resolve("hapax");
    Files.createDirectories(file.resolveSibling(""));
    Files.writeString(file, script);
    return VerbAnswer.of(
        Map.of("file", file.toString()), "wrote %s; a new shell completes 'hapax'".formatted(file));
  }

  private static Path folder(Surroundings surroundings) {
    String data = surroundings.variable("XDG_DATA_HOME");
    return (data != null && data.startsWith("/")
            ? Path.of(data)
            : surroundings.home().resolve(".local/share"))
        .resolve("bash-completion/completions");
  }
}
