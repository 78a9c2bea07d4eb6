package dev.hapax.engine.pass;

import dev.hapax.effect.RunPort;
import dev.hapax.effect.Unwind;
import dev.hapax.effect.WrongThread;
import dev.hapax.engine.replay.ItemJournal;
import dev.hapax.engine.replay.Unvisited;
import dev.hapax.engine.writing.FiberWriter;
import dev.hapax.flow.Alert;
import dev.hapax.flow.Failure;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.Step;
import dev.hapax.json.JsonWeight;
import dev.hapax.json.NotSerializable;
import dev.hapax.json.ValueTooLarge;
import dev.hapax.limit.ValueMemory;
import dev.hapax.resource.LargeValues;
import dev.hapax.run.NewRun;
import dev.hapax.run.journal.Answer;
import dev.hapax.run.journal.ClaimAnswer;
import dev.hapax.run.journal.EffectEntry;
import dev.hapax.run.journal.JournalEntry;
import dev.hapax.run.journal.LoopEntry;
import dev.hapax.run.journal.RunEntry;
import dev.hapax.run.ledger.ReplayClaim;
import dev.hapax.run.value.ResourceRef;
import dev.hapax.store.Change;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One line of execution in a run: its body, a parallel branch or an item of a loop. A fiber's
 * entries are its own until it commits. A fiber that must wait is suspended and frees its thread;
 * when all fibers are suspended, the run leaves memory.
 */
final class Fiber implements RunPort, BodyFence.Visitor {
  private static final Logger log = LoggerFactory.getLogger(Fiber.class);
  private static final String NO_MEMORY =
      "other runs on the node have taken its memory for values; it goes on when there is room";

  private final RunPass pass;
  private final @Nullable Fiber parent;
  private final ItemJournal journal;
  private final FiberWriter writer;
  private volatile @Nullable Thread thread;
  private volatile @Nullable Suspension rest;
  private volatile boolean stopped;
  private volatile Instant sleptPast;
  private int refusals; // of its own thread
  private volatile @Nullable Step lastStep;
  private volatile Runnable instead = () -> {};
  private final boolean isItem;
  // The fiber's place within its journal: one part for each fork around it, empty for the journal's
  // own
  // fiber.
  private final String place;
  private int forks;
  private final AtomicLong held = new AtomicLong();
  // Of an item: the failure of a loop inside it.
  private final AtomicReference<@Nullable Failure> partial = new AtomicReference<>();

  /** The body itself. */
  Fiber(RunPass pass, ItemJournal journal, FiberWriter writer) {
    this(pass, null, journal, writer, false, "");
  }

  private Fiber(
      RunPass pass,
      @Nullable Fiber parent,
      ItemJournal journal,
      FiberWriter writer,
      boolean isItem,
      String place) {
    this.pass = pass;
    this.isItem = isItem;
    this.place = place;
    this.parent = parent;
    this.journal = journal;
    this.writer = writer;
    this.sleptPast = parent == null ? Instant.MIN : parent.sleptPast;
  }

  /** Returns a fiber for a parallel thread that sends nothing itself. */
  Fiber fork(ItemJournal inJournal) {
    return new Fiber(pass, this, inJournal, pass.newWriter(inJournal.name()), false, place);
  }

  /** The number of the next fork of this fiber; the same in every pass over the same code. */
  int nextFork() {
    return ++forks;
  }

  /** Returns a branch of this fiber that runs in parallel with others. */
  Fiber fork(int number, int branch) {
    String its = place + "/" + number + "." + branch;
    return new Fiber(pass, this, journal, pass.newWriter(journal.name()), false, its);
  }

  /** Returns an item of a loop of this fiber; an item inside another item shares its journal. */
  Fiber forkItem(int number, String item, ItemJournal inJournal) {
    String its = inJournal.equals(journal) ? place + "/" + number + "." + escaped(item) : place;
    return new Fiber(pass, this, inJournal, pass.newWriter(inJournal.name()), true, its);
  }

  private static String escaped(String item) {
    return item.replace("~", "~0").replace("/", "~1");
  }

  /**
   * Called before anything new is sent. The code must have reached everything that the journal
   * holds as sent by this fiber. Otherwise the code has changed under its release, or decides by
   * chance.
   */
  void checkBefore(Step next) {
    check("reaches step " + next);
  }

  /** The same check when its code has ended. */
  void checkEnd(String how) {
    if (!isOut() && !pass.fence().isClosed()) {
      check(how);
    }
  }

