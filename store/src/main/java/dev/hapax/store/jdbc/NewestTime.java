package dev.hapax.store.jdbc;

import dev.hapax.store.Batch;
import dev.hapax.store.GroupAnswer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * The newest time of a group that has landed, at least the time of every number. Written at most
 * every ten seconds, so that a clock that was set back is noticed.
 */
public final class NewestTime {
  private static final Duration WRITTEN_EVERY = Duration.ofSeconds(10);

  private Instant written;
  private volatile Instant newest;

  public NewestTime(Instant written, Instant ofNumbers) {
    this.written = written;
    this.newest = written.isAfter(ofNumbers) ? written : ofNumbers;
  }

  public Instant newest() {
    return newest;
  }

  /** Returns the newest time once these groups have landed. */
  public Instant after(Batch batch, List<GroupAnswer> answers) {
    Instant newestAt = newest;
    for (int i = 0; i < answers.size(); i++) {
      Instant at = batch.groups().get(i).at();
      boolean wrote =
          answers.get(i) instanceof GroupAnswer.Landed
              || answers.get(i) instanceof GroupAnswer.Queued;
      if (wrote && at.isAfter(newestAt)) {
        newestAt = at;
      }
    }
    return newestAt;
  }

  public boolean isToBeWritten(Instant newestAt) {
    return newestAt.isAfter(written.plus(WRITTEN_EVERY));
  }

  public void wrote(Instant newestAt) {
    written = newestAt;
  }

  public void landed(Instant newestAt) {
    newest = newestAt;
  }
}
