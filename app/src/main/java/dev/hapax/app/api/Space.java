package dev.hapax.app.api;

import dev.hapax.Hapax;
import dev.hapax.app.http.Call;
import dev.hapax.flow.NotFound;
import dev.hapax.flows.FlowFiles;

/**
 * Selects the runs that a call is about: normal runs, or with {@code ?draft=true} those of drafts,
 * which send nothing and share nothing with the others.
 */
final class Space {
  static final String DRAFT = "draft";

  private Space() {}

  static Hapax of(Call call) {
    return call.flag(DRAFT) ? drafts(call) : call.hapax();
  }

  /** Returns the space of this run; a run of a draft is found by its id alone, too. */
  static Hapax of(Call call, String run) {
    Hapax asked = of(call);
    return call.flag(DRAFT) || has(asked, run) || !has(drafts(call), run) ? asked : drafts(call);
  }

  /** Returns the space of this job, which may be about runs of drafts. */
  static Hapax ofJob(Call call, String job) {
    Hapax asked = of(call);
    return call.flag(DRAFT) || hasJob(asked, job) || !hasJob(drafts(call), job)
        ? asked
        : drafts(call);
  }

  private static boolean hasJob(Hapax hapax, String job) {
    try {
      hapax.jobs().job(job);
      return true;
    } catch (NotFound e) {
      return false;
    }
  }

  private static Hapax drafts(Call call) {
    return call.hapax(FlowFiles::draftsOf);
  }

  private static boolean has(Hapax hapax, String run) {
    try {
      hapax.run(run);
      return true;
    } catch (NotFound | IllegalArgumentException e) {
      return false;
    }
  }
}
