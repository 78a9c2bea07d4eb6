package dev.hapax.app.cli.output;

import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The surroundings of a command: its streams, environment and folder. Verbs take all of it from
 * here, so that a test can choose them.
 *
 * @param terminal whether a person reads standard output
 * @param keyboard where a person types a secret
 */
public record Surroundings(
    InputStream in,
    PrintStream out,
    PrintStream err,
    boolean terminal,
    Map<String, String> environment,
    Path folder,
    Keyboard keyboard) {

  /** A keyboard that does not echo. */
  @FunctionalInterface
  public interface Keyboard {
    /** Returns the typed answer; null if there is no keyboard, but a pipe or a file. */
    @Nullable String ask(String question);
  }

  /** Surroundings without a keyboard. */
  public Surroundings(
      InputStream in,
      PrintStream out,
      PrintStream err,
      boolean terminal,
      Map<String, String> environment,
      Path folder) {
    this(in, out, err, terminal, environment, folder, _ -> null);
  }

  /** Returns a variable that has a value; an empty one counts as not set. */
  public @Nullable String variable(String name) {
    String value = environment.get(name);
    return value == null || value.isEmpty() ? null : value;
  }

  /** Returns a path as the user typed it, from the folder they are in. */
  public Path path(String text) {
    return folder.resolve(text);
  }

  public Path home() {
    String home = variable("HOME");
    return home == null ? folder : Path.of(home);
  }

  /** Follows the XDG base directory specification; a relative path must be ignored. */
  public Path configFolder() {
    String folders = variable("XDG_CONFIG_HOME");
    return (folders != null && folders.startsWith("/")
            ? Path.of(folders)
            : home().resolve(".config"))
        .resolve("hapax");
  }
}
