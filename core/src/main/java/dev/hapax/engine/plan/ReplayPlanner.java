package dev.hapax.engine.plan;

import dev.hapax.engine.Engine;
import dev.hapax.engine.code.FlowRelease;
import dev.hapax.engine.pass.StepFailures;
import dev.hapax.engine.replay.RunFacts;
import dev.hapax.flow.AnswerMissing;
import dev.hapax.flow.Failure;
import dev.hapax.flow.Fingerprint;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Names;
import dev.hapax.flow.NoAnswer;
import dev.hapax.flow.NotPossible;
import dev.hapax.flow.ReplayPlan;
import dev.hapax.flow.ReplayWish;
import dev.hapax.flow.Run;
import dev.hapax.flow.Step;
import dev.hapax.flow.StepDifference;
import dev.hapax.json.Digest;
import dev.hapax.json.Json;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.run.journal.ReplayTerms;
import dev.hapax.run.journal.RunEntry;
import dev.hapax.store.Change;
import dev.hapax.store.Store;
import dev.hapax.store.StoredRun;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Plans the replay of one run: what each of its effects would do. Writes nothing. */
public final class ReplayPlanner {
  private static final int DIGEST_LETTERS = 26;
  private static final int MOST_SENDS = 10_000;

  private final Engine engine;
  private final Store store;

  public ReplayPlanner(Engine engine, Store store) {
    this.engine = engine;
    this.store = store;
  }

  /**
   * A plan, and what carries it out.
   *
   * @param changes that store large corrected results
   */
  public record Made(ReplayPlan plan, RunEntry.Replayed entry, List<Change> changes) {}

  /** Plans the replay of a run that has ended. */
  public Made plan(StoredRun stored, ReplayWish wish, String actor, @Nullable String reason) {
    Run run = stored.run();
    if (run.isErased()) {
      throw new NotPossible(
          "the values of run %s were erased for a person, so it cannot be replayed. Start another run"
              .formatted(run.id()));
    }
    if (Names.worksForHapax(run.flow()) && !wish.outputs().isEmpty()) {
      throw new NotPossible(
          "run %s of flow '%s' works for Hapax itself: what its steps found out cannot be corrected"
              .formatted(run.id(), run.flow()));
    }
    int release = wish.release() == null ? run.release() : wish.release();
    Flow<?, ?> code = codeOf(run, release);
    String input = wish.input() == null ? null : corrected(run, code, wish.input());
    List<ReadRow> whole = ReadRow.of(store.journal(run.number()));
    var point = new ReplayPoint(store, run, whole);
    if (point.compensates()) {
      throw new NotPossible(
          "run %s has begun to undo its effects and never goes forward again: retry it, so that it goes on undoing"
              .formatted(run.id()));
    }
    var changes = new ArrayList<Change>();
    ReplayTerms terms =
        point.terms(wish, json -> engine.values().keep(run.tenant(), json, changes::add));
    var walk = walk(stored, point, entry(run, wish, input, terms, "plan", null), code, whole);
    if (walk.sends().size() > MOST_SENDS) {
      throw new NotPossible(
          "the replay of run %s would send %,d effects; a plan has at most %,d. Replay it item by item"
              .formatted(run.id(), walk.sends().size(), MOST_SENDS));
    }
    String digest = digest(stored, wish, walk);
    var plan =
        new ReplayPlan(
            run.id().toString(),
            wish,
            release,
            differences(run, release, code),
            walk.items(),
            walk.ends(),
            digest);
    RunEntry.Replayed entry = entry(run, wish, input, with(terms, walk.sends()), actor, reason);
    return new Made(plan, entry, changes);
  }

  private @Nullable List<StepDifference> differences(Run run, int release, Flow<?, ?> code) {
    return release == run.release()
        ? null
        : StepDifference.between(
            engine.flows().find(new FlowRelease(run.tenant(), run.flow(), run.release())), code);
  }

