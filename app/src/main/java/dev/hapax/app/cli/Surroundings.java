package dev.hapax.app.cli;

import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where a command runs: its streams, environment and folder. Verbs take all of it from here, so
 * that a test can sit in any place.
 *
 * @param terminal whether a person reads standard output
 * @param keyboard where a person types what nobody else may see
 */
public record Surroundings(
    InputStream in,
    PrintStream out,
    PrintStream err,
    boolean terminal,
    Map<String, String> environment,
    Path folder,
    Keyboard keyboard) {

  /** A keyboard at which nothing that is typed is shown. */
  @FunctionalInterface
  public interface Keyboard {
    /** What was typed in answer; null if there is no keyboard, but a pipe or a file. */
    @Nullable String ask(String question);
  }

  /** Without a keyboard. */
  public Surroundings(
      InputStream in,
      PrintStream out,
      PrintStream err,
      boolean terminal,
      Map<String, String> environment,
      Path folder) {
    this(in, out, err, terminal, environment, folder, _ -> null);
  }

  /** A variable that is set to something; an empty one counts as not set. */
  public @Nullable String variable(String name) {
    String value = environment.get(name);
    return value == null || value.isEmpty() ? null : value;
  }

  /** A path as the user typed it, from the folder they are in. */
  public Path path(String text) {
    return folder.resolve(text);
  }

  Path home() {
    String home = variable("HOME");
    return home == null ? folder : Path.of(home);
  }

  /** As the XDG base directory specification says; a relative one is to be ignored. */
  Path configFolder() {
    String folders = variable("XDG_CONFIG_HOME");
    return (folders != null && folders.startsWith("/")
            ? Path.of(folders)
            : home().resolve(".config"))
        .resolve("hapax");
  }
}
