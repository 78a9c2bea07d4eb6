package dev.hapax.app.cli;

import java.util.LinkedHashMap;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Parameters;

@Command(name = "help", description = "Tells how the program, or one of its verbs, is used.")
final class Help extends Verb {
  @Parameters(paramLabel = "VERB", arity = "0..*", description = "For example: runs show")
  List<String> path = List.of();

  @Override
  protected Answer answer(Call call) {
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

  static Answer of(CommandLine asked, Paint paint) {
    String name = asked.getCommandSpec().qualifiedName();
    var data = new LinkedHashMap<String, Object>();
    data.put("command", name);
    data.put("help", asked.getUsageMessage(Ansi.OFF));
    return Answer.of(data, asked.getUsageMessage(ansi(paint)));
  }

  static Ansi ansi(Paint paint) {
    return paint.isOn() ? Ansi.ON : Ansi.OFF;
  }
}
