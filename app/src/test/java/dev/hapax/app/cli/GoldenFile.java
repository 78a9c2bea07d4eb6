package dev.hapax.app.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A verb's golden file: commands, and what each of them does.
 *
 * <pre>
 * {@literal <} GET /api/runs 200 {"items": []}     what the server will answer
 * $ hapax runs                          a command whose output is a pipe; with % it is a terminal
 * exit 0
 * {@literal >} GET /api/runs                       what the server was asked
 * out: {"ok":true,…}
 * err: a line on standard error
 * </pre>
 */
record GoldenFile(Path path, List<Case> cases) {
  private static final String PIPE = "$ ";
  private static final String TERMINAL = "% ";
  private static final String ANSWER = "< ";

  /**
   * One command.
   *
   * @param answers of the server, in their order
   * @param effect the lines that follow the command
   */
  record Case(List<String> answers, boolean terminal, String command, List<String> effect) {
    /** The arguments after the program's name; quoted ones in single quotes. */
    List<String> args() {
      var args = new ArrayList<String>();
      var arg = new StringBuilder();
      boolean quoted = false;
      boolean begun = false;
      for (char c : (command + " ").toCharArray()) {
        if (c == '\'') {
          quoted = !quoted;
          begun = true;
        } else if (c != ' ' || quoted) {
          arg.append(c);
          begun = true;
        } else if (begun) {
          args.add(arg.toString());
          arg.setLength(0);
          begun = false;
        }
      }
      return args.subList(1, args.size());
    }

    String text(List<String> seen) {
      var lines = new ArrayList<String>();
      answers.forEach(answer -> lines.add(ANSWER + answer));
      lines.add((terminal ? TERMINAL : PIPE) + command);
      lines.addAll(seen);
      return String.join("\n", lines) + "\n";
    }
  }

  static GoldenFile read(Path path) throws IOException {
    var cases = new ArrayList<Case>();
    var answers = new ArrayList<String>();
    for (String line : Files.readAllLines(path)) {
      if (line.startsWith(ANSWER)) {
        answers.add(line.substring(ANSWER.length()));
      } else if (line.startsWith(PIPE) || line.startsWith(TERMINAL)) {
        cases.add(
            new Case(
                List.copyOf(answers),
                line.startsWith(TERMINAL),
                line.substring(PIPE.length()),
                new ArrayList<>()));
        answers.clear();
      } else if (!line.isEmpty()) {
        cases.getLast().effect().add(line);
      }
    }
    return new GoldenFile(path, cases);
  }

  boolean holds(boolean terminal, String command) {
    return cases.stream().anyMatch(c -> c.terminal() == terminal && c.command().equals(command));
  }
}
