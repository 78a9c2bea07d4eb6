package dev.hapax.app.alert;

import dev.hapax.Delivery;
import dev.hapax.Hapax;
import dev.hapax.RunCanceled;
import dev.hapax.RunFailed;
import dev.hapax.RunInReview;
import dev.hapax.RunUnfinished;
import dev.hapax.app.http.Call;
import dev.hapax.flow.HistoryEntry;
import dev.hapax.flow.Message;
import dev.hapax.flow.NotPossible;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunStatus;
import dev.hapax.flows.alert.AlertDesk;
import dev.hapax.flows.alert.Channel;
import dev.hapax.time.Ports;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Sends a test alert to channels, through the outbox as any other. */
public final class TestAlert {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int MOST = 200;

  private final Ports ports;
  private final Consumer<String> open;

  /**
   * Tests of a server's channels.
   *
   * @param open makes the couriers of a tenant's channels ready
   */
  public TestAlert(Ports ports, Consumer<String> open) {
    this.ports = ports;
    this.open = open;
  }

  List<AlertRoutes.Tested> send(Call call, List<Channel> channels) {
    open.accept(call.actor().tenant());
    Hapax hapax = call.hapax();
    String name = "alert-test/" + Long.toString(ports.random().nextLong(), Character.MAX_RADIX);
    Map<String, Channel> sent = new LinkedHashMap<>();
    for (Channel channel : channels) {
      String id =
          hapax
              .outbox()
              .publish(
                  name + "/" + sent.size(),
                  Message.to(channel.kind().destination())
                      .type("hapax.alert.test")
                      .data(Map.of("channel", channel, "alert", content(call))));
      sent.put(id, channel);
    }
    List<AlertRoutes.Tested> tested = new ArrayList<>();
    long end = ports.clock().nanos() + PATIENCE.toNanos();
    for (Delivery delivery : hapax.outbox().newest(AlertDesk.DESTINATION + ".", MOST)) {
      Channel channel = sent.get(delivery.message().id());
      if (channel != null) {
        tested.add(result(call, channel, delivery.run(), end));
      }
    }
    return tested;
  }

  private Map<String, Object> content(Call call) {
    return Map.of(
        "alert",
        "test",
        "message",
        "This is a test, requested by '%s'. Nothing is wrong.".formatted(call.actor().name()),
        "at",
        ports.clock().now().toString());
  }

  private AlertRoutes.Tested result(Call call, Channel channel, String id, long end) {
    Hapax hapax = call.hapax();
    await(hapax, id, Duration.ofNanos(Math.max(1, end - ports.clock().nanos())));
    Run run = hapax.run(id);
    boolean isDelivered = run.status() == RunStatus.SUCCEEDED;
    String problem = isDelivered ? null : problem(hapax, run);
    if (!run.status().isEnd()) {
      stop(hapax, id, call.actor().name());
    }
    return new AlertRoutes.Tested(channel.id(), channel.to(), isDelivered, id, problem);
  }

  private static void await(Hapax hapax, String run, Duration atMost) {
    try {
      var _ = hapax.handle(run, Object.class).await(atMost);
    } catch (RunUnfinished | RunFailed | RunInReview | RunCanceled e) {
      // its record says what happened
    }
  }

  private static String problem(Hapax hapax, Run run) {
    if (run.error() != null) {
      return run.error().code() + ": " + run.error().message();
    }
    return hapax.history(run.id().toString()).stream()
        .map(TestAlert::evidence)
        .filter(Objects::nonNull)
        .reduce((_, last) -> last)
        .orElse("it is not delivered yet");
  }

  private static @Nullable String evidence(HistoryEntry entry) {
    HistoryEntry.Reason reason = entry.reason();
    return reason != null ? reason.toString() : entry.evidence();
  }

  /** A test that arrives hours later would confuse its readers. */
  private static void stop(Hapax hapax, String run, String actor) {
    try {
      hapax.cancel(run, actor, "the test is over");
    } catch (NotPossible e) {
      // it has ended meanwhile
    }
  }
}
