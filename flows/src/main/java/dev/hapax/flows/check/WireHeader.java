package dev.hapax.flows.check;

import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.FlowFormat;
import dev.hapax.flows.step.HttpTemplate;

/** A header that only the client may write. */
final class WireHeader implements Rule {
  @Override
  public String id() {
    return "wire-header";
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
    Requests.of(flow).forEach(request -> check(request, report));
  }

  private static void check(HttpTemplate request, Report report) {
    for (String name : request.wireHeaders()) {
      report.add(
          request.position(),
          "header '%s' says where a request begins or ends, and only Hapax writes it"
              .formatted(name),
          "Remove the header. For another host, make a connection to it.");
    }
  }
}
