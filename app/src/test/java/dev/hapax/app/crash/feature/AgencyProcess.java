package dev.hapax.app.crash.feature;

import dev.hapax.Acknowledgement;
import dev.hapax.DeliveryTerms;
import dev.hapax.Event;
import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.KeyExpired;
import dev.hapax.OutgoingMessage;
import dev.hapax.RunHandle;
import dev.hapax.app.crash.CrashPoint;
import dev.hapax.app.crash.CrashingStore;
import dev.hapax.flow.Flow;
import dev.hapax.store.Store;
import dev.hapax.store.StoreProvider;
import dev.hapax.testkit.fault.ChildProcess;
import dev.hapax.testkit.fault.SinkRequest.Mode;
import dev.hapax.time.Ports;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * The process that dies: a program with every feature in it. It starts cases, is the door for the
 * parties outside, and reports to them everything that was acknowledged.
 */
public final class AgencyProcess {
  private static final int CLIENTS = 4;
  private static final Duration GLANCE = Duration.ofMillis(15);

  private final AgencyArguments arguments;
  private final Hapax hapax;
  private final Post post;
  private final Map<Case.Kind, Flow<Case, String>> flows = new EnumMap<>(Case.Kind.class);
  private final AtomicInteger next;

  private AgencyProcess(AgencyArguments arguments, CrashPoint crash) {
    this.arguments = arguments;
    Ports ports = FastTime.from(arguments.beginning());
    HapaxOptions options = HapaxOptions.DEFAULT.ports(ports);
    Store store = StoreProvider.open(provider -> provider.open(arguments.store(), ports.threads()));
    this.hapax = Hapax.open(new CrashingStore(store, crash), options);
    this.post = new Post(arguments.port(), crash);
    this.next = new AtomicInteger(arguments.from());
  }

  public static void main(String[] words) throws InterruptedException {
    var opened = new CompletableFuture<Door>();
    ChildProcess.endWithParent(
        line -> Thread.ofVirtual().name("caller").start(() -> opened.join().ask(line)));
    var process = new AgencyProcess(AgencyArguments.of(words), CrashPoint.fromProperty());
    process.register();
    var door = new Door(process.hapax);
    opened.complete(door);
    process.work();
    door.awaitClosing();
    process.hapax.close();
    Report.CLOSED.say();
  }

  private void register() {
    var orders = new Orders(post, key -> hapax.kv().get(Door.HEALED + key).isPresent());
    var questions = new Questions(post);
    var notes = new Notes(post);
    flows.put(Case.Kind.TRIP, new Trips(post).flow());
    flows.put(Case.Kind.OFFER, questions.offers());
    flows.put(Case.Kind.PAYMENT, questions.payments());
    flows.put(Case.Kind.ORDER, orders.flow());
    flows.put(Case.Kind.STOCK, new Stocks(post).flow());
    flows.put(Case.Kind.NOTE, notes.flow());
    Flow<String, String> ticks = notes.ticks();
    flows.values().forEach(hapax::register);
    List.of(orders.shipments(), orders.audits(), ticks).forEach(hapax::register);
    hapax
        .outbox()
        .courier(
            Orders.PARTNER,
            this::deliver,
            new DeliveryTerms(Post.PATIENT, Post.TIMEOUT, Post.AGES));
    hapax.inbox().source(Notes.SOURCE, Case.class, notes.flow(), note -> note);
    hapax.schedules().add(Notes.schedule(ticks));
    if (arguments.settles()) {
      hapax.schedules().pause(Notes.SCHEDULE);
    }
  }

  private void deliver(OutgoingMessage message) throws Exception {
    String key = "deliver " + message.id() + " " + message.json();
    post.send(Mode.KEYED, "delivery", key, message.id());
  }

  private void work() throws InterruptedException {
    var clients = new ArrayList<Thread>();
    for (int i = 0; i < CLIENTS; i++) {
      clients.add(Thread.ofVirtual().name("client").start(this::startCases));
    }
    for (Thread client : clients) {
      client.join();
    }
    var desk = new Desk(hapax);
    while (true) {
      desk.look();
      if (arguments.settles() && desk.isQuiet()) {
        break;
      }
      LockSupport.parkNanos(GLANCE.toNanos());
    }
    // What has expired answers for ever.
    next.set(arguments.from());
    startCases();
    Report.QUIET.say();
  }

  private void startCases() {
    for (int number; (number = next.getAndIncrement()) < arguments.to(); ) {
      var one = new Case(number);
      try {
        if (one.kind() == Case.Kind.NOTE) {
          receive(one);
        }
        start(one);
      } catch (RuntimeException e) {
        Report.PROBLEM.say(one.key(), e);
      }
    }
  }

  private void start(Case one) {
    String id = hapax.id(one.kind().flow(), one.key());
    try {
      RunHandle<String> run = hapax.start(Objects.requireNonNull(flows.get(one.kind())), one);
      Report.ACCEPTED.say(one.key(), run.id(), run.isDuplicate() ? "known" : "new");
    } catch (KeyExpired e) {
      Report.ACCEPTED.say(one.key(), id, "expired");
    }
  }

  private void receive(Case note) {
    Event event = Event.from(Notes.SOURCE).id("event-" + note.number()).payload(note);
    Acknowledgement answer = hapax.inbox().receive(event);
    Report.RECEIVED.say(note.key(), answer.outcome(), answer.run());
  }
}
