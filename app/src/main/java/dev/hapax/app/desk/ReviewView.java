package dev.hapax.app.desk;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonRawValue;
import dev.hapax.app.wire.EffectView;
import dev.hapax.app.wire.HistoryView;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An effect that needs a person, with its evidence. It has all members of an effect, and more.
 *
 * @param runKey the key of the run that owns it
 * @param since when it came to a person; null if that is unknown
 * @param cause what it has in common with others, see {@code /api/reviews/causes}
 * @param destination the connection or the host that it went to
 * @param runbook what the flow says that people should do
 * @param history the lines of the run's history about it: attempts, answers, lookups, decisions
 * @param historyLeftOut how many lines in the middle of a very long history are left out
 * @param others the other effects of the run, at most 50
 */
record ReviewView(
    String id,
    String name,
    String key,
    String kind,
    String guard,
    String state,
    @Nullable String run,
    String step,
    @JsonInclude(Include.NON_NULL) @Nullable String item,
    @Nullable String externalId,
    int attempts,
    int revision,
    String wireKey,
    @Nullable Instant firstSentAt,
    @JsonInclude(Include.NON_NULL) @Nullable Object version,
    @Nullable @JsonRawValue String request,
    @Nullable @JsonRawValue String result,
    @Nullable String evidence,
    @Nullable String flow,
    @Nullable String runKey,
    @Nullable Instant since,
    @Nullable Long ageSeconds,
    String cause,
    @Nullable String destination,
    @Nullable String assignee,
    @Nullable String runbook,
    int commentCount,
    @JsonInclude(Include.NON_NULL) @Nullable List<Comment> comments,
    @JsonInclude(Include.NON_NULL) @Nullable List<HistoryView> history,
    @JsonInclude(Include.NON_NULL) @Nullable Long historyLeftOut,
    @JsonInclude(Include.NON_NULL) @Nullable List<Other> others) {

  /** A comment of a person. */
  record Comment(Instant at, String by, String text) {
    static Comment of(ReviewNotes.Comment stored) {
      return new Comment(stored.at(), stored.by(), stored.text());
    }
  }

  /** Another effect of the same run. */
  @JsonInclude(Include.NON_NULL)
  record Other(
      String id,
      String name,
      String key,
      String state,
      String step,
      @Nullable String item,
      @Nullable String externalId) {}

  /** What is known beside the effect itself. */
  record Desk(
      @Nullable String flow,
      @Nullable String runKey,
      @Nullable Instant since,
      @Nullable Long ageSeconds,
      String cause,
      @Nullable String destination,
      @Nullable String assignee,
      @Nullable String runbook,
      int commentCount) {}

  /** What only a single review shows. */
  record Evidence(
      List<Comment> comments,
      List<HistoryView> history,
      @Nullable Long historyLeftOut,
      List<Other> others) {}

  static ReviewView of(EffectView effect, Desk desk, @Nullable Evidence evidence) {
    return new ReviewView(
        effect.id(),
        effect.name(),
        effect.key(),
        effect.kind(),
        effect.guard(),
        effect.state(),
        effect.run(),
        effect.step(),
        effect.item(),
        effect.externalId(),
        effect.attempts(),
        effect.revision(),
        effect.wireKey(),
        effect.firstSentAt(),
        effect.version(),
        effect.request(),
        effect.result(),
        effect.evidence(),
        desk.flow(),
        desk.runKey(),
        desk.since(),
        desk.ageSeconds(),
        desk.cause(),
        desk.destination(),
        desk.assignee(),
        desk.runbook(),
        desk.commentCount(),
        evidence == null ? null : evidence.comments(),
        evidence == null ? null : evidence.history(),
        evidence == null ? null : evidence.historyLeftOut(),
        evidence == null ? null : evidence.others());
  }
}
