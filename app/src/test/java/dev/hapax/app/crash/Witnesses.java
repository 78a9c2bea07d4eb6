package dev.hapax.app.crash;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.flow.EffectFilter;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.HistoryEntry;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunFilter;
import dev.hapax.testkit.fault.Arrival;
import dev.hapax.testkit.fault.SinkLog;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Everything that is known after the faults have stopped: what clients heard, what the sink and the
 * books saw, and what Hapax itself says through its public API.
 *
 * @param acknowledged the run ids that clients received, by key
 * @param madeAgain the keys that were reported as new although they had been acknowledged
 * @param inReview the ids of the effects that Hapax lists for a person
 */
public record Witnesses(
    Map<String, Set<String>> acknowledged,
    Set<String> madeAgain,
    List<Arrival> arrivals,
    List<Books.Booking> bookings,
    List<Run> runs,
    Map<Long, List<HistoryEntry>> histories,
    List<EffectRecord> effects,
    Set<String> inReview) {

  static Witnesses of(
      SiteFiles files,
      @Nullable String url,
      Map<String, Set<String>> acknowledged,
      Set<String> madeAgain)
      throws IOException, SQLException {
    List<Arrival> arrivals = SinkLog.read(files.sinkLog());
    List<Books.Booking> bookings = files.books().bookings();
    // No flow is registered here, so this engine executes nothing.
    try (Hapax hapax =
        url == null ? Hapax.open(files.store()) : Hapax.open(url, HapaxOptions.DEFAULT)) {
      List<Run> runs = runs(hapax);
      var histories = new HashMap<Long, List<HistoryEntry>>();
      runs.forEach(run -> histories.put(run.number(), hapax.history(run.id().toString())));
      Set<String> inReview =
          effects(hapax, hapax.effects().state(EffectState.REVIEW)).stream()
              .map(EffectRecord::id)
              .collect(Collectors.toSet());
      return new Witnesses(
          acknowledged,
          madeAgain,
          arrivals,
          bookings,
          runs,
          histories,
          effects(hapax, hapax.effects()),
          inReview);
    }
  }

  private static List<Run> runs(Hapax hapax) {
    RunFilter all = hapax.runs();
    return pages(
        before ->
            hapax.runs(
                new RunFilter(all.tenant(), all.flow(), all.key(), null, before, all.limit())),
        Run::number);
  }

  private static List<EffectRecord> effects(Hapax hapax, EffectFilter all) {
    return pages(
        before ->
            hapax.effects(
                new EffectFilter(
                    all.tenant(), all.name(), all.key(), all.state(), before, all.limit())),
        EffectRecord::number);
  }

  private static <T> List<T> pages(
      Function<@Nullable Long, List<T>> pageBefore, Function<T, Long> number) {
    var all = new ArrayList<T>();
    List<T> page = pageBefore.apply(null);
    while (!page.isEmpty()) {
      all.addAll(page);
      page = pageBefore.apply(number.apply(page.getLast()));
    }
    return all;
  }

  /** What shows that the test was not passed by doing nothing. */
  public Tally tally() {
    return new Tally(
        runs.size(),
        runs.stream().filter(run -> run.status().word().equals("succeeded")).count(),
        inReview.size(),
        arrivals.stream().filter(Arrival::isAmbiguous).count(),
        histories.values().stream()
            .flatMap(List::stream)
            .filter(entry -> entry.type().equals("doubt"))
            .count());
  }

  public record Tally(long runs, long succeeded, long reviews, long lostAnswers, long doubts) {
    @Override
    public String toString() {
      return "%d runs · %d succeeded · %d in review · %d answers lost · %d doubts"
          .formatted(runs, succeeded, reviews, lostAnswers, doubts);
    }
  }
}
