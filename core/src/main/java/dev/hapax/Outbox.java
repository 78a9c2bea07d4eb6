package dev.hapax;

import dev.hapax.engine.Engine;
import dev.hapax.engine.control.RunControl;
import dev.hapax.flow.Effect;
import dev.hapax.flow.EffectKey;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Message;
import dev.hapax.flow.Names;
import dev.hapax.flow.NotFound;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunFilter;
import dev.hapax.flow.RunId;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.SettleDecision;
import dev.hapax.run.NewRun;
import dev.hapax.run.StoredMessage;
import dev.hapax.run.journal.Answer;
import dev.hapax.store.Store;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Publishes messages to other systems. A separate run delivers each message, so a delivery has a
 * history, retries, the ledger's doubts and reviews, and continues after a crash. Safe for many
 * threads.
 */
public final class Outbox {
  private static final String STEP = "deliver";
  private static final int PAGE = 200;

  private final Engine engine;
  private final Store store;
  private final RunControl control;
  private final String tenant;
  private final @Nullable String couriersOf;
  private final Set<String> couriers = ConcurrentHashMap.newKeySet();

  /**
   * Creates the outbox of one tenant.
   *
   * @param couriersOf the tenant whose messages its couriers deliver; null for all tenants
   */
  Outbox(
      Engine engine, Store store, RunControl control, String tenant, @Nullable String couriersOf) {
    this.engine = engine;
    this.store = store;
    this.control = control;
    this.tenant = tenant;
    this.couriersOf = couriersOf;
  }

  /** Registers the courier of a destination. Messages that waited for it are delivered. */
  public void courier(String destination, Courier courier) {
    courier(destination, courier, DeliveryTerms.DEFAULT);
  }

  public void courier(String destination, Courier courier, DeliveryTerms terms) {
    courier(
        destination,
        (run, message) -> {
          run.effect(
              STEP,
              Effect.notify(message.id())
                  .keyed(terms.remembered())
                  .to(destination)
                  .retry(terms.retry())
                  .timeout(terms.timeout()),
              _ -> courier.deliver(message));
          return null;
        });
  }

  /**
   * As above, with a body that handles each message in durable steps, for example to gather
   * messages before it sends one. It publishes what it sends to other destinations.
   */
  public void courier(String destination, Flow.Body<OutgoingMessage, Void> body) {
    Names.destination(destination);
    if (!couriers.add(destination)) {
      throw new IllegalArgumentException(
          "destination '%s' has a courier already; a destination has one".formatted(destination));
    }
    engine
        .flows()
        .register(
            couriersOf,
            Flow.of(StoredMessage.FLOWS + destination, StoredMessage.class, Void.class)
                .key(StoredMessage::id)
                .body((run, message) -> body.run(run, OutgoingMessage.of(message))));
  }

  /**
   * Publishes a message outside a run. It is durable when this returns. The same message under the
   * same key is published once.
   *
   * @return the message's id
   * @throws MessageKeyReused if another message was published under the key
   */
  public String publish(String key, Message message) {
    engine.refuseIfClosed();
    Names.key("a message", key);
    String id = StoredMessage.idFrom(tenant, key);
    NewRun delivery = StoredMessage.of(id, message).delivery(engine.ids().next(), tenant);
    if (!isFreshOrTheSame(delivery)) {
      throw new MessageKeyReused(key, message.destination(), delivery.id().toString());
    }
    return id;
  }

  /** A message with an expired delivery was published before. */
  private boolean isFreshOrTheSame(NewRun delivery) {
    var landed = engine.starts().commit(List.of(), List.of(delivery)).unconditional("this message");
    return !(landed.answers().getFirst() instanceof Answer.Spawned spawned) || spawned.sameInput();
  }

  /** Returns the newest 200 messages whose delivery was given up, newest first. */
  public List<Delivery> deadLetters() {
    return deadLetters(null, PAGE);
  }

  /** As above, for messages that were published before this one. */
  public List<Delivery> deadLetters(@Nullable Delivery before, int limit) {
    return list(Set.of(RunStatus.FAILED, RunStatus.REVIEW), "", before, limit);
  }

  /** Returns the newest 200 messages that are under way or have no courier, newest first. */
  public List<Delivery> undelivered() {
    return undelivered(null, PAGE);
  }

  /** As above, for messages that were published before this one. */
  public List<Delivery> undelivered(@Nullable Delivery before, int limit) {
    return list(
        Set.of(RunStatus.QUEUED, RunStatus.RUNNING, RunStatus.WAITING, RunStatus.CANCELING),
        "",
        before,
        limit);
  }

  /**
   * Returns the newest messages, delivered or not, newest first.
   *
   * @param beginning of the names of their destinations
   * @param limit 1 to 200
   */
  public List<Delivery> newest(String beginning, int limit) {
    return list(Set.of(), beginning, null, limit);
  }

  private List<Delivery> list(
      Set<RunStatus> statuses, String beginning, @Nullable Delivery before, int limit) {
    Long page = before == null ? null : Long.valueOf(before.number());
    var filter =
        new RunFilter(tenant, StoredMessage.FLOWS + beginning + "*", null, null, page, limit);
    return store.runs(filter.anyOf(statuses)).stream().map(this::delivery).toList();
  }

  private Delivery delivery(Run run) {
    String destination = run.flow().substring(StoredMessage.FLOWS.length());
    return Delivery.of(run, couriers.contains(destination));
  }

  /**
   * Delivers a dead letter again, with a fresh retry budget and under the same id. A message in
   * review may have arrived; its receiver recognizes it by the id.
   */
  public void redeliver(Delivery dead, String actor) {
    Run run = store.find(RunId.parse(dead.run()));
    if (run == null || !run.tenant().equals(tenant)) {
      throw new NotFound("there is no delivery " + dead.run());
    }
    if (run.isQuarantined()) {
      control.resume(run.id(), actor, "redelivered");
    } else if (run.status() == RunStatus.REVIEW) {
      settleAsNotArrived(run, actor);
    } else {
      control.retry(run.id(), actor, null);
    }
  }

  private void settleAsNotArrived(Run run, String actor) {
    var key = new EffectKey(tenant, run.flow() + "/" + STEP, run.key(), null);
    EffectRecord effect = store.effect(key);
    if (effect == null) {
      throw new IllegalStateException("run " + run.id() + " is in review without its effect");
    }
    control.settle(
        effect.number(),
        SettleDecision.NOT_HAPPENED,
        null,
        null,
        "redelivered; the receiver removes repeats by the message's id",
        actor,
        null);
  }
}
