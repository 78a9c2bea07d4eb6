package dev.hapax.job;

import dev.hapax.flow.Job;
import dev.hapax.flow.JobItem;
import dev.hapax.flow.JobItemState;
import dev.hapax.flow.JobKind;
import dev.hapax.flow.JobState;
import dev.hapax.json.Text;
import dev.hapax.run.JobEdit;
import dev.hapax.run.JobRecord;
import java.time.Instant;
import java.util.List;

/** Adds the items that a kind has found to a job. */
final class JobPage {
  private static final int LONGEST_PROBLEM = 1_000;

  private JobPage() {}

  /**
   * Returns the job with one more page. After the last one, it is planned, or acts.
   *
   * @param items to which the new ones are added
   */
  static JobRecord added(JobRecord job, JobKind.Page page, Instant now, List<JobItem> items) {
    long position = job.toJob().items();
    JobEdit edit = job.edit().add(Job.ITEMS, page.items().size());
    for (JobKind.Selected one : page.items()) {
      one.counts().forEach(edit::add);
      JobItem item = item(++position, one, now);
      if (item.state().isEnd()) {
        edit.count(item.state());
      }
      items.add(item);
    }
    edit.selectedUpTo(page.next());
    if (page.next() == null) {
      edit.state(job.appliedBy() == null ? JobState.PLANNED : JobState.RUNNING);
    }
    return edit.toRecord();
  }

  private static JobItem item(long position, JobKind.Selected one, Instant now) {
    var item =
        new JobItem(
            position,
            one.subject(),
            one.flow(),
            one.key(),
            JobItemState.OPEN,
            one.detail(),
            null,
            null);
    String problem = one.problem();
    return problem == null ? item : item.ended(JobItemState.SKIPPED, storable(problem), null, now);
  }

  static String storable(String problem) {
    return Text.storable(Text.cut(problem, LONGEST_PROBLEM));
  }
}