  /** Does not check a run that is to stop, which sends nothing new, nor one that compensates. */
  private void check(String what) {
    Step left =
        isStopping() || pass.isCompensating() ? null : journal.replay().unvisited().first(place);
    if (left != null) {
      throw mismatch(
          left,
          "its journal holds step %s as sent, but the code now %s without it"
              .formatted(left, what));
    }
  }

  /**
   * Notes that a loop has failed items. The item around the loop has then failed too, so that a
   * retry reaches them again; outside of items, the run is partial.
   */
  void notePartial(Failure failure) {
    Fiber item = this;
    while (item != null && !item.isItem) {
      item = item.parent;
    }
    if (item == null) {
      pass.itemJournals().notePartial(failure);
    } else {
      item.partial.compareAndSet(null, failure);
    }
  }

  /** Ends an item, and records the effects that its loop did before a retry and now leaves out. */
  void endItem(Step item, @Nullable Failure failure, @Nullable String output) {
    Unvisited unvisited = journal.replay().unvisited();
    unvisited.itemEnded(item, failure != null);
    if (failure == null && !inOuterItem()) {
      tellLeftBehind();
    }
    add(new LoopEntry.ItemEnded(item, failure, output));
  }

  private boolean inOuterItem() {
    return parent != null && parent.journal.equals(journal);
  }

  /** Records effects from before the run's retry that its body has not reached since. */
  void tellLeftBehind() {
    journal.replay().unvisited().takeLeftBehind().forEach(this::add);
  }

  /** Of an item: the failure of a loop inside it, if not all of its items succeeded. */
  @Nullable Failure partial() {
    return partial.get();
  }

  RunPass pass() {
    return pass;
  }

  ItemJournal journal() {
    return journal;
  }

  FiberWriter writer() {
    return writer;
  }

  /** Makes the current thread the one that carries this fiber. */
  void carry() {
    thread = Thread.currentThread();
  }

  void checkThread() {
    if (!Thread.currentThread().equals(thread)) {
      throw new WrongThread(
          "run %s: its RunContext was used on another thread than the one it was given to, such as the thread of a sender. Collect results on other threads, and call steps on the thread of the flow."
              .formatted(pass.id()));
    }
  }

  /** Notes the step that its code reached last. */
  void at(Step step) {
    lastStep = step;
  }

  /** Counts how often its code entered after it was to leave. */
  @Override
  public int countRefusal() {
    return ++refusals;
  }

  /** Sets what to do instead if its code never returns. */
  void otherwise(Runnable what) {
    instead = what;
  }

  /**
   * Blocks the thread for good. Its code swallows every unwind, and would call again and again on a
   * thread that others need. The end of the run does not wait for it.
   */
  @Override
  public void standStill() {
    log.error(
        "run {}: the code at step {} catches Throwable or Error, also the one that ends its body, and"
            + " continues; its thread is abandoned. Change the body to rethrow errors that it does not know.",
        pass.id(),
        lastStep);
    instead.run();
    pass.standStill();
  }

  /** Why it left its code before the end; null if it did not. */
  @Nullable Suspension rest() {
    return rest;
  }

  /** Whether it stopped because the run is to end. */
  boolean isStopped() {
    return stopped;
  }

  @Override
  public boolean isOut() {
    return rest != null || stopped;
  }

  @Override
  public Identity identity() {
    return pass.identity();
  }

  @Override
  public @Nullable Instant occurredAt() {
    return pass.occurredAt();
  }

  @Override
  public boolean settlesByAnswer(Step step) {
    return pass.open().isSettledByAnswer(step);
  }

  @Override
  public void add(JournalEntry entry, Change... changes) {
    pass.open().note(entry, changes);
    journal.replay().note(entry);
    writer.add(entry, changes);
  }

  /** The effect's own answer, which is written next, lands with it or not at all. */
  @Override
  public void circuitOpened(Step step, String destination) {
    long number = pass.nextId();
    NewRun message =
        pass.alerts()
            .aboutCircuit(identity(), destination, step + "/" + Long.toString(number, 36), number);
    if (message != null) {
      add(
          new RunEntry.Alerted(Alert.CIRCUIT_OPEN, message.key(), message.id().toString()),
          new Change.Spawn(message));
    }
  }

  @Override
  public void commit() {
    commitAndHear();
  }

