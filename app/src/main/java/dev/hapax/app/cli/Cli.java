package dev.hapax.app.cli;

import dev.hapax.app.cli.output.Exit;
import dev.hapax.app.cli.output.Output;
import dev.hapax.app.cli.output.Refusal;
import dev.hapax.app.cli.output.Surroundings;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.verb.Root;
import dev.hapax.app.cli.verb.Verb;
import dev.hapax.app.cli.verb.VerbCall;
import dev.hapax.app.cli.verb.VerbEntry;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Reads a command line, carries out its verb and prints the one answer. */
public final class Cli {
  private static final int WIDTH = 110;

  private final List<VerbEntry> verbs;
  private final Surroundings surroundings;

  public Cli(List<VerbEntry> verbs, Surroundings surroundings) {
    this.verbs = verbs;
    this.surroundings = surroundings;
  }

  /** Returns the exit code. Standard output always gets its one document. */
  public int run(String... args) {
    boolean json = !surroundings.terminal() || List.of(args).contains("--json");
    var output = new Output(surroundings, json);
    VerbAnswer answer;
    try {
      answer = answerTo(args, output);
    } catch (Refusal refusal) {
      answer = VerbAnswer.refusal(refusal);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      answer = VerbAnswer.refusal(Refusal.of(Exit.UNREACHABLE, "interrupted", "interrupted"));
    } catch (IOException | RuntimeException | StackOverflowError | OutOfMemoryError e) {
      answer = VerbAnswer.refusal(unforeseen(e));
    }
    output.say(answer);
    if (output.isBroken()) {
      surroundings.err().println("hapax: cannot write the answer to standard output");
      return Exit.UNREACHABLE.code();
    }
    return answer.exit().code();
  }

  private VerbAnswer answerTo(String[] args, Output output)
      throws IOException, InterruptedException {
    refuseUnreadable(args);
    List<CommandLine> path = parse(args).asCommandLineList();
    CommandLine asked = path.getLast();
    if (path.stream().anyMatch(CommandLine::isUsageHelpRequested)) {
      return HelpVerb.of(inProgram(path), output.paint());
    }
    Verb verb =
        asked.getCommand() instanceof Root root ? withoutVerb(root, output) : asked.getCommand();
    return verb.answer(new VerbCall(surroundings, output, this::program));
  }

  private Verb withoutVerb(Root root, Output output) {
    if (root.asksForVersion()) {
      return new VersionVerb();
    }
    output.tell(program().getUsageMessage(HelpVerb.ansi(output.paint())));
    throw Refusal.usage("a verb is missing").hint("hapax --help");
  }

  /**
   * Loads only the verbs that the arguments name. A wrong command line is parsed again with all of
   * them, for the sake of the message.
   */
  private ParseResult parse(String[] args) {
    try {
      return commandLine(verbs, List.of(args)::contains).parseArgs(args);
    } catch (ParameterException _) {
      try {
        return program().parseArgs(args);
      } catch (ParameterException wrong) {
        throw usage(wrong);
      }
    }
  }

  private CommandLine program() {
    return commandLine(verbs, _ -> true);
  }

  /** Returns the same command with all of its subcommands. Other verbs are not loaded. */
  private CommandLine inProgram(List<CommandLine> path) {
    if (path.size() == 1) {
      return program();
    }
    String outermost = path.get(1).getCommandName();
    List<VerbEntry> alone = verbs.stream().filter(entry -> entry.name().equals(outermost)).toList();
    CommandLine found = commandLine(alone, _ -> true);
    for (CommandLine step : path.subList(1, path.size())) {
      CommandLine next = found.getSubcommands().get(step.getCommandName());
      if (next != null) {
        found = next;
      }
    }
    return found;
  }

  static CommandLine commandLine(List<VerbEntry> verbs, Predicate<String> wanted) {
    var line = new CommandLine(new Root());
    verbs.stream()
        .filter(entry -> wanted.test(entry.name()))
        .forEach(
            entry -> line.addSubcommand(entry.name(), commandLine(entry.verb().get(), wanted)));
    // An argument that begins with @ belongs to the verb.
    return line.setExpandAtFiles(false).setUsageHelpWidth(WIDTH);
  }

  private static CommandLine commandLine(Verb verb, Predicate<String> wanted) {
    var line = new CommandLine(verb);
    verb.inner()
        .filter(entry -> wanted.test(entry.name()))
        .forEach(
            entry -> line.addSubcommand(entry.name(), commandLine(entry.verb().get(), wanted)));
    return line;
  }

  private static Refusal usage(ParameterException wrong) {
    String command = wrong.getCommandLine().getCommandSpec().qualifiedName();
    String help = command + " --help";
    if (wrong instanceof UnmatchedArgumentException unmatched) {
      List<String> near = unmatched.getSuggestions();
      return Refusal.usage(
              "'%s' does not accept '%s'".formatted(command, unmatched.getUnmatched().getFirst()))
          .details(Map.of("didYouMean", near))
          .hint(near.isEmpty() ? help : "did you mean '%s'? %s".formatted(near.getFirst(), help));
    }
    return Refusal.usage(String.valueOf(wrong.getMessage())).hint(help);
  }

  /** Java could not decode it in this locale; as a key it would silently name another run. */
  private static void refuseUnreadable(String[] args) {
    for (String arg : args) {
      if (arg.indexOf('\uFFFD') >= 0) {
        throw Refusal.usage("an argument is not valid text in the encoding of this locale: " + arg)
            .hint("set LC_ALL=C.UTF-8");
      }
    }
  }

  private static Refusal unforeseen(Throwable problem) {
    return Refusal.of(Exit.UNREACHABLE, "unforeseen", "unexpected error: " + problem)
        .hint("this is a bug in hapax or a fault of this machine; please report it");
  }
}
