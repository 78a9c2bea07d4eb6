package dev.hapax.app.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.Destinations;
import dev.hapax.flow.RunStatus;
import dev.hapax.store.OpenWork;
import dev.hapax.time.Ports;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Figures are few, and asking for them often costs nothing. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OpenFiguresTest {
  private static final Instant NOW = Instant.parse("2026-05-04T10:00:00Z");

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final AtomicInteger reads = new AtomicInteger();
  private final CountDownLatch answers = new CountDownLatch(1);
  private OpenWork work = new OpenWork(List.of(), List.of(), 0, 0, 0, null, 0);
  private boolean isAway;

  private final class Source implements OpenFigures.Source {
    @Override
    public OpenWork open(int newest) {
      reads.incrementAndGet();
      if (isAway) {
        try {
          answers.await();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
      return work;
    }

    @Override
    public @Nullable Instant nextDue() {
      return NOW.minusSeconds(90);
    }

    @Override
    public Destinations.Load destinations() {
      return new Destinations.Load(Map.of("open", 2), 3);
    }

    @Override
    public Instant now() {
      return NOW;
    }
  }

  private String scrape(OpenFigures figures) {
    figures.refresh();
    return registry.scrape();
  }

  private OpenFigures figures() {
    return new OpenFigures(new Source(), Ports.system().threads(), registry, true);
  }

  @AfterEach
  void close() {
    answers.countDown();
    registry.close();
  }

  @Test
  void of_many_flows_the_largest_have_names_and_the_sum_is_right() {
    var byFlow = new ArrayList<OpenWork.Runs>();
    for (int i = 1; i <= 500; i++) {
      byFlow.add(new OpenWork.Runs("flow-" + i, RunStatus.WAITING, i));
    }
    long sum = 500 * 501 / 2 + 1_000_000; // more than were read by flow
    work =
        new OpenWork(
            List.of(new OpenWork.Runs(null, RunStatus.WAITING, sum)), byFlow, 0, 0, 0, null, 0);

    List<String> lines =
        scrape(figures()).lines().filter(line -> line.startsWith("hapax_runs{")).toList();

    assertThat(lines).hasSize(OpenFigures.MOST_FLOWS + 1);
    assertThat(lines).contains("hapax_runs{flow=\"flow-500\",status=\"waiting\"} 500.0");
    assertThat(
            lines.stream()
                .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf("} ") + 2)))
                .sum())
        .isEqualTo((double) sum);
  }

  @Test
  void the_store_is_asked_once_for_many_scrapes() {
    OpenFigures figures = figures();

    for (int i = 0; i < 100; i++) {
      scrape(figures);
    }

    assertThat(reads).hasValue(1);
  }

  @Test
  void ages_and_states_are_shown() {
    work = new OpenWork(List.of(), List.of(), 4, 5, 6, NOW.minusSeconds(3600), 7);

    assertThat(scrape(figures()))
        .contains("hapax_effects_open{state=\"doubt\"} 4.0")
        .contains("hapax_effects_open{state=\"review\"} 5.0")
        .contains("hapax_approvals_open 6.0")
        .contains("hapax_approvals_oldest_age_seconds 3600.0")
        .contains("hapax_line_length 7.0")
        .contains("hapax_due_oldest_age_seconds 90.0")
        .contains("hapax_breakers{state=\"open\"} 2.0")
        .contains("hapax_calls_waiting 3.0");
  }

  @Test
  void a_store_that_does_not_answer_lets_a_scrape_wait_only_a_moment() {
    isAway = true;
    OpenFigures figures = figures();

    assertThat(scrape(figures)).contains("hapax_approvals_open 0.0");
    assertThat(scrape(figures)).contains("hapax_figures_age_seconds");

    assertThat(reads).hasValue(1);
  }
}
