package dev.hapax.app.dev;

import dev.hapax.app.cli.output.Refusal;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.FlowStep;
import dev.hapax.flows.trigger.Trigger;
import dev.hapax.flows.trigger.WebhookTrigger;
import dev.hapax.json.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Makes the flows of the folder live. The last good release of a flow stays live while its file has
 * errors. Used by one thread.
 */
final class DevReleases {
  private final DevDoor door;
  private final DevSecrets secrets;
  private final DevScreen screen;
  private final Map<String, Published> live = new HashMap<>();
  private final Map<String, String> refused = new HashMap<>();

  DevReleases(DevDoor door, DevSecrets secrets, DevScreen screen) {
    this.door = door;
    this.secrets = secrets;
    this.screen = screen;
  }

  /** A flow whose file has no errors. */
  record Wanted(DevFile file, FlowFile flow) {
    String name() {
      return flow.name();
    }

    String text() {
      return String.valueOf(file.text());
    }

    /** Returns the other flows that it starts. */
    Set<String> children() {
      var children = new TreeSet<>(flow.notifiedFlows());
      flow.allSteps().stream()
          .map(FlowStep::kind)
          .flatMap(kind -> kind.startedFlows().stream())
          .forEach(children::add);
      children.remove(name());
      return children;
    }
  }

  /** A release that is live. */
  record Published(String file, String flow, String text, int release) {}

  /** Makes these live, children first; flows that start each other follow at the end. */
  void publish(List<Wanted> flows) {
    List<Wanted> waiting =
        new ArrayList<>(flows.stream().filter(flow -> !isPublished(flow)).toList());
    boolean goesOn = true;
    while (goesOn && !waiting.isEmpty()) {
      Set<String> open = names(waiting);
      List<Wanted> ready =
          waiting.stream()
              .filter(flow -> flow.children().stream().noneMatch(open::contains))
              .toList();
      goesOn = !ready.isEmpty();
      ready.forEach(flow -> publish(flow, false));
      waiting.removeAll(ready);
    }
    waiting.forEach(flow -> publish(flow, true));
  }

  private static Set<String> names(List<Wanted> flows) {
    return flows.stream().map(Wanted::name).collect(Collectors.toSet());
  }

  private boolean isPublished(Wanted flow) {
    Published there = live.get(flow.name());
    return there != null && there.text().equals(flow.text());
  }

  private void publish(Wanted flow, boolean allowMissing) {
    try {
      DevDoor.Live now = door.publish(flow.name(), flow.text(), allowMissing);
      live.put(
          flow.name(), new Published(flow.file().name(), flow.name(), flow.text(), now.release()));
      refused.remove(flow.name());
      screen.say(
          "%s: flow '%s', release %d is live"
              .formatted(flow.file().name(), flow.name(), now.release()));
      flow.flow().triggers().forEach(this::tellHook);
    } catch (Refusal refusal) {
      tellRefusal(flow, refusal);
    }
  }

  private void tellHook(Trigger trigger) {
    if (trigger instanceof WebhookTrigger webhook) {
      String name = webhook.verify().secret();
      String value = name == null ? null : secrets.valueOf(name);
      screen.say(
          "  POST %s/hooks/%s%s"
              .formatted(
                  door.url(),
                  webhook.path(),
                  value == null ? "" : ", signed with '%s': %s".formatted(name, value)));
    }
  }

  /** It is tried again at every change, because another file may be the reason; told once. */
  private void tellRefusal(Wanted flow, Refusal refusal) {
    String reason = refusal.message() + Json.write(refusal.details());
    if (reason.equals(refused.put(flow.name(), reason))) {
      return;
    }
    JsonNode findings = Json.tree(Json.write(refusal.details())).path("findings");
    for (JsonNode one : findings) {
      screen.finding(
          new DevScreen.Note(
              "%s:%d:%d"
                  .formatted(
                      flow.file().name(), one.path("line").asInt(1), one.path("column").asInt(1)),
              one.path("level").asString("error"),
              one.path("rule").asString("refused"),
              one.path("message").asString(""),
              one.path("fix").asString("")),
          "");
    }
    if (findings.isEmpty()) {
      screen.finding(
          DevScreen.Note.error(
              flow.file().name() + ":1:1", "refused", refusal.message(), refusal.hint()),
          "");
    }
    tellStays(flow.file().name(), flow.flow());
  }

  /**
   * Returns what is live of a file; null if nothing is.
   *
   * @param flow null if the file cannot be read
   */
  @Nullable Published of(String file, @Nullable FlowFile flow) {
    return flow == null ? ofFile(file) : live.get(flow.name());
  }

  /** Says which release is live although the file has errors. */
  void tellStays(String file, @Nullable FlowFile flow) {
    Published there = of(file, flow);
    screen.say(
        there == null
            ? "%s: nothing of it is live".formatted(file)
            : "%s: release %d stays live".formatted(file, there.release()));
  }

  private @Nullable Published ofFile(String file) {
    return live.values().stream().filter(one -> one.file().equals(file)).findFirst().orElse(null);
  }

  /** Says which flows were live before this process, and have no file any more. */
  void tellWithoutFile(Set<String> files) {
    door.liveFlows()
        .forEach(
            (flow, release) -> {
              if (!files.contains(flow)) {
                screen.say(
                    "flow '%s' has no file here: its release %d is live, with its triggers. 'hapax retire %s' ends it"
                        .formatted(flow, release, flow));
              }
            });
  }

  /** Says what becomes of the flow of a file that is gone. */
  void tellGone(String file, Set<String> stillThere) {
    live.forEach(
        (flow, one) -> {
          if (one.file().equals(file) && !stillThere.contains(flow)) {
            screen.say(
                "%s is gone: release %d of flow '%s' stays live, with its triggers, because its runs may need it. 'hapax retire %s' ends it; 'hapax dev --fresh' forgets everything"
                    .formatted(file, one.release(), flow, flow));
          }
        });
  }
}
