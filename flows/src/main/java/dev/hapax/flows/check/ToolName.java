package dev.hapax.flows.check;

import dev.hapax.flows.file.FlowFile;
import java.util.regex.Pattern;

/**
 * A flow that is a tool under a name that APIs of models may refuse. They refuse the whole request,
 * with all its tools.
 */
final class ToolName implements Rule {
  private static final Pattern ACCEPTED = Pattern.compile("[A-Za-z0-9_-]{1,64}");

  @Override
  public String id() {
    return "tool-name";
  }

  @Override
  public Level level() {
    return Level.WARNING;
  }

  @Override
  public void check(FlowFile flow, Report report) {
    String tool = flow.name().replace("/", ReservedName.SLASH);
    if (flow.isTool() && !ACCEPTED.matcher(tool).matches()) {
      report.add(
          flow.position(),
          "flow '%s' is the tool '%s' of %d characters: many APIs of models refuse a request with a tool whose name has more than 64 characters, or others than letters, digits, '_' and '-'"
              .formatted(flow.name(), tool, tool.length()),
          "Choose another name, or leave 'expose' out. A '/' in the name of a flow becomes two"
              + " characters.");
    }
  }
}
