package dev.hapax.app;

import dev.hapax.app.cli.Cli;
import dev.hapax.app.cli.Verbs;
import dev.hapax.app.cli.output.Surroundings;
import dev.hapax.app.cli.verb.VerbEntry;
import java.io.Console;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The program: the verbs of the command line, and those that need more than a server's address. */
public final class Main {
  /** Set by the launcher, since Java knows a terminal only if standard input is one too. */
  private static final String TERMINAL = "hapax.terminal";

  /** They kill engines on purpose, so what these log is left out. */
  private static final Set<String> TRIALS = Set.of("test", "prove");

  private Main() {}

  public static void main(String[] args) {
    var out =
        new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
    // Standard output carries only the answer; libraries print to standard error.
    System.setOut(System.err);
    if (args.length > 0 && TRIALS.contains(args[0])) {
      System.setProperty("HAPAX_LOG_LEVEL", "OFF");
    }
    var surroundings =
        new Surroundings(
            System.in,
            out,
            System.err,
            isTerminal(),
            System.getenv(),
            Path.of("").toAbsolutePath(),
            Main::typedUnseen);
    System.exit(new Cli(verbs(), surroundings).run(args));
  }

  /** All verbs of the program. */
  public static List<VerbEntry> verbs() {
    return Verbs.with(
        new VerbEntry("serve", ServeVerb::new),
        new VerbEntry("dev", DevVerb::new),
        new VerbEntry("demo", DemoVerb::new));
  }

  private static @Nullable String typedUnseen(String question) {
    return typedUnseen(System.console(), question);
  }

  private static @Nullable String typedUnseen(@Nullable Console console, String question) {
    if (console == null || !console.isTerminal()) {
      return null;
    }
    char[] typed = console.readPassword("%s", question);
    return typed == null ? "" : new String(typed);
  }

  private static boolean isTerminal() {
    String told = System.getProperty(TERMINAL);
    return told == null ? isTerminal(System.console()) : Boolean.parseBoolean(told);
  }

  /** From JDK 25 on there is no console again where there is no terminal. */
  private static boolean isTerminal(@Nullable Console console) {
    return console != null && console.isTerminal();
  }
}
