package dev.hapax.flows.alert;

import dev.hapax.Hapax;
import dev.hapax.OutgoingMessage;
import dev.hapax.flow.Alert;
import dev.hapax.flow.KvEntry;
import dev.hapax.flow.KvResult;
import dev.hapax.flow.Message;
import dev.hapax.flow.Read;
import dev.hapax.flow.RetryPolicy;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunContext;
import dev.hapax.json.CanonicalJson;
import dev.hapax.json.Digest;
import dev.hapax.json.Json;
import dev.hapax.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gathers the alerts of a tenant by their cause, and hands them to the channels. Each alert has its
 * own run, which files it. The first alert of a cause in a window leads: it is sent at once, waits
 * for the end of the window, counts what was filed and sends the count. If the window before had
 * the same cause, only the count is sent. An alert is filed and counted in commits of its run, so a
 * crash neither loses nor repeats it.
 */
public final class AlertDesk {
  /** The outbox's destination of all alerts that go to channels. */
  public static final String DESTINATION = "hapax.alerts";

  /** The name of the caller who starts a flow as a channel. */
  static final String STARTER = "hapax alerts";

  private static final Logger log = LoggerFactory.getLogger(AlertDesk.class);
  private static final String FILED = "hapax/alerts/filed/";
  private static final String LEADS = "hapax/alerts/leads/";
  private static final String CLOSED = "closed";

  /** Longer than a window, and longer than a delivery may take to begin. */
  private static final Duration KEPT = Duration.ofDays(8);

  private static final int MOST_ROUNDS = 100;
  private static final int MOST_PARENTS = 32;
  private static final int PAGE = 1_000;
  private static final int SHOWN_RUNS = 10;
  private static final int LONGEST_MESSAGE = 2_000;
  private static final int LONGEST_KEY = 200;

  private static final RetryPolicy PATIENT =
      new RetryPolicy(
          1_000, Duration.ofSeconds(1), 2, Duration.ofMinutes(5), 0.2, Duration.ofHours(24));

  private final Hapax hapax;
  private final Clock clock;
  private final Function<@Nullable String, AlertPlan> plans;
  private final Function<String, String> redact;

  /**
   * The alerts of one tenant.
   *
   * @param plans the plan of a flow; of none for alerts that are about no flow
   * @param redact removes secrets from a text
   */
  public AlertDesk(
      Hapax hapax,
      Clock clock,
      Function<@Nullable String, AlertPlan> plans,
      Function<String, String> redact) {
    this.hapax = hapax;
    this.clock = clock;
    this.plans = plans;
    this.redact = redact;
  }

  /**
   * Where an alert belongs.
   *
   * @param from the beginning of its window
   */
  record Filing(String cause, Instant at, Instant from, Instant until, List<Channel> channels) {
    String place() {
      return cause + "/" + from.toEpochMilli();
    }

    String placeBefore() {
      long length = until.toEpochMilli() - from.toEpochMilli();
      return cause + "/" + (from.toEpochMilli() - length);
    }
  }

  /** An alert as it is filed. */
  record Filed(@Nullable String run, Instant at) {}

  /** What was filed in a window. */
  record Count(long count, Filed first, Filed last, List<String> runs) {}

  /** Handles one alert, as the body of its run. */
  public @Nullable Void handle(RunContext run, OutgoingMessage message) {
    Instant after = Instant.EPOCH;
    for (int round = 1; round <= MOST_ROUNDS; round++) {
      String suffix = round == 1 ? "" : "-" + round;
      Instant from = after;
      Filing filing =
          run.read(
              "cause" + suffix, Read.retried(PATIENT), () -> filing(message, from), Filing.class);
      if (filing.channels().isEmpty()) {
        return null;
      }
      var filed = new Filed(text(data(message), "run"), filing.at());
      // Filed first: a leader that closes the window afterwards counts it.
      var _ =
          run.kv().put("file" + suffix, FILED + filing.place() + "/" + message.id(), filed, KEPT);
      KvResult lead =
          run.kv().putIfAbsent("lead" + suffix, LEADS + filing.place(), message.id(), KEPT);
      if (lead.written()) {
        lead(run, message, filing);
        return null;
      }
      if (!CLOSED.equals(lead.value(String.class))) {
        return null; // the leader counts it
      }
      after = filing.until();
    }
    throw new IllegalStateException("all windows were closed early");
  }

