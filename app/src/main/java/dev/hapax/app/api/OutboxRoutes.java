package dev.hapax.app.api;

import dev.hapax.Delivery;
import dev.hapax.Outbox;
import dev.hapax.OutboxFilter;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.FlowSubject;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.RouteAnswer;
import dev.hapax.app.http.TokenScope;
import dev.hapax.app.wire.HistoryView;
import dev.hapax.app.wire.MessageView;
import dev.hapax.app.wire.PageRows;
import dev.hapax.flow.RunStatus;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** {@code /api/outbox}: the messages that runs have published, and their deliveries. */
public final class OutboxRoutes {
  private static final int MOST_ATTEMPTS = 200;
  private static final FlowSubject OF_MESSAGE =
      FlowSubject.of("message", "id", call -> message(call).flow());

  private OutboxRoutes() {}

  public static List<Route> routes() {
    return List.of(
        Route.get(
                "/api/outbox",
                TokenScope.RUNS_READ,
                "List published messages, newest first",
                OutboxRoutes::list)
            .about(FlowSubject.LISTED)
            .query("status", "delivered, undelivered or dead; or the status of the delivery's run.")
            .query("destination", "A destination, or the beginning of names followed by *.")
            .query("since", "Only messages published at this time or later.")
            .query("until", "Only messages published before this time.")
            .givesPage(MessageView.class),
        Route.get(
                "/api/outbox/{id}",
                TokenScope.RUNS_READ,
                "Get a message, its content and the attempts to deliver it",
                OutboxRoutes::get)
            .about(OF_MESSAGE)
            .gives(200, MessageView.class),
        Route.post(
                "/api/outbox/{id}/redeliver",
                TokenScope.RUNS_WRITE,
                "Deliver a message again, under the same id",
                OutboxRoutes::redeliver)
            .about(OF_MESSAGE)
            .gives(200, MessageView.class));
  }

  private static RouteAnswer list(Call call) {
    call.allowQuery("status", "destination", "since", "until", "limit", "after");
    int limit = call.limit();
    Instant since = Runs.time(call, "since");
    Instant until = Runs.time(call, "until");
    OutboxFilter filter =
        OutboxFilter.ALL
            .destination(call.query("destination"))
            .anyOf(statuses(call.query("status")))
            .published(since, until == null ? null : Runs.inRange(until));
    Outbox outbox = call.hapax().outbox();
    var rows =
        new PageRows<Delivery>(
            (before, most) -> outbox.list(filter.page(before, most)),
            Delivery::number,
            delivery -> delivery.message().json().length());
    return RouteAnswer.ok(
        rows.page(
            Cursor.after(call),
            limit,
            delivery -> call.mayUse(delivery.flow()),
            MessageView::of,
            delivery -> Cursor.of(delivery.number())));
  }

  private static Set<RunStatus> statuses(@Nullable String word) {
    return switch (word) {
      case null -> Set.of();
      case "delivered" -> OutboxFilter.DELIVERED;
      case "undelivered" -> OutboxFilter.UNDELIVERED;
      case "dead" -> OutboxFilter.DEAD;
      default ->
          Arrays.stream(RunStatus.values())
              .filter(status -> status.word().equals(word))
              .findFirst()
              .map(Set::of)
              .orElseThrow(
                  () ->
                      Problem.invalidInput(
                          "status: expected delivered, undelivered, dead or one of %s, got '%s'"
                              .formatted(
                                  Arrays.stream(RunStatus.values()).map(RunStatus::word).toList(),
                                  word)));
    };
  }

  /** Returns the message. A malformed id counts as not found. */
  private static Delivery message(Call call) {
    String id = call.path("id");
    try {
      return call.hapax().outbox().message(id);
    } catch (IllegalArgumentException e) {
      throw Problem.notFound("there is no message '%s'".formatted(id));
    }
  }

  private static RouteAnswer get(Call call) {
    call.allowQuery();
    return RouteAnswer.ok(view(call, message(call)));
  }

  private static MessageView view(Call call, Delivery delivery) {
    return MessageView.of(
        delivery,
        call.hapax().history(delivery.run(), 0, MOST_ATTEMPTS).entries().stream()
            .filter(entry -> entry.attempt() != null)
            .map(HistoryView::of)
            .toList());
  }

  private static RouteAnswer redeliver(Call call) {
    Delivery asked = message(call);
    return RouteAnswer.ok(
        view(call, call.hapax().outbox().redeliver(asked.run(), call.actor().name())));
  }
}
