package dev.hapax.engine.tests;

import dev.hapax.flow.Job;
import dev.hapax.flow.JobItem;
import dev.hapax.flow.JobKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A kind of jobs over the subjects s-1, s-2 and so on, which writes down what it does. */
final class CountedKind implements JobKind {
  final List<String> acts = new CopyOnWriteArrayList<>();
  volatile Function<JobItem, Outcome> act = _ -> Outcome.DONE;
  volatile Runnable beforePage = () -> {};
  volatile int largestPage;
  private final int subjects;

  CountedKind(int subjects) {
    this.subjects = subjects;
  }

  @Override
  public String name() {
    return "counted";
  }

  @Override
  public void check(String tenant, String spec) {
    if (spec.contains("\"bad\"")) {
      throw new IllegalArgumentException("a bad job");
    }
  }

  @Override
  public Page select(Job job, @Nullable String place, int limit) {
    beforePage.run();
    int from = place == null ? 0 : Integer.parseInt(place);
    int to = Math.min(subjects, from + limit);
    List<Selected> items = new ArrayList<>();
    for (int i = from + 1; i <= to; i++) {
      items.add(
          new Selected("s-" + i, "orders", "K-" + i)
              .detail("{\"n\":" + i + "}")
              .counting(Map.of("odd", i % 2L)));
    }
    largestPage = Math.max(largestPage, items.size());
    return new Page(items, to == subjects ? null : String.valueOf(to));
  }

  @Override
  public Outcome act(Job job, JobItem item) {
    acts.add(item.subject());
    return act.apply(item);
  }
}
