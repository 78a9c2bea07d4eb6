package dev.hapax.app.webhook;

import dev.hapax.app.http.Call;
import dev.hapax.app.http.FlowSubject;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.RouteAnswer;
import dev.hapax.app.http.TokenScope;
import dev.hapax.app.release.EventOrigin;
import dev.hapax.app.release.EventOrigins;
import dev.hapax.app.wire.EventView;
import dev.hapax.app.wire.PageRows;
import dev.hapax.flow.InboxEvent;
import dev.hapax.flow.InboxOutcome;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code /api/inbox}: the events that were received, and their outcomes. */
final class InboxRoutes {
  private static final FlowSubject OF_EVENT =
      FlowSubject.of("event", "id", call -> event(call).flow());

  private final EventOrigins origins;

  InboxRoutes(EventOrigins origins) {
    this.origins = origins;
  }

  List<Route> routes() {
    return List.of(
        Route.get(
                "/api/inbox",
                TokenScope.INBOX_READ,
                "List received events, newest first",
                InboxRoutes::list)
            .about(FlowSubject.LISTED)
            .query("source", "The path of a webhook, or `queue/` and the name of a queue.")
            .query("event", "The id that the source gave the event.")
            .query("outcome", "The outcome of the event.")
            .query("repeated", "With true, only events that came again.")
            .givesPage(EventView.class),
        Route.get(
                "/api/inbox/{id}",
                TokenScope.INBOX_READ,
                "Get an event and its payload",
                InboxRoutes::get)
            .about(OF_EVENT)
            .gives(200, EventView.class),
        Route.post(
                "/api/inbox/{id}/retry",
                TokenScope.INBOX_WRITE,
                "Try an event again that is invalid, rejected or in review",
                this::retry)
            .about(OF_EVENT)
            .gives(200, Receipt.class),
        Route.post(
                "/api/inbox/replay",
                TokenScope.INBOX_WRITE,
                "Try the events of a time again that started nothing, or say what would become of"
                    + " them",
                call ->
                    RouteAnswer.ok(
                        new EventReplay(origins)
                            .replay(call, call.json(EventReplay.ReplayBody.class))))
            .about(FlowSubject.LISTED)
            .takes(EventReplay.ReplayBody.class)
            .gives(200, EventReplay.Replayed.class));
  }

  private static RouteAnswer list(Call call) {
    call.allowQuery("source", "event", "outcome", "repeated", "limit", "after");
    int limit = call.limit();
    String after = call.query("after");
    var filter =
        call.hapax()
            .inbox()
            .events()
            .source(call.query("source"))
            .event(call.query("event"))
            .outcome(outcome(call.query("outcome")))
            .repeated(call.flag("repeated"))
            .page(after == null ? null : Long.valueOf(InboxEvent.number(after)), limit + 1);
    var rows =
        new PageRows<InboxEvent>(
            (before, most) ->
                call.hapax()
                    .inbox()
                    .events((before == null ? filter : filter.before(before)).limit(most)),
            event -> InboxEvent.number(event.id()),
            event -> event.payload().length());
    return RouteAnswer.ok(
        rows.page(null, limit, event -> call.mayUse(event.flow()), EventView::of, InboxEvent::id));
  }

  static @Nullable InboxOutcome outcome(@Nullable String word) {
    if (word == null) {
      return null;
    }
    return Arrays.stream(InboxOutcome.values())
        .filter(outcome -> outcome.word().equals(word))
        .findFirst()
        .orElseThrow(
            () ->
                Problem.invalidInput(
                    "outcome: expected one of %s, got '%s'"
                        .formatted(
                            Arrays.stream(InboxOutcome.values()).map(InboxOutcome::word).toList(),
                            word)));
  }

  private static RouteAnswer get(Call call) {
    return RouteAnswer.ok(EventView.withPayload(event(call)));
  }

  private static InboxEvent event(Call call) {
    String id = call.path("id");
    try {
      return call.hapax().inbox().event(id);
    } catch (IllegalArgumentException e) {
      throw Problem.notFound("there is no event '%s': %s".formatted(id, e.getMessage()));
    }
  }

  private RouteAnswer retry(Call call) {
    InboxEvent event = event(call);
    EventOrigin origin = origins.find(call.actor().tenant(), event.source());
    if (origin == null
        || !call.mayUse(origin.owner().flow())) { // another flow may have the path now
      throw Problem.notPossible(
          "no live release has the source '%s' any more; promote one that has it"
              .formatted(event.source()));
    }
    if (!event.outcome().canBeTriedAgain()) {
      throw Problem.notPossible(
          "event %s is %s; only an event that is invalid, rejected or in review can be tried again"
              .formatted(event.id(), event.outcome().word()));
    }
    return RouteAnswer.ok(Receipt.of(call.hapax().inbox().retry(event.id(), origin.source())));
  }
}
