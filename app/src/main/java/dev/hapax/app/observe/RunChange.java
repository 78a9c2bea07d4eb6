package dev.hapax.app.observe;

import dev.hapax.flow.RunStatus;
import dev.hapax.run.NewRun;
import dev.hapax.run.journal.Answer;
import dev.hapax.run.journal.ClaimAnswer;
import dev.hapax.store.Batch;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.Head;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A commit's change to a run.
 *
 * @param number of the run
 * @param begun the run, if the commit has created it; null otherwise
 * @param status null if the commit did not change it
 */
record RunChange(long number, @Nullable NewRun begun, @Nullable RunStatus status, Instant at) {

  boolean isNew() {
    return begun != null;
  }

  /** Reads the changes that have landed from a batch. */
  static void in(Batch batch, List<GroupAnswer> answers, Consumer<RunChange> each) {
    for (int i = 0; i < answers.size(); i++) {
      RunChange change = of(batch.groups().get(i), answers.get(i));
      if (change != null) {
        each.accept(change);
      }
    }
  }

  private static @Nullable RunChange of(Group group, GroupAnswer answer) {
    boolean isQueued = answer instanceof GroupAnswer.Queued;
    List<Answer> answers =
        answer instanceof GroupAnswer.Landed landed ? landed.answers() : List.of();
    if (!isQueued && !(answer instanceof GroupAnswer.Landed)) {
      return null;
    }
    return switch (group.head()) {
      case Head.Insert(NewRun run, var owner) ->
          new RunChange(
              run.number(),
              run,
              isQueued ? RunStatus.QUEUED : statusAfter(group, answers, first(owner)),
              group.at());
      case Head.Owned owned -> changed(group, answers, owned.run());
      case Head.Unowned unowned -> changed(group, answers, unowned.run());
      case Head.NotEnded notEnded -> changed(group, answers, notEnded.run());
      default -> null;
    };
  }

  private static RunStatus first(@Nullable Long owner) {
    return owner == null ? RunStatus.QUEUED : RunStatus.RUNNING;
  }

  private static @Nullable RunChange changed(Group group, List<Answer> answers, long run) {
    RunStatus status = statusAfter(group, answers, null);
    return status == null ? null : new RunChange(run, null, status, group.at());
  }

  private static @Nullable RunStatus statusAfter(
      Group group, List<Answer> answers, @Nullable RunStatus before) {
    boolean isEndRefused = answers.contains(new Answer.NotEnded());
    RunStatus status = before;
    for (Change change : group.changes()) {
      status =
          switch (change) {
            case Change.End _ when isEndRefused -> RunStatus.CANCELING;
            case Change.End end -> end.status();
            case Change.Release release -> release.status();
            case Change.Reopen _ -> RunStatus.QUEUED;
            case Change.Quarantine _ -> RunStatus.REVIEW;
            case Change.Resume resume -> resume.status();
            case Change.Take _ -> RunStatus.RUNNING;
            case Change.RequestCancel _ ->
                answers.contains(new ClaimAnswer.Refused()) ? status : RunStatus.CANCELING;
            default -> status;
          };
    }
    return status;
  }
}
