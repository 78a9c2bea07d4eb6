package dev.hapax.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flow.JobItem;
import dev.hapax.flow.JobItemState;
import dev.hapax.flow.JobState;
import dev.hapax.run.JobRecord;
import dev.hapax.store.Batch;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.testkit.memory.MemoryStore;
import dev.hapax.testkit.promise.ClientCall;
import dev.hapax.testkit.promise.Evidence;
import dev.hapax.testkit.promise.JobsAreCarriedOut;
import dev.hapax.testkit.promise.Observation;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The checker sees a job that is left behind, lost, or counted wrongly. */
class JobsAreCarriedOutTest {
  private static final String TENANT = "acme";
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private static List<String> broken(
      JobState state, long done, JobItemState item, Observation... observations) {
    var store = new MemoryStore();
    var job =
        new JobRecord(
            1,
            TENANT,
            "j-1",
            "retry",
            state,
            "{}",
            Map.of("items", 1L),
            done,
            0,
            0,
            100,
            "ann",
            "ann",
            NOW,
            null,
            null,
            1,
            true,
            null,
            0);
    var items =
        new Change.PutJobItems(
            1, List.of(new JobItem(1, "r-1", "order", "A", item, null, null, NOW)));
    store.commit(
        new Batch(List.of(Group.always(7, NOW, List.of(new Change.PutJob(job, 0), items)))));
    return new JobsAreCarriedOut()
        .brokenBy(
            new Evidence(store, TENANT, List.of(), List.of(), List.of(), List.of(observations)));
  }

  @Test
  void a_job_that_did_everything_keeps_it() {
    assertThat(broken(JobState.DONE, 1, JobItemState.DONE)).isEmpty();
    assertThat(broken(JobState.CANCELED, 0, JobItemState.OPEN)).isEmpty();
    assertThat(broken(JobState.PAUSED, 0, JobItemState.OPEN)).isEmpty();
  }

  @Test
  void a_job_that_is_left_behind_breaks_it() {
    assertThat(broken(JobState.RUNNING, 0, JobItemState.OPEN)).isNotEmpty();
    assertThat(broken(JobState.PLANNING, 0, JobItemState.OPEN)).isNotEmpty();
    assertThat(broken(JobState.DONE, 0, JobItemState.OPEN)).isNotEmpty();
    assertThat(broken(JobState.DONE, 0, JobItemState.DOING)).isNotEmpty();
  }

  @Test
  void a_result_that_is_counted_twice_or_never_breaks_it() {
    assertThat(broken(JobState.DONE, 2, JobItemState.DONE)).isNotEmpty();
    assertThat(broken(JobState.DONE, 0, JobItemState.DONE)).isNotEmpty();
    assertThat(broken(JobState.PLANNED, 1, JobItemState.DONE)).isNotEmpty();
  }

  @Test
  void a_job_that_was_accepted_and_is_gone_breaks_it() {
    var begun = new Observation.JobBegun("j-2", NOW, ClientCall.Answer.ACCEPTED);

    assertThat(broken(JobState.DONE, 1, JobItemState.DONE, begun)).isNotEmpty();
  }
}
