package dev.hapax.flows.check;

import dev.hapax.flows.file.FlowFile;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A key with personal data in it: keys are shown in lists, logs, alerts and receipts. */
final class PersonalKey implements KeyRule {
  @Override
  public String id() {
    return "personal-key";
  }

  @Override
  public Level level() {
    return Level.WARNING;
  }

  @Override
  public @Nullable String problem(FlowFile flow, Keys.Key key) {
    if (flow.input() == null) {
      return null;
    }
    for (List<String> member : flow.input().personal()) {
      var personal = new ArrayList<>(List.of("input"));
      personal.addAll(member);
      for (List<String> path : key.template().reach().paths()) {
        if (startsWith(path, personal) || startsWith(personal, path)) {
          return "contains %s, which is personal data. Keys are shown in lists, logs and alerts until they are erased"
              .formatted(String.join(".", personal));
        }
      }
    }
    return null;
  }

  private static boolean startsWith(List<String> path, List<String> beginning) {
    return path.size() >= beginning.size() && path.subList(0, beginning.size()).equals(beginning);
  }

  @Override
  public String fix() {
    return "Use an id of the work, such as an order number; or key: fingerprint for the flow.";
  }
}
