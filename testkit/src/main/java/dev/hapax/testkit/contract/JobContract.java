package dev.hapax.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flow.JobItem;
import dev.hapax.flow.JobItemState;
import dev.hapax.flow.JobState;
import dev.hapax.run.JobRecord;
import dev.hapax.run.NewRun;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer.Landed;
import dev.hapax.store.GroupAnswer.Lost;
import dev.hapax.time.IdSource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** One of two writers moves a job on, together with its results and the run that works on it. */
@SuppressWarnings("MemberName") // the names of tests are sentences
public abstract class JobContract extends StoreContract {

  @Test
  void everything_about_a_job_is_stored() {
    JobRecord full =
        new JobRecord(
            nextNumber(),
            TENANT,
            "j-1",
            "retry",
            JobState.CANCELED,
            "{\"filter\":{\"flow\":\"ü\"}}",
            Map.of("items", 7L, "send", 3L),
            1,
            2,
            3,
            50,
            "ann",
            "bob",
            now,
            later(Duration.ofHours(1)),
            "it \"was\" stopped",
            4,
            true,
            "c9",
            0);
    Group put = always(new Change.PutJob(full, 0));

    land(put);

    assertThat(store.jobs().find(TENANT, "j-1")).isEqualTo(full.writtenBy(put.op()));
    assertThat(store.jobs().find("another", "j-1")).isNull();
    assertThat(store.jobs().find(TENANT, "j-2")).isNull();
  }

  @Test
  void of_two_writers_one_lands_with_all_that_is_beside_it() {
    JobRecord job = begun("j-1");
    NewRun mine = newRun("mine");
    NewRun theirs = newRun("theirs");
    JobRecord next = job.edit().state(JobState.RUNNING).nextTurn().toRecord();

    var first =
        commit(
            always(
                new Change.PutJob(next, job.version()),
                new Change.Spawn(mine),
                items(job, open(1))));
    var second =
        commit(
            always(
                new Change.PutJob(next, job.version()),
                new Change.Spawn(theirs),
                items(job, open(2))));

    assertThat(first).isInstanceOf(Landed.class);
    assertThat(second).isEqualTo(new Lost());
    assertThat(store.find(mine.id())).isNotNull();
    assertThat(store.find(theirs.id())).isNull();
    assertThat(all(job)).containsExactly(open(1));
    assertThat(stored("j-1").turn()).isEqualTo(1);
  }

  @Test
  void the_spec_of_a_job_is_written_anew_if_the_change_says_so() {
    JobRecord job = begun("j-1");
    JobRecord next = job.edit().spec("{\"applyReason\":\"a price\"}").toRecord();
    Group group = always(new Change.PutJob(next, job.version(), true));

    land(group);
    land(group);

    assertThat(stored("j-1")).isEqualTo(next.writtenBy(group.op()));
  }

  @Test
  void a_second_job_of_the_same_id_is_not_made() {
    JobRecord job = begun("j-1");

    var again = commit(always(new Change.PutJob(job("j-1"), 0), items(job, open(1))));

    assertThat(again).isEqualTo(new Lost());
    assertThat(all(job)).isEmpty();
    assertThat(stored("j-1")).isEqualTo(job);
  }

  @Test
  void a_batch_that_is_submitted_again_moves_a_job_on_once() {
    JobRecord job = begun("j-1");
    JobItem done = open(1).ended(JobItemState.DONE, null, null, now);
    JobRecord next = job.edit().count(JobItemState.DONE).toRecord();
    Group group =
        always(
            items(job, done),
            new Change.PutJob(next, job.version()),
            new Change.Spawn(newRun("turn")));

    Landed first = land(group);
    Landed again = land(group);

    assertThat(again.answers()).isEqualTo(first.answers());
    assertThat(stored("j-1")).isEqualTo(next.writtenBy(group.op()));
    assertThat(stored("j-1").done()).isEqualTo(1);
    assertThat(all(job)).containsExactly(done);
  }

