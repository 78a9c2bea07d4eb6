package dev.hapax.testkit.mutant;

import dev.hapax.testkit.simulation.Generator;
import java.util.List;

/** Of what people do to put things right: replays, settlements, imports, adoption, jobs. */
final class RecoveryMutants implements MutantSuite {
  private static final int MOST_SEEDS = 3000;
  private static final String CLAIM_RULE = "dev.hapax.run.ledger.ClaimRule";
  private static final String REPLAY_BOOK = "dev.hapax.engine.replay.ReplayBook";
  private static final String REPLAY_CONTROL = "dev.hapax.engine.control.ReplayControl";
  private static final String REPLAYED_STEPS = "dev.hapax.engine.replay.ReplayedSteps";
  private static final String RUN_CONTROL = "dev.hapax.engine.control.RunControl";

  @Override
  public int mostSeeds() {
    return MOST_SEEDS;
  }

  private static Mutant recovery(String fault, String type, String text, String instead) {
    return new Mutant(
        fault, type, text, instead, seed -> EngineMutants.broken(Generator.RECOVERY, seed));
  }

  @Override
  public List<Mutant> mutants() {
    return List.of(
        // ---- what a replay may send
        recovery(
            "a replay sends what its plan does not have",
            CLAIM_RULE,
            "return sends && !claim.maySend(revision + 1)",
            "return sends && revision < 0"),
        recovery(
            "the next revision of a forced effect is forced too",
            "dev.hapax.run.ledger.ReplayClaim",
            "return forced != null && forced == revision;",
            "return forced != null;"),
        recovery(
            "an effect that a person named is not sent",
            CLAIM_RULE,
            "if (isForced(row, claim, own)) {",
            "if (row.revision() < 0) {"),
        recovery(
            "a forced effect is written over by work that made an older revision",
            CLAIM_RULE,
            "&& (own == null || own.revision() >= row.revision());",
            ";"),
        recovery(
            "a replay has no limits",
            REPLAY_BOOK,
            "terms = replayed.terms(); isLimited = true; refused.clear();",
            "terms = replayed.terms(); isLimited = false; refused.clear();"),
        recovery(
            "a pass forgets the limits of its replay",
            REPLAY_BOOK,
            "copy.isLimited = isLimited;",
            ""),
        recovery("a pass forgets its replay", REPLAY_BOOK, "copy.terms = terms;", ""),
        recovery(
            "a retry is limited by the plan before it",
            REPLAY_BOOK,
            "synchronized void retried() { isLimited = false; refused.clear(); }",
            "synchronized void retried() { refused.clear(); }"),
        recovery(
            "an effect that the plan does not have may be sent",
            REPLAY_BOOK,
            "return ReplayClaim.NOTHING;",
            "return ReplayClaim.ANY;"),
        recovery(
            "the plan of one key allows another one",
            "dev.hapax.run.journal.ReplayTerms",
            ": key.equals(wantedKey) && step.inRound(1).equals(wanting.inRound(1)));",
            ": step.inRound(1).equals(wanting.inRound(1)));"),
        recovery(
            "the force of one key forces another one",
            "dev.hapax.run.journal.ReplayTerms",
            ".filter(one -> one.name().equals(name) && one.key().equals(key))",
            ".filter(one -> one.name().equals(name))"),
        // ---- plans
        recovery(
            "a stale plan is applied",
            REPLAY_CONTROL,
            "if (!now.digest().equals(plan.digest())) {",
            "if (plan.digest().isEmpty()) {"),
        recovery(
            "a plan stays good after its run went on",
            "dev.hapax.engine.plan.ReplayPlanner",
            "Long.toString(stored.seq()), Json.write(wish)",
            "\"\", Json.write(wish)"),
        recovery(
            "an accepted replay is not in the journal",
            REPLAY_CONTROL,
            "if (runs.landed(tries, stored, List.of(now.entry()), changes)) {",
            "if (runs.landed(tries, stored, List.of(), changes)) {"),
        recovery(
            "a replay that another writer overtook counts as applied",
            REPLAY_CONTROL,
            "if (runs.landed(tries, stored, List.of(now.entry()), changes)) {",
            "if (runs.landed(tries, stored, List.of(now.entry()), changes) || tries >= 0) {"),
        recovery(
            "a replay on another release runs the old code",
            REPLAY_CONTROL,
            "input == null ? null : engine.flows().searchOf(run, input), now.entry().release()));",
            "input == null ? null : engine.flows().searchOf(run, input), null));"),
        recovery(
            "a replay sleeps again unasked",
            REPLAYED_STEPS,
            "private static boolean isDoneAgain(Step step, StepState state) { return switch",
            "private static boolean isDoneAgain(Step step, StepState state) { if (state.kind() == StepKind.WAIT) { return true; } return switch"),
        // ---- settlements
        recovery(
            "what a person wants undone stays",
            RUN_CONTROL,
            "changes.add(new Change.RequestCancel(said.cancel()));",
            ""),
        recovery(
            "a decision about an attempt that the person did not see counts",
            RUN_CONTROL,
            "if (seen != null && !seen.isStill(row)) {",
            "if (seen != null && row.revision() < 0) {"),
        recovery(
            "a decision on another node does not undo",
            RUN_CONTROL,
            "said.compensate() ? said.cancel() : null",
            "null"),
        // ---- the ledger from outside
        recovery(
            "what another system did is sent",
            CLAIM_RULE,
            "if (claim.kind() == Kind.UPDATE && !isOlder(claim, row)) {",
            "if (!isOlder(claim, row)) {"),
        recovery(
            "an update that another system did is not sent",
            CLAIM_RULE,
            "if (claim.kind() == Kind.UPDATE && !isOlder(claim, row)) {",
            "if (claim.kind() == Kind.UPDATE && row.revision() < 0) {"),
        recovery(
            "an imported effect matches only its own guard",
            CLAIM_RULE,
            "if (row.isImported()) { return doneElsewhere(row, claim); }",
            ""),
        recovery(
            "an import that differs counts as the same",
            "dev.hapax.run.retention.ImportRule",
            "return given.output() == null || isSame(given.output(), row.result())",
            "return given.key().equals(row.key())"),
        recovery(
            "an imported effect may have happened",
            "dev.hapax.run.ledger.EffectImport",
            "EffectState.DONE,",
            "EffectState.ABANDONED,"),
        recovery(
            "the id of one revision is noted for the next",
            "dev.hapax.store.Change",
            "&& row.revision() == revision && row.externalId() == null;",
            "&& row.externalId() == null;"),
        recovery(
            "an id is noted over another one",
            "dev.hapax.store.Change",
            "&& row.revision() == revision && row.externalId() == null;",
            "&& row.revision() == revision;"),
        // ---- jobs
        recovery(
            "a job says that it retried a run, and does not",
            "dev.hapax.job.RetryJob",
            "control.retry(run.id(), job.actor(), null);",
            ""),
        recovery(
            "a job says that it canceled a run, and does not",
            "dev.hapax.job.CancelJob",
            "control.cancel(run.id(), new Run.Cancel(job.actor(), spec.reason(), compensate));",
            ""));
  }
}
