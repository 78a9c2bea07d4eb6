package dev.hapax.app.queue;

import dev.hapax.Hapax;
import dev.hapax.app.data.Records;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Tenants;
import dev.hapax.app.release.EventOrigin;
import dev.hapax.app.release.EventOrigins;
import dev.hapax.app.release.FlowName;
import dev.hapax.app.release.LiveFlows;
import dev.hapax.app.release.Releases;
import dev.hapax.flow.RunFilter;
import dev.hapax.flows.LoadedFlow;
import dev.hapax.flows.connection.Connection;
import dev.hapax.flows.queue.QueueConsumer;
import dev.hapax.flows.trigger.QueueTrigger;
import dev.hapax.flows.trigger.Trigger;
import dev.hapax.time.Ports;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads the queues of all live releases on this node. A promotion replaces a consumer after its
 * last batch; the broker, or the rows of a table, keep the position. Safe for many threads.
 */
public final class LiveQueues implements Releases.Promoted, EventOrigins {
  /** Each one asks its database twice a second. */
  private static final int MOST_OF_TENANT = 100;

  /** The name of a source in the inbox has at most 128. */
  private static final int LONGEST_NAME = 100;

  private final Tenants tenants;
  private final LiveFlows.FilesOfTenant files;
  private final QueuePauses pauses;
  private final GroupPlaces places;
  private final Predicate<String> held;
  private final BiPredicate<String, String> isWebhook;
  private final Ports ports;
  private final BiConsumer<String, QueueCounts> counted;
  private final Map<QueueKey, QueueFigures> figures = new ConcurrentHashMap<>();
  private final Map<QueueKey, LiveQueue> live = new ConcurrentHashMap<>();
  // Guarded by this: they hold the queue of the same name until their last batch is done.
  private final Map<QueueKey, QueueWorker> workers = new HashMap<>();
  private boolean isClosed; // guarded by this

  /** A trigger of a live release. */
  record LiveQueue(QueueKey key, FlowName owner, LoadedFlow flow, QueueTrigger trigger) {
    /**
     * Returns a name that no other trigger has, and none that a file can give: each trigger gets
     * all messages of a topic. Names may have dots, so these do not separate them.
     */
    String group() {
      return "hapax/" + Records.name(owner.tenant(), owner.flow(), key.name());
    }

    /** Returns the group that it reads in: the one that the file names, or its own. */
    String readsIn() {
      String named = trigger.group();
      return named == null ? group() : named;
    }
  }

  /**
   * The queues of all tenants.
   *
   * @param held whether a tenant is suspended
   * @param isWebhook whether a webhook of this tenant has this path, which is its source
   * @param counted learns of each queue that is counted from now on, by its name
   */
  public LiveQueues(
      Tenants tenants,
      LiveFlows.FilesOfTenant files,
      QueuePauses pauses,
      GroupPlaces places,
      Predicate<String> held,
      BiPredicate<String, String> isWebhook,
      BiConsumer<String, QueueCounts> counted,
      Ports ports) {
    this.tenants = tenants;
    this.files = files;
    this.pauses = pauses;
    this.places = places;
    this.held = held;
    this.isWebhook = isWebhook;
    this.counted = counted;
    this.ports = ports;
  }

  @Override
  public void check(FlowName flow, LoadedFlow next) {
    List<LiveQueue> queues = queuesOf(flow, next);
    long others = of(flow.tenant()).stream().filter(queue -> !queue.owner().equals(flow)).count();
    if (!queues.isEmpty() && others + queues.size() > MOST_OF_TENANT) {
      throw Problem.notPossible(
          "the tenant would have more than %d queues. Retire a flow that reads one."
              .formatted(MOST_OF_TENANT));
    }
    if (queues.stream().map(LiveQueue::key).distinct().count() < queues.size()) {
      throw Problem.notPossible(
          "two queues of %s have the same name. Give each one a 'name'.".formatted(flow));
    }
    for (LiveQueue queue : queues) {
      String name = queue.key().name();
      if (name.length() > LONGEST_NAME) {
        throw Problem.notPossible(
            "queue '%s': the name has more than %d characters. Give the trigger a shorter 'name'."
                .formatted(name, LONGEST_NAME));
      }
      if (isWebhook.test(flow.tenant(), queue.key().source())) {
        throw Problem.notPossible(
            "queue '%s': a webhook has the path '%s', so their events could not be told apart. Give the trigger another 'name'."
                .formatted(name, queue.key().source()));
      }
      String problem = files.of(flow.tenant()).queueProblem(queue.trigger(), queue.group());
      if (problem != null) {
        throw Problem.notPossible("queue '%s': %s.".formatted(queue.key().name(), problem));
      }
    }
  }

  @Override
  public synchronized void promoted(FlowName flow, @Nullable LoadedFlow before, LoadedFlow now) {
    List<LiveQueue> next = queuesOf(flow, now);
    stopAllBut(flow, next);
    for (LiveQueue queue : next) {
      live.put(queue.key(), queue);
      QueueWorker old = workers.get(queue.key());
      if (old != null) {
        old.stop();
      }
      if (!isClosed) {
        QueueWorker worker = worker(queue);
        workers.put(queue.key(), worker);
        worker.start(old);
      }
    }
  }

  @Override
  public synchronized void retired(FlowName flow) {
    stopAllBut(flow, List.of());
  }

  private void stopAllBut(FlowName flow, List<LiveQueue> next) {
    for (LiveQueue there : List.copyOf(live.values())) {
      boolean stays = next.stream().anyMatch(queue -> queue.key().equals(there.key()));
      if (there.owner().equals(flow) && !stays) {
        live.remove(there.key());
        QueueWorker worker = workers.get(there.key());
        if (worker != null) {
          worker.stop();
        }
      }
    }
  }

