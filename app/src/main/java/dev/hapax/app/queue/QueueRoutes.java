package dev.hapax.app.queue;

import dev.hapax.app.http.Call;
import dev.hapax.app.http.FlowSubject;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.RouteAnswer;
import dev.hapax.app.http.TokenScope;
import dev.hapax.app.queue.LiveQueues.LiveQueue;
import dev.hapax.app.wire.Page;
import dev.hapax.flow.Names;
import dev.hapax.flow.NotApplied;
import dev.hapax.flow.Rejected;
import dev.hapax.flows.queue.QueueConsumer;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code /api/queues}: list, pause, resume and seek. */
public final class QueueRoutes {
  private static final String NAME = "name";

  private final LiveQueues queues;

  public QueueRoutes(LiveQueues queues) {
    this.queues = queues;
  }

  public List<Route> routes() {
    FlowSubject ofQueue = FlowSubject.of("queue", NAME, call -> found(call).owner().flow());
    return List.of(
        Route.get("/api/queues", TokenScope.INBOX_READ, "List queues by name", this::list)
            .about(FlowSubject.LISTED)
            .givesPage(QueueView.class),
        Route.get("/api/queues/{name}", TokenScope.INBOX_READ, "Get a queue", this::get)
            .about(ofQueue)
            .gives(200, QueueView.class),
        Route.post(
                "/api/queues/{name}/pause",
                TokenScope.INBOX_WRITE,
                "Pause a queue on all nodes: its messages stay at the broker",
                this::pause)
            .about(ofQueue)
            .gives(200, QueueView.class),
        Route.post(
                "/api/queues/{name}/resume", TokenScope.INBOX_WRITE, "Resume a queue", this::resume)
            .about(ofQueue)
            .gives(200, QueueView.class),
        Route.post(
                "/api/queues/{name}/seek",
                TokenScope.INBOX_WRITE,
                "Let the messages since a time come again; those that came before start nothing",
                this::seek)
            .about(ofQueue)
            .takes(SeekBody.class)
            .gives(200, Sought.class));
  }

  private RouteAnswer list(Call call) {
    call.allowQuery("limit", "after");
    String after = call.query("after");
    List<LiveQueue> left =
        queues.of(call.actor().tenant()).stream()
            .filter(queue -> call.mayUse(queue.owner().flow()))
            .filter(queue -> after == null || queue.key().name().compareTo(after) > 0)
            .sorted(Comparator.comparing(queue -> queue.key().name()))
            .toList();
    return RouteAnswer.ok(Page.of(left, call.limit(), this::shown, queue -> queue.key().name()));
  }

  private RouteAnswer get(Call call) {
    return RouteAnswer.ok(shown(found(call)));
  }

  private RouteAnswer pause(Call call) {
    queues.pauses().pause(found(call).key(), call.actor().name());
    return get(call);
  }

  private RouteAnswer resume(Call call) {
    queues.pauses().resume(found(call).key());
    return get(call);
  }

  /** The time of the first message that comes again. */
  record SeekBody(@Nullable Instant since) {}

  /** How many messages come again; null if the broker does not say. */
  record Sought(@Nullable Long messages) {}

  private RouteAnswer seek(Call call) {
    Instant since = call.json(SeekBody.class).since();
    if (since == null) {
      throw Problem.invalidInput("since: expected a time such as 2026-11-15T10:00:00Z");
    }
    try {
      var _ = Names.moment("since", since);
    } catch (IllegalArgumentException e) {
      throw Problem.invalidInput(String.valueOf(e.getMessage()));
    }
    LiveQueue queue = found(call);
    try (QueueConsumer consumer = queues.open(queue)) {
      return RouteAnswer.ok(new Sought(seek(call, queue, consumer, since)));
    } catch (UnsupportedOperationException e) {
      throw Problem.notPossible(String.valueOf(e.getMessage()));
    } catch (NotApplied | Rejected e) {
      throw Problem.notPossible("nothing was changed: " + e.getMessage());
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw Problem.unavailable("the broker did not answer: " + e.getMessage());
    }
  }

  private @Nullable Long seek(Call call, LiveQueue queue, QueueConsumer consumer, Instant since)
      throws Exception {
    if (!consumer.seeksAlone()) {
      return consumer.seek(since);
    }
    List<LiveQueue> sharing = queues.sharing(queue);
    try {
      sharing.forEach(one -> queues.pauses().leave(one.key(), call.actor().name()));
      return consumer.seek(since);
    } finally {
      sharing.forEach(one -> queues.pauses().comeBack(one.key()));
    }
  }

  private LiveQueue found(Call call) {
    String name = call.path(NAME);
    LiveQueue queue = queues.find(new QueueKey(call.actor().tenant(), name));
    if (queue == null) {
      throw Problem.notFound("there is no queue '%s'".formatted(name));
    }
    return queue;
  }

  private QueueView shown(LiveQueue queue) {
    return QueueView.of(
        queue, queues.figuresOf(queue.key()).now(), queues.pauses().has(queue.key()));
  }
}