  private void lead(RunContext run, OutgoingMessage message, Filing filing) {
    Count alone = run.read("found", Read.retried(PATIENT), () -> count(filing), Count.class);
    boolean goesOn =
        run.read(
            "goes-on",
            Read.retried(PATIENT),
            () -> hapax.kv().get(LEADS + filing.placeBefore()).isPresent(),
            Boolean.class);
    if (!goesOn) {
      var one = new Count(1, alone.first(), alone.first(), alone.runs().stream().limit(1).toList());
      tell(run, "first", message, filing, one, false);
    }
    run.sleep("window", Duration.between(filing.at(), filing.until()));
    var _ = run.kv().put("close", LEADS + filing.place(), CLOSED, KEPT);
    Count all = run.read("count", Read.retried(PATIENT), () -> count(filing), Count.class);
    if (goesOn || all.count() > 1) {
      tell(run, "all", message, filing, all, true);
    }
  }

  private void tell(
      RunContext run,
      String name,
      OutgoingMessage message,
      Filing filing,
      Count count,
      boolean isCount) {
    Map<String, @Nullable Object> alert = content(message, filing, count, isCount);
    for (int i = 0; i < filing.channels().size(); i++) {
      Channel channel = filing.channels().get(i);
      var addressed = new LinkedHashMap<String, @Nullable Object>();
      addressed.put("channel", channel);
      addressed.put("alert", alert);
      var _ =
          run.publish(
              name + "-" + i,
              Message.to(channel.kind().destination()).type(message.type()).data(addressed));
    }
  }

  /** Bounded, also if the values of the run are large. */
  private Map<String, @Nullable Object> content(
      OutgoingMessage message, Filing filing, Count count, boolean isCount) {
    Map<?, ?> data = data(message);
    var alert = new LinkedHashMap<String, @Nullable Object>();
    alert.put("id", message.id() + (isCount ? "-all" : ""));
    alert.put("alert", text(data, "alert"));
    for (String name : List.of("flow", "key", "run", "step", "item", "schedule", "destination")) {
      String value = text(data, name);
      if (value != null) {
        alert.put(
            name, value.length() <= LONGEST_KEY ? value : value.substring(0, LONGEST_KEY) + "…");
      }
    }
    if (data.get("error") instanceof Map<?, ?> error) {
      alert.put("code", text(error, "code"));
      alert.put("message", shortened(text(error, "message")));
      if (text(error, "step") != null) {
        alert.put("step", text(error, "step"));
      }
    }
    if (text(data, "note") != null) {
      alert.put("message", shortened(text(data, "note")));
    }
    if (text(data, "since") != null) {
      alert.put("since", text(data, "since"));
    }
    if (text(data, "runbook") != null) {
      alert.put("runbook", shortened(text(data, "runbook")));
    }
    alert.put("count", count.count());
    alert.put("first", count.first());
    alert.put("last", count.last());
    alert.put("runs", count.runs());
    alert.put("from", filing.from().toString());
    alert.put("until", filing.until().toString());
    return alert;
  }

  private @Nullable String shortened(@Nullable String text) {
    if (text == null) {
      return null;
    }
    String shown = redact.apply(text);
    return shown.length() <= LONGEST_MESSAGE ? shown : shown.substring(0, LONGEST_MESSAGE) + "…";
  }

