package dev.hapax.flows.check;

import dev.hapax.flows.expression.Template;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.FlowFormat;
import java.util.Arrays;
import java.util.regex.Pattern;

/** A path with '.' or '..', which leads elsewhere than it says. */
final class DotSegment implements Rule {
  private static final Pattern DOTS = Pattern.compile("(?i)(\\.|%2e){1,2}");

  @Override
  public String id() {
    return "dot-segment";
  }

  @Override
  public Level level() {
    return Level.ERROR;
  }

  @Override
  public FlowFormat since() {
    return FlowFormat.ENCODED_PATHS;
  }

  @Override
  public void check(FlowFile flow, Report report) {
    Requests.of(flow)
        .forEach(
            request -> {
              Template path = request.path();
              if (path != null && hasDots(path.source())) {
                report.add(
                    path.position(),
                    "the path has a segment '.' or '..', which leads elsewhere than it says",
                    "Write the path that is meant.");
              }
            });
  }

  private static boolean hasDots(String source) {
    String path = source.split("[?#]", 2)[0];
    return Arrays.stream(path.split("/", -1)).anyMatch(part -> DOTS.matcher(part).matches());
  }
}
