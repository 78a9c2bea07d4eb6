package dev.hapax.subject;

import dev.hapax.engine.Engine;
import dev.hapax.flow.Flow;
import dev.hapax.flow.NoAnswer;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunContext;
import dev.hapax.flow.RunId;
import dev.hapax.flow.StoreFull;
import dev.hapax.json.Json;
import dev.hapax.run.ErasureRecord;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.Store;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out requests to erase, as the body of a flow: a run of it goes on after a crash, and
 * looks again at what must end first until nothing is left.
 */
public final class ErasureWork {
  private static final Logger log = LoggerFactory.getLogger(ErasureWork.class);

  private static final Duration FIRST_PAUSE = Duration.ofMinutes(1);
  private static final Duration LONGEST_PAUSE = Duration.ofHours(6);

  /** Looks for more than a year at what does not end. */
  private static final int ROUNDS = 2_000;

  private static final int PAGE = 200;

  private final Engine engine;
  private final Store store;
  private final SubjectEraser eraser;

  public ErasureWork(Engine engine, Store store, SubjectEraser eraser) {
    this.engine = engine;
    this.store = store;
    this.eraser = eraser;
  }

  /** The flow whose runs carry out the requests. */
  public Flow<ErasureTurn, Outcome> flow() {
    return Flow.of(ErasureTurn.FLOW, ErasureTurn.class, Outcome.class)
        .key(ErasureTurn::key)
        .body(this::work);
  }

  /** How many runs were erased, and how many could not be. */
  public record Outcome(long erased, long left) {}

  private Outcome work(RunContext run, ErasureTurn turn) {
    long erased = 0;
    long left = 0;
    for (int round = 1; round <= ROUNDS; round++) {
      long before = erased;
      Outcome done = run.step("round-" + round, () -> round(run.id(), turn, before), Outcome.class);
      erased += done.erased();
      left = done.left();
      if (left == 0) {
        break;
      }
      Duration pause = FIRST_PAUSE.multipliedBy(round);
      run.sleep("pause-" + round, pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE);
    }
    return new Outcome(erased, left);
  }

  private Outcome round(String run, ErasureTurn turn, long before) {
    Run own = store.find(RunId.parse(run));
    ErasureRecord request = store.erasures().find(turn.erasure());
    // The run says whose request it is, its input does not.
    boolean isOurs = own != null && request != null && request.tenant().equals(own.tenant());
    if (request == null || !isOurs || request.endedAt() != null) {
      return new Outcome(0, 0);
    }
    SubjectEraser.Round done = eraser.erase(request, turn.also(), before);
    return new Outcome(done.erased(), done.left());
  }

  /**
   * Carries out the requests that the store remembers and that are not done: after a restore they
   * come from the list beside it. Called before any run continues.
   */
  public void catchUp() {
    eachOpen(this::carryOut);
  }

  private void carryOut(ErasureRecord request) {
    eraser.erase(request, alsoFound(request), 0);
  }

  private void eachOpen(Consumer<ErasureRecord> what) {
    long after = 0;
    List<ErasureRecord> open = store.erasures().all(after, true, PAGE);
    while (!open.isEmpty()) {
      for (ErasureRecord request : open) {
        what.accept(request);
        after = request.number();
      }
      open = store.erasures().all(after, true, PAGE);
    }
  }

  /**
   * The runs that only the run of the request knows. A store that was restored may not have it: its
   * requests scan.
   */
  private List<Long> alsoFound(ErasureRecord request) {
    Run own = store.find(RunId.of(request.tenant(), ErasureTurn.FLOW, request.id(), null));
    return own == null ? List.of() : Json.read(own.input(), ErasureTurn.class).also();
  }

  /** As above, when the store is opened: what cannot be done now is done by the requests' runs. */
  public void catchUpIfPossible() {
    ifPossible(this::carryOut);
  }

  /** Starts the runs of requests that {@link #catchUp} could not end. A run that exists stays. */
  public void resumeIfPossible() {
    ifPossible(request -> begin(request, List.of(), null));
  }

  private void ifPossible(Consumer<ErasureRecord> what) {
    try {
      eachOpen(request -> unlessBroken(request, what));
    } catch (NoAnswer | StoreFull e) {
      log.warn("erasures could not be carried out when the store was opened: {}", e.getMessage());
    }
  }

  /** One request that cannot be carried out holds up neither the others nor the engine. */
  private static void unlessBroken(ErasureRecord request, Consumer<ErasureRecord> what) {
    try {
      what.accept(request);
    } catch (StoreFull e) {
      throw e;
    } catch (RuntimeException e) {
      NoAnswer.passOn(e);
      // Without its message, which may quote a value that is to be erased.
      log.error(
          "erasure {} could not be carried out when the store was opened, and is still open: {}",
          request.id(),
          e.getClass().getName());
    }
  }

  /** Remembers a request, without its run. */
  public void note(ErasureRecord request) {
    submit(List.of(new Change.NoteErasure(request)));
  }

  /**
   * Starts the run of a request, also while a restored store is held: a person is erased before
   * anything else runs.
   *
   * @param note remembers the request in the same commit; null if it is remembered already
   */
  public void begin(ErasureRecord request, List<Long> also, @Nullable Change note) {
    var spawn =
        new Change.Spawn(
            new ErasureTurn(request.number(), also).toRun(engine.ids().next(), request.tenant()));
    submit(note == null ? List.of(spawn) : List.of(note, spawn));
  }

  private void submit(List<Change> changes) {
    engine
        .committer()
        .commit(Group.always(engine.ids().next(), engine.clock().now(), changes))
        .unconditional("this erasure");
  }
}
