package dev.hapax.flows.explain;

import dev.hapax.flow.Alert;
import dev.hapax.flows.alert.AlertPlan;
import dev.hapax.flows.alert.Channel;
import dev.hapax.flows.alert.ChannelForm;
import dev.hapax.flows.expression.Durations;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.EffectKind;
import dev.hapax.flows.step.FlowStep;
import dev.hapax.flows.trigger.ScheduleTrigger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * How people hear of an event.
 *
 * @param event the alert's word in the file, or an approval
 * @param channels in words
 */
public record AlertAnswers(String event, String channels) {
  private static final String OF_SERVER =
      "not in the file: only the channels of the server's setting 'alerts'";

  static List<AlertAnswers> of(FlowFile file) {
    var answers = new ArrayList<AlertAnswers>();
    for (Alert alert : Alert.values()) {
      if (file.alerts().channels().containsKey(alert) || canHappen(alert, file)) {
        answers.add(new AlertAnswers(event(alert, file), channels(alert, file.alerts())));
      }
    }
    for (FlowStep step : file.allSteps()) {
      if (step.kind().asksPeople()) {
        answers.add(new AlertAnswers("approval '%s'".formatted(step.id()), notices(step)));
      }
    }
    return List.copyOf(answers);
  }

  /** Whether the file says enough to expect the event; the others are known only at run time. */
  private static boolean canHappen(Alert alert, FlowFile file) {
    return switch (alert) {
      case FAILED -> true;
      case REVIEW ->
          file.allSteps().stream()
              .anyMatch(step -> step.effect() != null && step.effect().kind() != EffectKind.READ);
      case MISSED_SCHEDULE -> file.triggers().stream().anyMatch(ScheduleTrigger.class::isInstance);
      case WAITING_TOO_LONG ->
          file.allSteps().stream()
              .anyMatch(step -> step.kind().asksPeople() || step.kind().awaitsCallback());
      case DIFFERENCES ->
          file.allSteps().stream()
              .anyMatch(
                  step ->
                      step.effect() != null
                          && step.effect().reconcile() != null
                          && step.effect().reconcile().times() != null);
      case QUARANTINED, CIRCUIT_OPEN, DISK_LOW, LEASE_LOST -> false;
    };
  }

  private static String event(Alert alert, FlowFile file) {
    if (alert != Alert.WAITING_TOO_LONG) {
      return alert.word();
    }
    return file.alerts().tooLong() == null
        ? alert.word()
        : "%s (%s)".formatted(alert.word(), Durations.text(file.alerts().tooLong()));
  }

  private static String channels(Alert alert, AlertPlan plan) {
    List<Channel> channels = plan.channels().get(alert);
    if (channels == null) {
      return OF_SERVER;
    }
    return channels.isEmpty()
        ? "none: the file turns it off"
        : channels.stream()
            .map(channel -> words(channel.id(), channel.to()))
            .collect(Collectors.joining("; "));
  }

  private static String notices(FlowStep step) {
    String channels =
        step.kind().channels().map(AlertAnswers::words).collect(Collectors.joining("; "));
    return channels.isEmpty()
        ? "no notify: it is found in the list of approvals"
        : channels + ", when it is asked, once in each round";
  }

  private static String words(ChannelForm form) {
    return words(
        form.kind().word() + "/" + form.name(), form.templates().map(Template::source).toList());
  }

  private static String words(String channel, List<String> to) {
    return to.isEmpty() ? channel : channel + " to " + String.join(", ", to);
  }

  Map<String, Object> json() {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("event", event);
    fields.put("channels", channels);
    return fields;
  }
}
