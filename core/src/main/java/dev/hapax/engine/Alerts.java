package dev.hapax.engine;

import dev.hapax.effect.RunPort;
import dev.hapax.flow.Message;
import dev.hapax.flow.Names;
import dev.hapax.run.Alert;
import dev.hapax.run.Failure;
import dev.hapax.run.NewRun;
import dev.hapax.run.OutgoingMessage;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What people are told of, and where. An alert is a message that leaves in the very commit of what
 * it tells, under a key that names the occurrence: so it goes out once for each.
 */
public record Alerts(String destination, Set<Alert> which) {
  /** Nobody is told anything. */
  public static final Alerts OFF = new Alerts("nobody", Set.of());

  public Alerts {
    Names.destination(destination);
    which = Set.copyOf(which);
  }

  /** Null if nobody wants to hear of it, or it is about a delivery of alerts itself. */
  @Nullable NewRun about(
      Alert alert, RunPort.Identity run, String occurrence, @Nullable Failure why, long number) {
    if (!which.contains(alert) || run.flow().equals(OutgoingMessage.FLOWS + destination)) {
      return null;
    }
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("alert", alert.word());
    data.put("run", run.id().toString());
    data.put("flow", run.flow());
    data.put("key", run.key());
    if (why != null) {
      data.put("error", why);
    }
    return message(alert, run.tenant(), run.id() + "/" + occurrence, data, number);
  }

  /** About instants of a schedule that get no run; null if nobody wants to hear of it. */
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
    String id = OutgoingMessage.alertId(tenant, alert.word() + "/" + occurrence);
    String type = "hapax.alert." + alert.word().replace(' ', '-');
    return OutgoingMessage.of(id, Message.to(destination).type(type).data(data))
        .delivery(number, tenant);
  }
}