  private Flow<?, ?> codeOf(Run run, int release) {
    Flow<?, ?> code = engine.flows().find(new FlowRelease(run.tenant(), run.flow(), release));
    if (code == null) {
      throw new NotPossible(
          "run %s cannot be replayed: the code of flow '%s' release %d is not here. Register it first."
              .formatted(run.id(), run.flow(), release));
    }
    return code;
  }

  private <I> String corrected(Run run, Flow<I, ?> code, String json) {
    return engine.admission().correctOn(run, code, Json.read(json, code.input()));
  }

  private PlanWalk walk(
      StoredRun stored,
      ReplayPoint point,
      RunEntry.Replayed entry,
      Flow<?, ?> code,
      List<ReadRow> whole) {
    Run run = stored.run();
    String input = entry.input();
    Instant now = engine.clock().now();
    var row =
        new JournalRow(
            run.number(), stored.seq() + 1, 0, now, JournalRow.write(List.of(entry)), null);
    var reads = new WatchedReads(store);
    var walk =
        new PlanWalk(reads, engine.values(), run, facts(run, input), point.replayed(row), now);
    walk.keep(whole);
    var context =
        new PlanContext(
            walk, new PlanContext.Reads(reads, engine.values(), engine.tokens(), engine.starts()));
    String given = input == null ? run.input() : input;
    if (code.body() instanceof StepDifference.Defined) { // the interpreter catches no errors
      run(walk, code, context, given);
    } else {
      var thread = new PlanThread(engine.threads(), run.id().toString());
      walk.onCaught(thread::giveUp);
      thread.carryOut(() -> run(walk, code, context, given));
    }
    reads.refuseUnanswered();
    return walk;
  }

  /**
   * Whatever the body throws ends the plan, as it would end the run. But a store that did not
   * answer says nothing about the run, so there is no plan.
   */
  @SuppressWarnings("CatchingThrowable")
  private static <I> void run(PlanWalk walk, Flow<I, ?> code, PlanContext context, String input) {
    try {
      code.body().run(context, Json.read(input, code.input()));
    } catch (AnswerMissing e) {
      walk.endAt(e);
    } catch (StackOverflowError e) { // of the body; another plan would meet it again
      throw new NotPossible(
          "run %s cannot be replayed: its body needs more stack than there is"
              .formatted(walk.identity().id()));
    } catch (VirtualMachineError e) {
      throw e;
    } catch (Throwable thrown) {
      NoAnswer.passOn(thrown);
      Failure failure = StepFailures.from(thrown);
      String step = failure.step();
      var _ =
          walk.impossible(
              new Step(step == null ? "body" : step, failure.item()),
              "the run would fail with %s: %s".formatted(failure.code(), failure.message()));
    }
  }

  private static RunFacts facts(Run run, @Nullable String input) {
    RunFacts facts = RunFacts.of(run);
    return input == null ? facts : facts.corrected(input, Fingerprint.of(input));
  }

  private static ReplayTerms with(ReplayTerms terms, List<ReplayTerms.Send> sends) {
    return new ReplayTerms(
        terms.from(),
        terms.after(),
        terms.within(),
        terms.outputs(),
        terms.ask(),
        terms.force(),
        sends);
  }

  private static RunEntry.Replayed entry(
      Run run,
      ReplayWish wish,
      @Nullable String input,
      ReplayTerms terms,
      String actor,
      @Nullable String reason) {
    boolean isOther = wish.release() != null && wish.release() != run.release();
    return new RunEntry.Replayed(
        actor,
        reason,
        isOther ? Objects.requireNonNull(wish.release()) : null,
        isOther ? Integer.valueOf(run.release()) : null,
        input,
        input == null ? null : run.input(),
        terms);
  }

  /** Of everything that decides what is sent, with the fingerprints of the requests. */
  private static String digest(StoredRun stored, ReplayWish wish, PlanWalk walk) {
    byte[] bytes =
        Digest.ofParts(
            Long.toString(stored.seq()),
            Json.write(wish),
            walk.basis(),
            Json.write(walk.sends()),
            "" + walk.ends());
    return Digest.base32(bytes, DIGEST_LETTERS);
  }
}
