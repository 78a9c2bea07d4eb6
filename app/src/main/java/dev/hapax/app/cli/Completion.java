package dev.hapax.app.cli;

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
      "Completes verbs and options in a shell.",
      "Writes a script for bash where bash looks for it, or prints it to be sourced:",
      "  bash: source <(hapax completion --print)",
      "  zsh:  autoload -U +X bashcompinit && bashcompinit && source <(hapax completion --print)"
    })
final class Completion extends Verb {
  @Option(names = "--print", description = "Print the script itself, and nothing else.")
  boolean print;

  @Override
  protected Answer answer(Call call) throws IOException {
    String script = AutoComplete.bash("hapax", call.program().get());
    if (print) {
      call.output().raw(script);
      return Answer.said(Exit.DONE);
    }
    Path file = folder(call.surroundings()).resolve("hapax");
    Files.createDirectories(file.resolveSibling(""));
    Files.writeString(file, script);
    return Answer.of(
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
