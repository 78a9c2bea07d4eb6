package dev.hapax.app.cli.runs;

import java.util.Stack;
import java.util.regex.Pattern;
import picocli.CommandLine.IParameterConsumer;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;

/** {@code --wait} with or without a number of seconds; another word after it is not its value. */
@SuppressWarnings("JdkObsolete") // picocli's own type
final class WaitOption implements IParameterConsumer {
  static final int USUAL_SECONDS = 60;
  private static final Pattern SECONDS = Pattern.compile("\\d{1,7}");

  @Override
  public void consumeParameters(Stack<String> args, ArgSpec option, CommandSpec command) {
    boolean given = !args.isEmpty() && SECONDS.matcher(args.peek()).matches();
    option.setValue(given ? Integer.valueOf(args.pop()) : USUAL_SECONDS);
  }
}
