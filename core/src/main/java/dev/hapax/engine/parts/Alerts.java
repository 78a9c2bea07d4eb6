package dev.hapax.engine.parts;

import dev.hapax.effect.RunPort;
import dev.hapax.flow.Alert;
import dev.hapax.flow.Failure;
import dev.hapax.flow.Message;
import dev.hapax.flow.Names;
import dev.hapax.flow.Step;
import dev.hapax.run.NewRun;
import dev.hapax.run.StoredMessage;
import dev.hapax.run.wait.Wait;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which events alert people, and where the alerts go. An alert is a message that is written in the
 * same commit as the event that it reports. Its key names the occurrence, so each occurrence is
 * reported once.
 *
 * @param tooLong how long a callback or an approval may stay unanswered before people are alerted
 */
public record Alerts(String destination, Set<Alert> which, Duration tooLong) {
  /** No alerts. */
  public static final Alerts OFF = new Alerts("nobody", Set.of(), Duration.ofDays(1));

  public Alerts {
    Names.positive("waitingTooLong", tooLong);
    Names.destination(destination);
    which = Set.copyOf(which);
  }

  /** Null if this alert is off, or if it is about a delivery of alerts itself. */
  public @Nullable NewRun about(
      Alert alert, RunPort.Identity run, String occurrence, @Nullable Failure why, long number) {
    if (!isWanted(alert, run)) {
      return null;
    }
    Map<String, Object> data = dataOf(alert, run);
    if (why != null) {
      data.put("error", why);
    }
    return message(alert, run.tenant(), run.id() + "/" + occurrence, data, number);
  }

  public boolean isWanted(Alert alert, RunPort.Identity run) {
    return which.contains(alert) && !run.flow().equals(StoredMessage.FLOWS + destination);
  }

  /** Returns an alert about a wait that has had no answer since then. */
  public NewRun aboutWait(RunPort.Identity run, Step step, long wait, Instant since, long number) {
    Map<String, Object> data = dataOf(Alert.WAITING_TOO_LONG, run);
    data.put("step", step.name());
    if (step.item() != null) {
      data.put("item", step.item());
    }
    data.put("since", since.toString());
    String occurrence = run.id() + "/" + Wait.id(wait);
    return message(Alert.WAITING_TOO_LONG, run.tenant(), occurrence, data, number);
  }

  private static Map<String, Object> dataOf(Alert alert, RunPort.Identity run) {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("alert", alert.word());
    data.put("run", run.id().toString());
    data.put("flow", run.flow());
    data.put("key", run.key());
    return data;
  }

  /** Returns an alert about instants of a schedule that get no run; null if this alert is off. */
  public @Nullable NewRun aboutMissed(
      String tenant, String schedule, String occurrence, String note, long number) {
    return which.contains(Alert.MISSED_SCHEDULE)
        ? message(
            Alert.MISSED_SCHEDULE,
            tenant,
            schedule + "/" + occurrence,
            Map.of("alert", Alert.MISSED_SCHEDULE.word(), "schedule", schedule, "note", note),
            number)
        : null;
  }

  private NewRun message(
      Alert alert, String tenant, String occurrence, Map<String, Object> data, long number) {
    String id = StoredMessage.alertId(tenant, alert.word() + "/" + occurrence);
    String type = "hapax.alert." + alert.word().replace(' ', '-');
    return StoredMessage.of(id, Message.to(destination).type(type).data(data))
        .delivery(number, tenant);
  }
}
