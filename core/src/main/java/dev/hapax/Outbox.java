package dev.hapax;

import dev.hapax.engine.Engine;
import dev.hapax.engine.control.ReviewDecision;
import dev.hapax.engine.control.RunControl;
import dev.hapax.flow.Effect;
import dev.hapax.flow.EffectKey;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Message;
import dev.hapax.flow.Names;
import dev.hapax.flow.NotFound;
import dev.hapax.flow.NotPossible;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunFilter;
import dev.hapax.flow.RunId;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.SearchFields;
import dev.hapax.flow.SettleDecision;
import dev.hapax.json.Json;
import dev.hapax.run.KeyHolder;
import dev.hapax.run.NewRun;
import dev.hapax.run.StoredMessage;
import dev.hapax.run.journal.Answer;
import dev.hapax.store.Store;
import dev.hapax.time.IdSource;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Publishes messages to other systems. A separate run delivers each message, so a delivery has a
 * history, retries, the ledger's doubts and reviews, and continues after a crash. Safe for many
 * threads.
 */
public final class Outbox {
  private static final String STEP = "deliver";
  private static final int PAGE = 200;
  private static final int MOST_REDELIVERIES = 1_000;

  /** Between the id of a message and the number of a redelivery, in the key of its run. */
  private static final String AGAIN = "/again/";

  private final Engine engine;
  private final Store store;
  private final RunControl control;
  private final String tenant;
  private final @Nullable String couriersOf;
  private final Set<String> couriers = ConcurrentHashMap.newKeySet();