  @Test
  void items_are_read_by_state_and_in_pages() {
    JobRecord job = begun("j-1");
    JobRecord other = begun("j-2");
    JobItem failed = open(2).ended(JobItemState.FAILED, "it \"broke\"\n", "{\"a\":[1]}", now);
    land(always(items(job, open(1), open(2), open(3), open(4)), items(other, open(1))));

    land(always(items(job, failed, open(3).doing())));

    assertThat(all(job)).containsExactly(open(1), failed, open(3).doing(), open(4));
    assertThat(store.jobs().items(job.number(), JobItemState.OPEN, 0, 10))
        .containsExactly(open(1), open(4));
    assertThat(store.jobs().items(job.number(), JobItemState.OPEN, 1, 10)).containsExactly(open(4));
    assertThat(store.jobs().items(job.number(), JobItemState.FAILED, 0, 10))
        .containsExactly(failed);
    assertThat(store.jobs().items(job.number(), null, 1, 2))
        .containsExactly(failed, open(3).doing());
    assertThat(all(other)).containsExactly(open(1));
  }

  @Test
  void an_item_without_flow_key_and_detail_keeps_none() {
    JobRecord job = begun("j-1");
    var bare = new JobItem(1, "i-1", null, null, JobItemState.OPEN, null, null, null);

    land(always(items(job, bare)));

    assertThat(all(job)).containsExactly(bare);
  }

  @Test
  void jobs_come_newest_first_and_of_one_tenant() {
    begun("j-1");
    JobRecord second = begun("j-2");
    begun("j-3");

    assertThat(store.jobs().list(TENANT, null, 2))
        .extracting(JobRecord::id)
        .containsExactly("j-3", "j-2");
    assertThat(store.jobs().list(TENANT, second.number(), 2))
        .extracting(JobRecord::id)
        .containsExactly("j-1");
    assertThat(store.jobs().list("another", null, 2)).isEmpty();
    assertThat(
            store
                .jobs()
                .createdBefore(
                    TENANT, IdSource.timeOf(second.number()).plus(Duration.ofSeconds(1)), 2))
        .extracting(JobRecord::id)
        .containsExactly("j-1", "j-2");
    assertThat(
            store.jobs().createdBefore(TENANT, IdSource.timeOf(second.number()).minusSeconds(1), 2))
        .isEmpty();
  }

  @Test
  void a_job_is_removed_part_by_part_and_by_its_tenant_only() {
    JobRecord job = begun("j-1");
    land(always(items(job, open(1), open(2), open(3))));

    land(always(new Change.RemoveJob("another", job.number(), 2)));
    assertThat(all(job)).hasSize(3);
    land(always(new Change.RemoveJob(TENANT, job.number(), 2)));
    assertThat(all(job)).containsExactly(open(3));
    assertThat(store.jobs().find(TENANT, "j-1")).isNotNull();
    land(always(new Change.RemoveJob(TENANT, job.number(), 2)));
    land(always(new Change.RemoveJob(TENANT, job.number(), 2)));

    assertThat(all(job)).isEmpty();
    assertThat(store.jobs().find(TENANT, "j-1")).isNull();
  }

  private JobRecord begun(String id) {
    JobRecord job = job(id);
    land(always(new Change.PutJob(job, 0)));
    return stored(id);
  }

  private JobRecord job(String id) {
    return new JobRecord(
        nextNumber(),
        TENANT,
        id,
        "retry",
        JobState.PLANNING,
        "{}",
        Map.of(),
        0,
        0,
        0,
        100,
        "ann",
        null,
        now,
        null,
        null,
        0,
        false,
        null,
        0);
  }

  private JobRecord stored(String id) {
    return Objects.requireNonNull(store.jobs().find(TENANT, id), id);
  }

  private List<JobItem> all(JobRecord job) {
    return store.jobs().items(job.number(), null, 0, 1_000);
  }

  private static Change items(JobRecord job, JobItem... items) {
    return new Change.PutJobItems(job.number(), List.of(items));
  }

  private static JobItem open(long position) {
    return new JobItem(
        position, "r-" + position, FLOW, "A-" + position, JobItemState.OPEN, "{}", null, null);
  }
}
