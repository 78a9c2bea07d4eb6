package dev.hapax.app.cli;

import dev.hapax.app.cli.output.Paint;
import dev.hapax.app.cli.output.Refusal;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.verb.Verb;
import dev.hapax.app.cli.verb.VerbCall;
import java.util.LinkedHashMap;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Parameters;

@Command(name = "help", description = "Shows help for the program or for one of its verbs.")
final class HelpVerb extends Verb {
  @Parameters(paramLabel = "VERB", arity = "0..*", description = "For example: runs show")
  List<String> path = List.of();

  @Override
  public VerbAnswer answer(VerbCall call) {
    CommandLine asked = call.program().get();
    for (String word : path) {
      CommandLine next = asked.getSubcommands().get(word);
      if (next == null) {
        throw Refusal.usage(
                "'%s' has no '%s'".formatted(asked.getCommandSpec().qualifiedName(), word))
            .hint(asked.getCommandSpec().qualifiedName() + " --help");
      }
      asked = next;
    }
    return of(asked, call.paint());
  }

  static VerbAnswer of(CommandLine asked, Paint paint) {
    String name = asked.getCommandSpec().qualifiedName();
    var data = new LinkedHashMap<String, Object>();
    data.put("command", name);
    data.put("help", asked.getUsageMessage(Ansi.OFF));
    return VerbAnswer.of(data, asked.getUsageMessage(ansi(paint)));
  }

  static Ansi ansi(Paint paint) {
    return paint.isOn() ? Ansi.ON : Ansi.OFF;
  }
}
