package dev.hapax.app.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.hapax.Kept;
import dev.hapax.RetentionOutlook;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What of a tenant will be deleted, what is held, and what was deleted lately. Lengths of time are
 * as in ISO-8601: {@code PT720H} is 30 days.
 *
 * @param days how far it looks ahead and back
 * @param paused why nothing is deleted now; absent if deletion goes on
 * @param keep how long the runs of a flow are kept after their end, for flows with runs that go
 * @param totals how many records of each kind go
 * @param leaving what goes in the next days if nothing holds it, and what is due already
 * @param held ended runs whose retention is over and that are kept; at most 200
 * @param gone what was deleted in the last days and left a tombstone
 * @param exports what is written elsewhere before it is deleted; absent if nothing is
 */
public record RetentionView(
    int days,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String paused,
    String tombstoneLife,
    String eventLife,
    Map<String, String> keep,
    Map<String, Long> totals,
    List<GroupView> leaving,
    List<HeldView> held,
    List<GroupView> gone,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable ExportsView exports) {

  /**
   * Exports of this tenant's records by the node that answers, since it was started.
   *
   * @param problem why nothing can be exported, and so nothing is deleted; absent if all is well
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record ExportsView(
      long runs,
      long effects,
      long events,
      @Nullable Instant lastAt,
      @Nullable String problem,
      @Nullable Instant problemSince) {
    private static @Nullable ExportsView of(RetentionOutlook.@Nullable Exports exports) {
      return exports == null
          ? null
          : new ExportsView(
              exports.runs(),
              exports.effects(),
              exports.events(),
              exports.last(),
              exports.problem(),
              exports.problemSince());
    }
  }

  /**
   * Records of one kind and day.
   *
   * @param kind run, effect, run-tombstone, effect-tombstone or event
   * @param name of the flow, the effect or the source of events
   * @param day in UTC
   */
  public record GroupView(
      String kind,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) String name,
      String day,
      long count) {
    private static GroupView of(RetentionOutlook.Group group) {
      return new GroupView(group.kind(), group.name(), group.day().toString(), group.count());
    }
  }

  /** A run that is kept longer than its retention. */
  public record HeldView(
      String run, String flow, String key, @Nullable Instant until, List<ReasonView> because) {
    private static HeldView of(RetentionOutlook.Held held) {
      return new HeldView(
          held.run(), held.flow(), held.key(), held.kept().until(), reasons(held.kept()));
    }
  }

  /**
   * Why a record is kept.
   *
   * @param until when the reason ends; absent if something else has to end first
   */
  public record ReasonView(
      String code,
      String text,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Instant until) {}

  /**
   * Until when one record is kept, and why.
   *
   * @param until null if something else has to end first
   */
  public record KeptView(String id, @Nullable Instant until, List<ReasonView> because) {
    public static KeptView of(String id, Kept kept) {
      return new KeptView(id, kept.until(), reasons(kept));
    }
  }

  private static List<ReasonView> reasons(Kept kept) {
    return kept.because().stream()
        .map(reason -> new ReasonView(reason.code(), reason.text(), reason.until()))
        .toList();
  }

  /**
   * Returns what a caller may see.
   *
   * @param outlook of the tenant
   */
  public static RetentionView of(RetentionOutlook outlook) {
    var keep = new TreeMap<String, String>();
    for (Map.Entry<String, Duration> one : outlook.keep().entrySet()) {
      keep.put(one.getKey(), one.getValue().toString());
    }
    var totals = new TreeMap<String, Long>();
    outlook.leaving().forEach(group -> totals.merge(group.kind(), group.count(), Long::sum));
    return new RetentionView(
        outlook.days(),
        outlook.paused(),
        outlook.tombstoneLife().toString(),
        outlook.eventLife().toString(),
        keep,
        totals,
        outlook.leaving().stream().map(GroupView::of).toList(),
        outlook.held().stream().map(HeldView::of).toList(),
        outlook.gone().stream().map(GroupView::of).toList(),
        ExportsView.of(outlook.exports()));
  }
}
