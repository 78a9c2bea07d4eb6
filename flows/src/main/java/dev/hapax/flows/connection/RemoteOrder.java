package dev.hapax.flows.connection;

import java.util.List;

/** What a machine shall do with a job. */
public sealed interface RemoteOrder {
  /** Names the job on its machine: the same token, the same job. */
  String token();

  /**
   * Begins the job, unless it has begun before.
   *
   * @param command for the machine's shell, with its arguments quoted
   * @param isDetached whether its end is not waited for
   */
  record Start(String token, String command, boolean isDetached) implements RemoteOrder {
    /**
     * Returns the order for a command and its arguments.
     *
     * <p>The arguments become the shell's positional parameters before the command is read, so no
     * mistake in the command can turn one of them into a command.
     */
    public static Start of(String token, String run, List<String> args, boolean isDetached) {
      if (args.isEmpty()) {
        return new Start(token, run.strip(), isDetached);
      }
      var quoted = new StringBuilder("set --");
      args.forEach(arg -> quoted.append(' ').append(quoted(arg)));
      return new Start(token, quoted + "\n" + run.strip() + " \"$@\"", isDetached);
    }
  }

  /** Reads the state of the job and what it has written. */
  record Look(String token) implements RemoteOrder {}

  /** Ends the job and all processes that it has started. */
  record Cancel(String token) implements RemoteOrder {}

  /** Quotes a text as one word of a POSIX shell. */
  static String quoted(String text) {
    return "'" + text.replace("'", "'\\''") + "'";
  }
}