  @Override
  public String keep(String json) {
    return keeping(values -> values.keep(identity().tenant(), json, writer::add));
  }

  /** Keeps a value of the body; the caller adds the reference. */
  ResourceRef keep(byte[] content, String contentType) {
    return keeping(values -> values.put(identity().tenant(), content, contentType, writer::add));
  }

  /** A very large value is written at once, so it can fail as every commit can. */
  private <T> T keeping(Function<LargeValues, T> keep) {
    try {
      return keep.apply(pass.values());
    } catch (NotSerializable | IllegalArgumentException e) {
      throw e; // nothing was written, and never can be
    } catch (RuntimeException e) {
      throw pass.fence().closeFor(e);
    }
  }

  /**
   * Takes memory for the value of this text before it is read. A run that finds no room leaves
   * memory; one that stops or compensates goes on, so that it can end.
   *
   * @throws ValueTooLarge if the run may never have so much
   */
  void hold(String json) {
    ValueMemory memory = pass.memory();
    long bytes = JsonWeight.of(json);
    if (bytes < memory.leastCounted() || isStopping() || pass.isCompensating()) {
      return;
    }
    switch (memory.take(pass.number(), bytes)) {
      case TAKEN -> held.addAndGet(bytes);
      case NO_ROOM -> {
        add(new RunEntry.TurnAwaited(lastStep, NO_MEMORY, pass.now()));
        throw park(RunStatus.WAITING, pass.now());
      }
      case TOO_MUCH ->
          throw new ValueTooLarge(
              "the values of the run are too large: they would take more than %,d bytes of memory together. Make them smaller, or put them into resources and pass their references; the limit is the setting limits.runBytes"
                  .formatted(memory.mostOfRun()));
    }
  }

  /** The values of an item go with it; those of a branch belong to the fiber that goes on. */
  void letGo() {
    Fiber outer = parent;
    long bytes = held.getAndSet(0);
    if (isItem || outer == null) {
      pass.memory().giveBack(pass.number(), bytes);
    } else {
      outer.held.addAndGet(bytes);
    }
  }

  @Override
  public Answer ask(JournalEntry entry, Change question) {
    add(entry, question);
    Answer answer = commitAndHear().getLast();
    if (entry instanceof EffectEntry.Claimed claim) {
      pass.open().note(claim, answer);
      journal.replay().note(claim, answer);
    }
    return answer;
  }

  /**
   * Unwinds the body if the commit fails, because a body that swallowed the failure would go on
   * without a journal.
   */
  List<Answer> commitAndHear() {
    try {
      return writer.commit();
    } catch (RuntimeException e) {
      throw pass.fence().closeFor(e);
    }
  }

  @Override
  public Unwind park(RunStatus status, @Nullable Instant dueAt) {
    if (parent == null) {
      return pass.exit().park(status, dueAt);
    }
    rest = new Suspension(status, dueAt);
    return new Unwind();
  }

  @Override
  public boolean isStopping() {
    return pass.isStopRequested();
  }

  @Override
  public boolean isBesideOthers() {
    return parent != null;
  }

  @Override
  public @Nullable String branch() {
    return place.isEmpty() ? null : place;
  }

  /** Notes that it slept past this failover; nothing after the sleep was done before it. */
  void slept(Instant failover) {
    sleptPast = failover.isAfter(sleptPast) ? failover : sleptPast;
  }

  @Override
  public Instant sleptPast() {
    return sleptPast;
  }

  @Override
  public @Nullable ReplayClaim replay(Step step, String name, String key) {
    return journal.replay().replays().claim(step, name, key, pass.id().toString());
  }

  @Override
  public Unwind planStale(Step step, String what) {
    return pass.match().planStale(step, what);
  }

  @Override
  public ClaimAnswer.@Nullable NotPlanned refusedByPlan(Step step) {
    return journal.replay().replays().refused(step);
  }

  @Override
  public Unwind mismatch(Step step, String difference) {
    return pass.match().mismatch(step, difference);
  }

  /**
   * Parks the run, because the store has refused something new: the run is to be canceled. This
   * pass may not know this yet; the next one will.
   */
  Unwind lookAgain() {
    return park(RunStatus.WAITING, pass.now());
  }

  /** Parallel fibers may still have something to settle, so only the body ends the run. */
  @Override
  public Unwind stop() {
    if (parent == null) {
      return pass.stop();
    }
    stopped = true;
    return new Unwind();
  }
}