  private QueueWorker worker(LiveQueue queue) {
    Hapax hapax = tenants.hapax(queue.key().tenant());
    QueueFigures own = figuresOf(queue.key());
    Integer given = queue.trigger().inFlight();
    var inFlight =
        new InFlight(
            hapax,
            RunFilter.of(queue.key().tenant()).flow(queue.owner().flow()),
            given == null ? InFlight.USUAL : given,
            ports.clock());
    return new QueueWorker(
        queue.key(),
        opening(queue),
        new MessageReceiver(hapax.inbox(), events(queue), inFlight, own, ports.clock()),
        new MessageRoom(hapax.memory(), queue.trigger().format()),
        () -> hindrance(queue.key(), hapax, inFlight),
        own,
        ports);
  }

  private QueueWorker.@Nullable Obstacle hindrance(QueueKey key, Hapax hapax, InFlight inFlight) {
    if (hapax.restored() != null) {
      return new QueueWorker.Obstacle(
          "the store was restored: nothing is read until it is declared",
          QueueWorker.Stance.LEAVES);
    }
    if (held.test(key.tenant())) {
      return new QueueWorker.Obstacle("the tenant is suspended", QueueWorker.Stance.LEAVES);
    }
    if (pauses.isLeft(key)) {
      return new QueueWorker.Obstacle(
          "the position of the group is being changed", QueueWorker.Stance.LEAVES);
    }
    if (pauses.has(key)) {
      return new QueueWorker.Obstacle(QueueFigures.PAUSED, QueueWorker.Stance.KEEPS);
    }
    String full = inFlight.obstacle();
    return full == null ? null : new QueueWorker.Obstacle(full, QueueWorker.Stance.HOLDS);
  }

  private QueueWorker.Opening opening(LiveQueue queue) {
    return new QueueWorker.Opening() {
      @Override
      public Connection connection() {
        return files.of(queue.key().tenant()).queueConnection(queue.trigger());
      }

      @Override
      public QueueConsumer open(Connection connection) throws Exception {
        String tenant = queue.key().tenant();
        QueueFigures own = figuresOf(queue.key());
        return files
            .of(tenant)
            .openQueue(
                connection,
                queue.trigger(),
                queue.group(),
                group -> places.of(tenant, group, own::notice));
      }

      @Override
      public String shown(String words) {
        return files.of(queue.key().tenant()).redaction().redact(words);
      }
    };
  }

  /** Opens a consumer besides those that read. A restored store reaches nothing outside. */
  QueueConsumer open(LiveQueue queue) throws Exception {
    if (tenants.hapax(queue.key().tenant()).restored() != null) {
      throw Problem.restored(
          "the store was restored, and this server reaches no queue until a person declares it: hapax restore");
    }
    QueueWorker.Opening opening = opening(queue);
    return opening.open(opening.connection());
  }

  private MessageEvent events(LiveQueue queue) {
    Hapax hapax = tenants.hapax(queue.key().tenant());
    return new MessageEvent(
        queue.flow(),
        queue.trigger(),
        queue.key().source(),
        bytes -> hapax.resources().put(bytes, MessageBody.CONTENT_TYPE),
        hapax.memory().mostBeside());
  }

  private static List<LiveQueue> queuesOf(FlowName flow, LoadedFlow loaded) {
    var queues = new ArrayList<LiveQueue>();
    for (Trigger trigger : loaded.file().triggers()) {
      if (trigger instanceof QueueTrigger queue) {
        var key = new QueueKey(flow.tenant(), queue.nameIn(flow.flow()));
        queues.add(new LiveQueue(key, flow, loaded, queue));
      }
    }
    return queues;
  }

  /** Returns the queues of a tenant. */
  List<LiveQueue> of(String tenant) {
    return live.values().stream().filter(queue -> queue.key().tenant().equals(tenant)).toList();
  }

  @Nullable LiveQueue find(QueueKey key) {
    return live.get(key);
  }

  /** Returns the queues of the tenant that may read in the same group as this one, and itself. */
  List<LiveQueue> sharing(LiveQueue queue) {
    return of(queue.key().tenant()).stream()
        .filter(one -> one.readsIn().equals(queue.readsIn()))
        .toList();
  }

  QueueFigures figuresOf(QueueKey key) {
    return figures.computeIfAbsent(
        key,
        _ -> {
          var counts = new QueueFigures(ports.clock());
          counted.accept(key.name(), counts);
          return counts;
        });
  }

  QueuePauses pauses() {
    return pauses;
  }

  @Override
  public @Nullable EventOrigin find(String tenant, String source) {
    LiveQueue queue =
        source.startsWith(QueueKey.SOURCE)
            ? live.get(new QueueKey(tenant, source.substring(QueueKey.SOURCE.length())))
            : null;
    return queue == null ? null : new EventOrigin(queue.owner(), events(queue).now());
  }

  /** Reads no further batch. */
  public void stop() {
    Collection<QueueWorker> open;
    synchronized (this) {
      isClosed = true;
      open = List.copyOf(workers.values());
    }
    open.forEach(QueueWorker::stop);
  }

  /** Waits at most this long for the batches under way. */
  public void drain(Duration atMost) {
    stop();
    Collection<QueueWorker> open;
    synchronized (this) {
      open = List.copyOf(workers.values());
    }
    long end = ports.clock().nanos() + atMost.toNanos();
    for (QueueWorker worker : open) {
      worker.awaitEnd(Duration.ofNanos(Math.max(0, end - ports.clock().nanos())));
    }
  }
}
