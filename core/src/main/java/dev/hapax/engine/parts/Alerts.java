package dev.hapax.engine.parts;

import dev.hapax.effect.RunPort;
import dev.hapax.flow.Alert;
import dev.hapax.flow.Failure;
import dev.hapax.flow.FlowAlerts;
import dev.hapax.flow.Message;
import dev.hapax.flow.Names;
import dev.hapax.flow.Step;
import dev.hapax.run.NewRun;
import dev.hapax.run.StoredMessage;
import dev.hapax.run.wait.Wait;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Which events alert people, and where the alerts go. An alert is a message that is written in the
 * same commit as the event that it reports. Its key names the occurrence, so each occurrence is
 * reported once.
 *
 * @param destinations where each alert goes; the others are off
 * @param tooLong how long a callback or an approval may stay unanswered before people are alerted
 * @param tenants whose flows they are about; flows of others have only the alerts they ask for
 * @param ofTenants what a tenant asks for, for all its flows; null for nothing
 * @param operator the tenant to which alerts about nodes belong
 */
public record Alerts(
    Map<Alert, String> destinations,
    Duration tooLong,
    Predicate<String> tenants,
    Function<String, @Nullable FlowAlerts> ofTenants,
    String operator) {
  /** No alerts. */
  public static final Alerts OFF =
      new Alerts(Map.of(), Duration.ofDays(1), _ -> true, _ -> null, "default");

  public Alerts {
    Names.positive("waitingTooLong", tooLong);
    destinations.values().forEach(Names::destination);
    destinations = Map.copyOf(destinations);
  }

  /** Returns a copy that sends these alerts to this destination, and no others. */
  public Alerts to(String destination, Alert... which) {
    Map<Alert, String> all = new EnumMap<>(Alert.class);
    Arrays.stream(which).forEach(alert -> all.put(alert, destination));
    return new Alerts(all, tooLong, tenants, ofTenants, operator);
  }

  public Alerts tooLong(Duration time) {
    return new Alerts(destinations, time, tenants, ofTenants, operator);
  }

  public Alerts of(Predicate<String> someTenants) {
    return new Alerts(destinations, tooLong, someTenants, ofTenants, operator);
  }

  public Alerts ofTenants(Function<String, @Nullable FlowAlerts> asked) {
    return new Alerts(destinations, tooLong, tenants, asked, operator);
  }

  public Alerts operator(String tenant) {
    return new Alerts(destinations, tooLong, tenants, ofTenants, tenant);
  }

  /** Returns the alerts about one flow: those that it or its tenant asks for, beside the others. */
  public Alerts about(String tenant, @Nullable FlowAlerts own) {
    boolean isOfOthers = !tenants.test(tenant);
    FlowAlerts shared = ofTenants.apply(tenant);
    if (own == null && shared == null && !isOfOthers) {
      return this;
    }
    Map<Alert, String> all = new EnumMap<>(Alert.class);
    if (!isOfOthers) {
      all.putAll(destinations);
    }
    Duration time = tooLong;
    for (FlowAlerts asked : new @Nullable FlowAlerts[] {shared, own}) { // the nearer one counts
      if (asked != null) {
        asked.which().forEach(alert -> all.put(alert, asked.destination()));
        time = asked.waitingTooLong() == null ? time : asked.waitingTooLong();
      }
    }
    return new Alerts(all, time, _ -> true, _ -> null, operator);
  }

  /** Null if this alert is off, or if it is about a delivery of alerts itself. */
  public @Nullable NewRun about(
      Alert alert, RunPort.Identity run, String occurrence, @Nullable Failure why, long number) {
    return about(alert, run, occurrence, why, null, number);
  }

  /**
   * As above.
   *
   * @param runbook what people should do, if the flow says it
   */
  public @Nullable NewRun about(
      Alert alert,
      RunPort.Identity run,
      String occurrence,
      @Nullable Failure why,
      @Nullable String runbook,
      long number) {
    if (!isWanted(alert, run)) {
      return null;
    }
    Map<String, Object> data = dataOf(alert, run);
    if (why != null) {
      data.put("error", why);
    }
    if (runbook != null) {
      data.put("runbook", runbook);
    }
    return message(alert, run.tenant(), run.id() + "/" + occurrence, data, number);
  }

  /** An alert about a delivery of alerts could cause the next one, without an end. */
  public boolean isWanted(Alert alert, RunPort.Identity run) {
    return destinations.containsKey(alert)
        && destinations.values().stream()
            .map(destination -> StoredMessage.FLOWS + destination)
            .noneMatch(flow -> run.flow().equals(flow) || run.flow().startsWith(flow + "."));
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

  /** Returns an alert about calls of this run, which have opened a breaker; null if it is off. */
  public @Nullable NewRun aboutCircuit(
      RunPort.Identity run, String destination, String occurrence, long number) {
    if (!isWanted(Alert.CIRCUIT_OPEN, run)) {
      return null;
    }
    Map<String, Object> data = dataOf(Alert.CIRCUIT_OPEN, run);
    data.put("destination", destination);
    return message(Alert.CIRCUIT_OPEN, run.tenant(), run.id() + "/" + occurrence, data, number);
  }

  /** Returns an alert about a node; null if it is off. */
  public @Nullable NewRun aboutNode(Alert alert, String occurrence, String note, long number) {
    return destinations.containsKey(alert)
        ? message(alert, operator, occurrence, Map.of("alert", alert.word(), "note", note), number)
        : null;
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
      String tenant, String flow, String schedule, String occurrence, String note, long number) {
    return destinations.containsKey(Alert.MISSED_SCHEDULE)
        ? message(
            Alert.MISSED_SCHEDULE,
            tenant,
            schedule + "/" + occurrence,
            Map.of(
                "alert",
                Alert.MISSED_SCHEDULE.word(),
                "flow",
                flow,
                "schedule",
                schedule,
                "note",
                note),
            number)
        : null;
  }

  private NewRun message(
      Alert alert, String tenant, String occurrence, Map<String, Object> data, long number) {
    String id = StoredMessage.alertId(tenant, alert.word() + "/" + occurrence);
    String destination = String.valueOf(destinations.get(alert));
    return StoredMessage.of(id, Message.to(destination).type(alert.type()).data(data))
        .delivery(number, tenant);
  }
}
