package dev.hapax.testkit.mutant;

import static dev.hapax.testkit.mutant.EngineMutants.mixed;

import java.util.List;

/** Of the quarantine: runs that end processes, and those that do not. */
final class PoisonMutants {
  private PoisonMutants() {}

  static List<Mutant> all() {
    return List.of(
        mixed(
            "nothing says that a suspect is in memory",
            "dev.hapax.engine.Suspects",
            "notes.write(Map.of(run, taken));",
            ""),
        mixed(
            "ends of processes are not counted",
            "dev.hapax.engine.SuspectNote",
            "end.alone ? known.alone + 1 : 0,",
            "0,"),
        mixed(
            "suspects are always taken up together",
            "dev.hapax.engine.SuspectNote",
            "return ends >= ENDS_BEFORE_SINGLE_FILE;",
            "return false;"),
        mixed(
            "a run is a suspect though it got further",
            "dev.hapax.engine.writing.RunWriter",
            "whenFurther = null; what.run();",
            "whenFurther = null;"),
        mixed(
            "every suspect was alone",
            "dev.hapax.engine.SuspectJudge",
            "boolean isAlone = alone != null && alone == run;",
            "boolean isAlone = alone == null || alone != 0;"),
        mixed(
            "a run that undoes its effects ends in quarantine",
            "dev.hapax.engine.QuarantineState",
            "return status == RunStatus.COMPENSATING || (wish != null && wish.compensate());",
            "return false;"),
        mixed(
            "a cancel in quarantine is not in the journal",
            "dev.hapax.engine.QuarantineEnd",
            "Group group = group(stored, changes, List.of(told), null);",
            "Group group = group(stored, changes, told.actor() == null ? List.of(told) : List.of(), null);"));
  }
}
