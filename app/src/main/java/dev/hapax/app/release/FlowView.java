package dev.hapax.app.release;

import dev.hapax.app.data.Stored;
import dev.hapax.flows.LoadedFlow;
import dev.hapax.flows.check.Finding;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The state of a flow.
 *
 * @param live the number of the release that new runs start on; null if there is none
 * @param newest the number of the last release; null if there is none yet
 * @param retiredAt when the flow was retired; null if it is not
 * @param labels of the live release, or of the draft if none is live
 */
record FlowView(
    String flow,
    @Nullable Integer live,
    @Nullable Integer newest,
    @Nullable Instant promotedAt,
    @Nullable String promotedBy,
    @Nullable Instant retiredAt,
    @Nullable String retiredBy,
    List<String> labels) {

  static FlowView of(FlowState state, List<String> labels) {
    Retirement retired = state.retired();
    return new FlowView(
        state.name().flow(),
        state.live() == 0 ? null : state.live(),
        state.newest() == 0 ? null : state.newest(),
        state.promotedAt(),
        state.promotedBy(),
        retired == null ? null : retired.at(),
        retired == null ? null : retired.by(),
        labels);
  }

  /** The answer to a promotion, with warnings about what the release needs. */
  record Promoted(
      String flow,
      @Nullable Integer live,
      @Nullable Integer newest,
      @Nullable Instant promotedAt,
      @Nullable String promotedBy,
      List<String> labels,
      List<FindingView> findings) {
    static Promoted of(FlowView view, List<Finding> findings) {
      return new Promoted(
          view.flow(),
          view.live(),
          view.newest(),
          view.promotedAt(),
          view.promotedBy(),
          view.labels(),
          FindingView.of(findings));
    }
  }

  /**
   * The answer to a retirement.
   *
   * @param release that was live
   * @param runs that have not ended, by release; they go on
   * @param findings warnings about live flows that still start it
   */
  record Retired(
      String flow,
      @Nullable Integer release,
      @Nullable Instant retiredAt,
      @Nullable String retiredBy,
      List<String> labels,
      List<OpenRuns> runs,
      List<FindingView> findings) {
    static Retired of(Retirements.NowRetired now, List<String> labels) {
      FlowView view = FlowView.of(now.state(), labels);
      Retirement retired = now.state().retired();
      return new Retired(
          view.flow(),
          retired == null ? null : retired.release(),
          view.retiredAt(),
          view.retiredBy(),
          labels,
          now.runs(),
          FindingView.of(now.findings()));
    }
  }

  /** A single flow: also its draft, and the content of its live release. */
  record Whole(
      String flow,
      @Nullable Integer live,
      @Nullable Integer newest,
      @Nullable Instant promotedAt,
      @Nullable String promotedBy,
      @Nullable Instant retiredAt,
      @Nullable String retiredBy,
      List<String> labels,
      @Nullable DraftView draft,
      @Nullable String description,
      List<TriggerView> triggers) {

    static Whole of(
        FlowView view,
        @Nullable Stored<Draft> draft,
        @Nullable LoadedFlow now,
        UnaryOperator<String> addressOfHook) {
      return new Whole(
          view.flow(),
          view.live(),
          view.newest(),
          view.promotedAt(),
          view.promotedBy(),
          view.retiredAt(),
          view.retiredBy(),
          view.labels(),
          draft == null ? null : DraftView.of(draft),
          now == null ? null : now.file().description(),
          now == null ? List.of() : TriggerView.of(now.file(), addressOfHook));
    }
  }
}
