package dev.hapax.app.desk;

import dev.hapax.Hapax;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.ShortList;
import dev.hapax.app.wire.EffectView;
import dev.hapax.app.wire.HistoryView;
import dev.hapax.flow.EffectPast;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.ReviewCause;
import dev.hapax.flow.ReviewGroup;
import dev.hapax.flow.ReviewGroups;
import dev.hapax.flow.Run;
import dev.hapax.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads reviews of a tenant, with their evidence. */
final class ReviewQueue {
  private static final int MOST_OTHERS = 50;

  private final Hapax hapax;
  private final ReviewBook book;
  private final Clock clock;

  ReviewQueue(Hapax hapax, ReviewBook book, Clock clock) {
    this.hapax = hapax;
    this.book = book;
    this.clock = clock;
  }

  /** Returns reviews as the items of a list. */
  List<ReviewView> items(List<EffectRecord> rows) {
    Map<Long, Instant> since = hapax.reviews().since(rows);
    return rows.stream().map(row -> view(row, since.get(row.number()), null)).toList();
  }

  /** Returns a review with all that is known about it. */
  ReviewView whole(EffectRecord row) {
    EffectPast past = hapax.reviews().past(row);
    return view(row, past.since(), past);
  }

  private ReviewView view(EffectRecord row, @Nullable Instant since, @Nullable EffectPast past) {
    Run owner = hapax.findRun(row.run());
    ReviewNotes notes = book.of(row);
    ReviewCause cause = ReviewCause.of(row, owner);
    var desk =
        new ReviewView.Desk(
            owner == null ? null : owner.flow(),
            owner == null ? null : owner.key(),
            since,
            since == null || row.state() != EffectState.REVIEW ? null : age(since),
            cause.id(),
            cause.destination(),
            notes.assignee(),
            owner == null ? null : hapax.runbook(owner, row.step().name()),
            notes.comments().size());
    return ReviewView.of(
        EffectView.of(row, owner == null ? null : owner.id().toString()),
        desk,
        past == null ? null : evidence(row, owner, past, notes));
  }

  private ReviewView.Evidence evidence(
      EffectRecord row, @Nullable Run owner, EffectPast past, ReviewNotes notes) {
    return new ReviewView.Evidence(
        notes.comments().stream().map(ReviewView.Comment::of).toList(),
        past.lines().stream().map(HistoryView::of).toList(),
        past.leftOut() == 0 ? null : Long.valueOf(past.leftOut()),
        owner == null ? List.of() : others(owner, row));
  }

  private long age(Instant since) {
    return Math.max(0, Duration.between(since, clock.now()).toSeconds());
  }

  private List<ReviewView.Other> others(Run owner, EffectRecord row) {
    return hapax.effects(hapax.effects().of(owner).limit(MOST_OTHERS + 1)).stream()
        .filter(other -> other.number() != row.number())
        .limit(MOST_OTHERS)
        .map(
            other ->
                new ReviewView.Other(
                    other.id(),
                    other.key().name(),
                    other.key().shown(),
                    other.state().word(),
                    other.step().name(),
                    other.step().item(),
                    other.externalId()))
        .toList();
  }

  /** What reviews have in common, most frequent first. */
  Causes causes(Call call) {
    ReviewGroups causes = hapax.reviews().causes(owner -> DeskEffects.isFor(call, owner));
    ShortList<CauseView> page =
        ShortList.of(call, causes.groups().stream().map(this::view).toList());
    return new Causes(page.items(), page.next(), causes.complete());
  }

  private CauseView view(ReviewGroup group) {
    ReviewCause cause = group.cause();
    Instant oldest = group.oldestSentAt();
    return new CauseView(
        cause.id(),
        cause.flow(),
        cause.step(),
        cause.destination(),
        cause.error(),
        group.count(),
        oldest,
        oldest == null ? null : age(oldest),
        group.examples());
  }

  /**
   * The causes of a tenant's reviews.
   *
   * @param complete false if there are more reviews or causes than are counted
   */
  record Causes(List<CauseView> items, @Nullable String next, boolean complete) {}
}
