package dev.hapax.testkit.mutant;

import static dev.hapax.testkit.mutant.EngineMutants.core;
import static dev.hapax.testkit.mutant.EngineMutants.mixed;

import java.util.List;

/** Of the ways in and out: admission, inbox, schedules, retention, people. */
final class DoorMutants {
  private DoorMutants() {}

  static List<Mutant> all() {
    return List.of(
        core(
            "an input of another content is taken for a duplicate",
            "dev.hapax.admission.RunAdmission",
            "if (first.startedWith(again.fingerprint()) || flow.conflict() == Flow.Conflict.RETURN) {",
            "if (again != null) {"),
        mixed(
            "a key whose run has expired starts again",
            "dev.hapax.admission.RunAdmission",
            "holder instanceof KeyHolder.Expired && flow.afterRetention() == Flow.AfterRetention.NEW",
            "holder instanceof KeyHolder.Expired"),
        mixed(
            "an event of an object has no version",
            "dev.hapax.Inbox",
            "event.object(), event.version(), write(event, largest)",
            "event.object(), null, write(event, largest)"),
        mixed(
            "a read that fails makes an event invalid",
            "dev.hapax.Inbox",
            "NoAnswer.passOn(e); // not acknowledged: its sender delivers it again",
            ""),
        core(
            "a refusal that a body has wrapped is its own failure",
            "dev.hapax.flow.NoAnswer",
            "if (cause != null) {",
            "if (cause != null && seen.size() < 2) {"),
        core(
            "a body whose read was refused has failed",
            "dev.hapax.engine.pass.RunPass",
            "fence.closeIfUnanswered(thrown) != null",
            "false"),
        mixed(
            "the first missed instant is left out",
            "dev.hapax.DueInstants",
            "return begin.equals(first) ? new DueInstants(List.copyOf(chosen), null, null, next)",
            "return begin.equals(first) ? new DueInstants(List.copyOf(chosen.subList(1, chosen.size())), null, null, next)"),
        mixed(
            "an instant is not skipped although an earlier run is open",
            "dev.hapax.store.InstantRule",
            "if (open != null && change.overlap() == Overlap.SKIP) {",
            "if (open == null && change.overlap() == Overlap.SKIP && change.due().isEmpty()) {"),
        mixed(
            "a skipped instant is not counted",
            "dev.hapax.store.InstantRule",
            "why = reason; skipped++;",
            "why = reason;"),
        mixed(
            "tombstones end at once",
            "dev.hapax.engine.RetentionWork",
            "List<Change> changes = changes(going, exported, now.plus(retentionOptions.tombstones()));",
            "List<Change> changes = changes(going, exported, now);"),
        core(
            "what did not happen is taken as done",
            "dev.hapax.engine.Settling",
            "case NOT_HAPPENED -> EffectState.PENDING;",
            "case NOT_HAPPENED -> EffectState.DONE;"),
        core(
            "a settled run is not woken",
            "dev.hapax.engine.control.RunControl",
            ": goOn(run, said.compensate());",
            ": null;"),
        core(
            "the journal does not tell of a settlement",
            "dev.hapax.engine.control.RunControl",
            "if (landed(tries, stored, List.of(settled), changes)",
            "if (landed(tries, stored, List.of(), changes)"),
        mixed(
            "a settled undo leaves its effect locked",
            "dev.hapax.engine.Settling",
            "return step.isUndo() && !end.isOpen() ? afterUndo(run, step, end) : null;",
            "return null;"));
  }
}