  /** It belongs to the window of now, or to one that begins later. */
  private Filing filing(OutgoingMessage message, Instant after) {
    Map<?, ?> data = data(message);
    AlertPlan plan = plans.apply(text(data, "flow"));
    Duration window = plan.window() == null ? AlertPlan.WINDOW : plan.window();
    long length = window.toMillis();
    Instant now = clock.now();
    Instant at = now.isBefore(after) ? after : now;
    long from = Math.floorDiv(at.toEpochMilli(), length) * length;
    return new Filing(
        cause(data),
        at,
        Instant.ofEpochMilli(from),
        Instant.ofEpochMilli(from + length),
        channels(plan, data));
  }

  /** The same flow, step and code, or the same schedule, destination or kind, is the same cause. */
  private static String cause(Map<?, ?> data) {
    var parts = new ArrayList<@Nullable String>();
    for (String name : List.of("alert", "schedule", "destination")) {
      parts.add(text(data, name));
    }
    if (data.get("destination") == null) {
      parts.add(text(data, "flow"));
      parts.add(text(data, "step"));
    }
    if (data.get("error") instanceof Map<?, ?> error) {
      parts.add(text(error, "code"));
      parts.add(text(error, "step"));
    }
    byte[] hash = Digest.sha256(CanonicalJson.of(Json.write(parts)));
    return HexFormat.of().formatHex(hash, 0, 12);
  }

  private List<Channel> channels(AlertPlan plan, Map<?, ?> data) {
    String word = text(data, "alert");
    List<Channel> all =
        Arrays.stream(Alert.values())
            .filter(alert -> alert.word().equals(word))
            .flatMap(alert -> plan.channels().getOrDefault(alert, List.of()).stream())
            .toList();
    boolean isOfChannel = isOfChannel(text(data, "run"));
    List<Channel> safe =
        all.stream()
            .filter(channel -> channel.kind() != Channel.Kind.FLOW || !isOfChannel)
            .filter(
                channel ->
                    channel.kind() != Channel.Kind.FLOW
                        || !channel.name().equals(text(data, "flow")))
            .toList();
    if (safe.isEmpty() && !all.isEmpty()) {
      log.error(
          "an alert about run {} goes to no channel: it is about a flow that was started by an alert",
          text(data, "run"));
    }
    return safe;
  }

  /** A flow that gets alerts about its own failures would be started again and again. */
  private boolean isOfChannel(@Nullable String id) {
    if (id == null) {
      return false;
    }
    Run run;
    try {
      run = hapax.run(id);
    } catch (IllegalArgumentException e) { // it is gone
      return false;
    }
    for (int i = 0; i < MOST_PARENTS; i++) {
      if (run.startedBy() != null && run.startedBy().name().equals(STARTER)) {
        return true;
      }
      Run parent = run.parent() == null ? null : hapax.findRun(run.parent());
      if (parent == null) {
        return false;
      }
      run = parent;
    }
    return true;
  }

  private Count count(Filing filing) {
    String prefix = FILED + filing.place() + "/";
    long count = 0;
    Filed first = null;
    Filed last = null;
    var runs = new ArrayList<String>();
    String after = null;
    List<KvEntry> page;
    do {
      page = hapax.kv().list(prefix, after, PAGE);
      for (KvEntry entry : page) {
        Filed filed = Json.read(entry.value(), Filed.class);
        count++;
        first = first == null || filed.at().isBefore(first.at()) ? filed : first;
        last = last == null || filed.at().isAfter(last.at()) ? filed : last;
        if (runs.size() < SHOWN_RUNS && filed.run() != null) {
          runs.add(filed.run());
        }
        after = entry.key();
      }
    } while (page.size() == PAGE);
    if (first == null || last == null) {
      throw new IllegalStateException("no alert is filed under " + prefix);
    }
    return new Count(count, first, last, runs);
  }

  private static Map<?, ?> data(OutgoingMessage message) {
    Map<?, ?> data = message.read(Map.class);
    return data == null ? Map.of() : data;
  }

  private static @Nullable String text(Map<?, ?> data, String name) {
    Object value = data.get(name);
    return value == null ? null : String.valueOf(value);
  }
}
