package dev.hapax.flow;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a job acts on; null does not filter. Each kind of job knows some of these members and
 * refuses the others.
 *
 * @param ids only these runs, effects, events or deliveries
 * @param all true to select everything that the kind can act on, without any condition
 * @param flow a flow's name, or its beginning and a {@code *}
 * @param flows only of one of these flows
 * @param label the label for which {@code flows} were found; only noted
 * @param error only runs that failed with this code
 * @param since only what was created at this time or later
 * @param until only what was created before this time
 * @param search the values of searchable fields of runs
 * @param name of effects
 * @param step of effects
 * @param source of events
 * @param outcome of events
 * @param destination of messages
 * @param cause of reviews, as {@link ReviewCause#id} names it
 */
public record JobSelection(
    @Nullable List<String> ids,
    @Nullable Boolean all,
    @Nullable String flow,
    @Nullable List<String> flows,
    @Nullable String label,
    @Nullable String key,
    @Nullable String keyPrefix,
    @Nullable String status,
    @Nullable String error,
    @Nullable Boolean retryable,
    @Nullable Instant since,
    @Nullable Instant until,
    @Nullable Map<String, String> search,
    @Nullable String name,
    @Nullable String step,
    @Nullable String source,
    @Nullable String outcome,
    @Nullable String destination,
    @Nullable String cause) {

  /** No condition at all; a job needs at least one, or {@link #everything}. */
  public static final JobSelection NONE =
      new JobSelection(
          null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
          null, null, null, null);

  /** Everything that the kind can act on. */
  public static JobSelection everything() {
    return NONE.with("all", true);
  }

  /** Only these runs, effects, events or deliveries. */
  public static JobSelection of(String... ids) {
    return of(List.of(ids));
  }

  public static JobSelection of(List<String> ids) {
    return NONE.with("ids", List.copyOf(ids));
  }

  public JobSelection flow(String wanted) {
    return with("flow", wanted);
  }

  public JobSelection flows(List<String> wanted) {
    return with("flows", List.copyOf(wanted));
  }

  public JobSelection key(String wanted) {
    return with("key", wanted);
  }

  public JobSelection keyPrefix(String wanted) {
    return with("keyPrefix", wanted);
  }

  public JobSelection status(RunStatus wanted) {
    return with("status", wanted.word());
  }

  public JobSelection error(String code) {
    return with("error", code);
  }

  public JobSelection retryable(boolean wanted) {
    return with("retryable", wanted);
  }

  public JobSelection since(Instant time) {
    return with("since", time);
  }

  public JobSelection until(Instant time) {
    return with("until", time);
  }

  /** Only runs whose searchable field has this value. */
  public JobSelection field(String field, String value) {
    var fields = new TreeMap<String, String>(search == null ? Map.of() : search);
    fields.put(field, value);
    return with("search", fields);
  }

  /** Only effects with this name. */
  public JobSelection name(String effect) {
    return with("name", effect);
  }

  /** Only effects of this step. */
  public JobSelection step(String wanted) {
    return with("step", wanted);
  }

  /** Only events of this source. */
  public JobSelection source(String wanted) {
    return with("source", wanted);
  }

  /** Only events with this outcome. */
  public JobSelection outcome(InboxOutcome wanted) {
    return with("outcome", wanted.word());
  }

  /** Only messages to this destination. */
  public JobSelection destination(String wanted) {
    return with("destination", wanted);
  }

  /** Only effects whose reviews have this cause. */
  public JobSelection cause(String id) {
    return with("cause", id);
  }

  /** The members that are given, by name. */
  public Map<String, Object> given() {
    var given = new TreeMap<String, Object>();
    put(given, "ids", ids);
    put(given, "all", all);
    put(given, "flow", flow);
    put(given, "flows", flows);
    put(given, "label", label);
    put(given, "key", key);
    put(given, "keyPrefix", keyPrefix);
    put(given, "status", status);
    put(given, "error", error);
    put(given, "retryable", retryable);
    put(given, "since", since);
    put(given, "until", until);
    put(given, "search", search);
    put(given, "name", name);
    put(given, "step", step);
    put(given, "source", source);
    put(given, "outcome", outcome);
    put(given, "destination", destination);
    put(given, "cause", cause);
    return given;
  }

  private static void put(Map<String, Object> given, String member, @Nullable Object value) {
    if (value != null) {
      given.put(member, value);
    }
  }

  /**
   * Refuses members that the kind does not know, and a selection without any condition.
   *
   * @param known the members that the kind knows, besides {@code ids} and {@code all}
   * @throws IllegalArgumentException that says what was expected
   */
  public void refuseOtherThan(String kind, List<String> known) {
    var members = new ArrayList<String>(List.of("ids", "all"));
    members.addAll(known);
    Map<String, Object> given = given();
    for (String member : given.keySet()) {
      if (!members.contains(member)) {
        throw new IllegalArgumentException(
            "filter.%s: a job '%s' does not know it. It knows %s"
                .formatted(member, kind, String.join(", ", members)));
      }
    }
    if (label != null && flows == null) {
      throw new IllegalArgumentException("filter.label: name the flows that have it, too");
    }
    boolean isAll = Boolean.TRUE.equals(all);
    if (given.isEmpty() || (given.size() == 1 && all != null && !isAll)) {
      throw new IllegalArgumentException(
          "filter: expected at least one of %s. Write \"all\": true to select everything"
              .formatted(String.join(", ", members)));
    }
  }

  private JobSelection with(String member, Object value) {
    Map<String, Object> given = given();
    given.put(member, value);
    return new JobSelection(
        texts(given.get("ids")),
        (Boolean) given.get("all"),
        (String) given.get("flow"),
        texts(given.get("flows")),
        (String) given.get("label"),
        (String) given.get("key"),
        (String) given.get("keyPrefix"),
        (String) given.get("status"),
        (String) given.get("error"),
        (Boolean) given.get("retryable"),
        (Instant) given.get("since"),
        (Instant) given.get("until"),
        fields(given.get("search")),
        (String) given.get("name"),
        (String) given.get("step"),
        (String) given.get("source"),
        (String) given.get("outcome"),
        (String) given.get("destination"),
        (String) given.get("cause"));
  }

  @SuppressWarnings("unchecked") // only this class puts it there
  private static @Nullable List<String> texts(@Nullable Object value) {
    return (List<String>) value;
  }

  @SuppressWarnings("unchecked") // only this class puts it there
  private static @Nullable Map<String, String> fields(@Nullable Object value) {
    return (Map<String, String>) value;
  }
}