  /** Destinations whose couriers have their own effects: they do nothing a second time. */
  private final Set<String> inSteps = ConcurrentHashMap.newKeySet();

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
    register(
        destination,
        (run, message) -> {
          run.effect(
              STEP,
              Effect.notify(run.key()) // the message's id, or that of one redelivery of it
                  .keyed(courier.remembers(message, terms.remembered()))
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
    register(destination, body);
    inSteps.add(destination);
  }

  private void register(String destination, Flow.Body<OutgoingMessage, Void> body) {
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
    NewRun delivery = StoredMessage.delivery(id, message, engine.ids().next(), tenant);
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
    return list(OutboxFilter.ALL.anyOf(OutboxFilter.DEAD).page(numberOf(before), limit));
  }

  /** Returns the newest 200 messages that are under way or have no courier, newest first. */
  public List<Delivery> undelivered() {
    return undelivered(null, PAGE);
  }

  /** As above, for messages that were published before this one. */
  public List<Delivery> undelivered(@Nullable Delivery before, int limit) {
    return list(OutboxFilter.ALL.anyOf(OutboxFilter.UNDELIVERED).page(numberOf(before), limit));
  }

  /**
   * Returns the newest messages, delivered or not, newest first.
   *
   * @param beginning of the names of their destinations
   * @param limit 1 to 200
   */
  public List<Delivery> newest(String beginning, int limit) {
    return list(OutboxFilter.ALL.destination(beginning + "*").page(null, limit));
  }

  private static @Nullable Long numberOf(@Nullable Delivery delivery) {
    return delivery == null ? null : Long.valueOf(delivery.number());
  }

  /** Returns messages, delivered or not, newest first. */
  public List<Delivery> list(OutboxFilter wanted) {
    String destination = wanted.destination();
    var filter =
        new RunFilter(
            tenant,
            StoredMessage.FLOWS + (destination == null ? "*" : destination),
            null,
            null,
            before(wanted),
            wanted.limit());
    Instant since = wanted.since();
    return store.runs(filter.anyOf(wanted.statuses())).stream()
        .filter(run -> since == null || !run.createdAt().isBefore(since))
        .map(this::delivery)
        .toList();
  }

  /** Numbers are in the order of time, so a time is a place in the list. */
  private static @Nullable Long before(OutboxFilter wanted) {
    Instant until = wanted.until();
    Long cursor = wanted.before();
    if (until == null) {
      return cursor;
    }
    long number = IdSource.firstAt(until);
    return cursor == null ? number : Math.min(cursor, number);
  }

  /**
   * Returns the message with this id.
   *
   * @param id of the message, or of a run that delivers it
   */
  public Delivery message(String id) {
    return delivery(found(id));
  }

  private Run found(String id) {
    Run run = id.startsWith("r-") ? store.find(RunId.parse(id)) : byMessage(id);
    boolean isOurs =
        run != null && run.tenant().equals(tenant) && run.flow().startsWith(StoredMessage.FLOWS);
    if (run == null || !isOurs) {
      throw new NotFound("there is no message " + id);
    }
    return run;
  }

  private @Nullable Run byMessage(String id) {
    new SearchCatchUp(engine, store).forSearch();
    return store.runs(new RunFilter(tenant, StoredMessage.FLOWS + "*", id, null, null, 1)).stream()
        .findFirst()
        .orElse(null);
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
    revive(found(dead.run()), actor);
  }

  /**
   * As above, by the id of the run that delivers it.
   *
   * @param allowed the flows of deliveries that the caller may touch
   */
  void redeliver(String delivery, String actor, Predicate<String> allowed) {
    Run run = found(delivery);
    if (!allowed.test(run.flow())) {
      throw new NotFound("there is no message " + delivery);
    }
    revive(run, actor);
  }

  /**
   * Delivers a message again, under the same id, by which its receiver recognizes a repeat. A dead
   * letter gets a fresh retry budget, a message that has arrived is delivered once more. Nothing
   * happens to a message that is under way, so this can be repeated.
   *
   * @param id of the message, or of a run that delivers it
   * @return the delivery that is under way now
   * @throws NotPossible if the message has arrived and its courier handles each message in steps
   */
  public Delivery redeliver(String id, String actor) {
    Run first = found(id);
    if (first.isErased()) {
      throw new NotPossible(
          "the values of message %s were erased for a person, so it cannot be delivered again"
              .formatted(id));
    }
    Run last = lastDelivery(first);
    if (OutboxFilter.DEAD.contains(last.status())) {
      revive(last, actor);
      return message(last.id().toString());
    }
    return last.status().isEnd() ? deliverAgain(first) : delivery(last);
  }

  private void revive(Run run, String actor) {
    if (run.isQuarantined()) {
      control.resume(run.id(), actor, "redelivered");
    } else if (run.status() == RunStatus.REVIEW) {
      settleAsNotArrived(run, actor);
    } else {
      control.retry(run.id(), actor, null);
    }
  }

  /** Redeliveries have the keys that follow the message's id, one after the other. */
  private Run lastDelivery(Run first) {
    Run last = first;
    for (int n = 1; n < MOST_REDELIVERIES; n++) {
      RunId next = RunId.of(tenant, first.flow(), again(first, n), null);
      KeyHolder holder = store.holder(next);
      if (holder == null) {
        return last;
      }
      if (holder instanceof KeyHolder.Present(var run, var _)) {
        last = run;
      }
    }
    return last;
  }

  private Delivery deliverAgain(Run first) {
    engine.refuseIfClosed();
    StoredMessage message = Json.read(first.input(), StoredMessage.class);
    if (inSteps.contains(message.destination())) {
      throw new NotPossible(
          "message %s has arrived, and the courier of '%s' handles each message once. Publish another message."
              .formatted(message.id(), message.destination()));
    }
    for (int n = 1; n < MOST_REDELIVERIES; n++) {
      RunId id = RunId.of(tenant, first.flow(), again(first, n), null);
      if (store.holder(id) == null) {
        return commit(first, message, n);
      }
    }
    throw new NotPossible(
        "message %s was redelivered %,d times already".formatted(message.id(), MOST_REDELIVERIES));
  }

  /** Two callers make the same run, so the message goes out once more and not twice. */
  private Delivery commit(Run first, StoredMessage message, int n) {
    NewRun usual = message.delivery(engine.ids().next(), tenant);
    String key = again(first, n);
    var again =
        new NewRun(
            usual.number(),
            RunId.of(tenant, usual.flow(), key, null),
            tenant,
            usual.flow(),
            usual.release(),
            key,
            usual.fingerprint(),
            usual.input(),
            null,
            null,
            0,
            null,
            null,
            null,
            SearchFields.NONE);
    engine.starts().commit(List.of(), List.of(again)).unconditional("this message");
    return message(again.id().toString());
  }

  private static String again(Run first, int n) {
    String id = first.key();
    int end = id.indexOf(AGAIN);
    return (end < 0 ? id : id.substring(0, end)) + AGAIN + n;
  }

  private void settleAsNotArrived(Run run, String actor) {
    var key = new EffectKey(tenant, run.flow() + "/" + STEP, run.key(), null);
    EffectRecord effect = store.effect(key);
    if (effect == null) {
      throw new IllegalStateException("run " + run.id() + " is in review without its effect");
    }
    control.settle(
        effect.number(),
        new ReviewDecision(
            SettleDecision.NOT_HAPPENED,
            null,
            null,
            "redelivered; the receiver removes repeats by the message's id",
            actor,
            null,
            false));
  }
}
