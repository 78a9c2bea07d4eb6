package dev.hapax.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.flow.Run;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.StoreBroken;
import dev.hapax.run.NewRun;
import dev.hapax.store.Batch;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.Head;
import dev.hapax.store.HeartbeatReply;
import dev.hapax.store.NodeReport;
import dev.hapax.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Additional requirements for a store that several nodes share. */
@SuppressWarnings("MemberName") // the names of tests are sentences
public abstract class NodeContract extends StoreContract {
  private static final Duration SHORT = Duration.ofMillis(200);
  private static final int MOST_TRIES = 100_000;

  private Store other;

  /** Opens the store that was opened last once more, as another process does. */
  protected abstract Store another();

  @BeforeEach
  final void openAnother() {
    other = another();
    heartbeat(store, OWNER);
    heartbeat(other, OTHER_OWNER);
  }

  @AfterEach
  final void closeOther() {
    other.close();
  }

  @Test
  void nodes_make_different_numbers() {
    assertThat(store.mark()).isNotEqualTo(other.mark());
  }

  @Test
  void a_heartbeat_says_when_the_next_one_is_due() {
    assertThat(heartbeat(store, OWNER).again())
        .isPositive()
        .isLessThanOrEqualTo(SHORT.dividedBy(3));
  }

  @Test
  void the_runs_of_a_node_that_attends_stay_its_own() {
    NewRun run = running("A-1");

    for (int i = 0; i < 20; i++) {
      assertThat(store.heartbeat(NodeReport.of(OWNER)).adopted()).isEmpty();
      assertThat(heartbeat(other, OTHER_OWNER).adopted()).isEmpty();
    }
    assertThat(stored(run).owner()).isEqualTo(OWNER);
    land(next(run));
  }

  @Test
  void the_runs_of_a_node_that_does_not_attend_go_to_another_and_it_writes_nothing_more() {
    NewRun one = running("A-1");
    NewRun two = running("A-2");
    NewRun waits = waiting("A-3");

    List<Long> adopted = awaitAdoption(2);

    assertThat(adopted).containsExactlyInAnyOrder(one.number(), two.number());
    assertThat(ownerOf(one)).isEqualTo(OTHER_OWNER);
    assertThat(ownerOf(waits)).isNull();
    Group late = owned(one, 0);
    Group fresh = insert(newRun("A-4"), OWNER);
    assertThatThrownBy(() -> commit(late)).isInstanceOf(StoreBroken.class);
    assertThatThrownBy(() -> commit(fresh)).isInstanceOf(StoreBroken.class);
    assertThatThrownBy(() -> heartbeat(store, OWNER)).isInstanceOf(StoreBroken.class);
    assertThat(other.journal(one.number())).isEmpty();
    assertThat(other.run(((Head.Insert) fresh.head()).run().number())).isNull();
    var goesOn = group(new Head.Owned(one.number(), OTHER_OWNER, 0), ENTRIES);
    assertThat(commitOnOther(goesOn)).isInstanceOf(GroupAnswer.Landed.class);
  }

  @Test
  void a_lease_that_has_run_out_is_renewed_if_no_node_has_ended_it() {
    NewRun run = running("A-1");
    letLeasesRunOut();

    assertThat(heartbeat(store, OWNER).adopted()).isEmpty();
    assertThat(heartbeat(other, OTHER_OWNER).adopted())
        .as("after the server was away nobody judges others at once")
        .isEmpty();
    land(next(run));
  }

  @Test
  void a_node_without_room_adopts_nothing_and_one_with_little_adopts_little() {
    NewRun one = running("A-1");
    NewRun two = running("A-2");
    awaitEndOf(store);

    assertThat(heartbeat(other, OTHER_OWNER, 0, false).adopted()).isEmpty();
    List<Long> first = heartbeat(other, OTHER_OWNER, 1, false).adopted();
    List<Long> second = heartbeat(other, OTHER_OWNER, 1, false).adopted();

    assertThat(first).hasSize(1);
    assertThat(second).hasSize(1).doesNotContainAnyElementsOf(first);
    assertThat(List.of(first.getFirst(), second.getFirst()))
        .containsExactlyInAnyOrder(one.number(), two.number());
    assertThat(heartbeat(other, OTHER_OWNER).adopted()).isEmpty();
  }

  @Test
  void a_node_that_lost_an_answer_gets_all_its_runs() {
    NewRun one = running("A-1");
    NewRun two = running("A-2");

    assertThat(heartbeat(store, OWNER, 10, false).adopted()).isEmpty();
    assertThat(heartbeat(store, OWNER, 0, true).adopted())
        .containsExactlyInAnyOrder(one.number(), two.number());
  }

  @Test
  void a_node_that_leaves_hands_its_runs_back_at_once() {
    NewRun run = running("A-1");

    store.close();

    assertThat(heartbeat(other, OTHER_OWNER).adopted()).containsExactly(run.number());
  }

  @Test
  void a_node_hears_which_of_its_runs_others_want_to_end() {
    NewRun mine = running("A-1");
    running("A-2");
    var cancel = new Change.RequestCancel(new Run.Cancel("ann", "not wanted"));

    commitOnOther(notEnded(mine, cancel));

    assertThat(heartbeat(store, OWNER).canceled()).containsExactly(mine.number());
    assertThat(heartbeat(other, OTHER_OWNER).canceled()).isEmpty();
    land(next(mine, new Change.Release(RunStatus.CANCELING, null)));
    assertThat(heartbeat(store, OWNER).canceled()).isEmpty();
  }

  @Test
  void a_node_learns_when_the_first_run_without_an_owner_is_due() {
    NewRun run = running("A-1");
    assertThat(heartbeat(other, OTHER_OWNER).nextDue()).isNull();

    land(next(run, new Change.Release(RunStatus.WAITING, later(Duration.ofHours(2)))));

    assertThat(heartbeat(other, OTHER_OWNER).nextDue()).isEqualTo(later(Duration.ofHours(2)));
  }

  @Test
  void of_two_nodes_that_take_a_run_up_one_gets_it() {
    NewRun run = waiting("A-1");

    var first = commit(withoutEntries(unowned(run, 0, new Change.Take(OWNER))));
    var second = commitOnOther(withoutEntries(unowned(run, 0, new Change.Take(OTHER_OWNER))));

    assertThat(first).isInstanceOf(GroupAnswer.Landed.class);
    assertThat(second).isEqualTo(new GroupAnswer.Lost());
    assertThat(stored(run).owner()).isEqualTo(OWNER);
  }

  @Test
  void some_runs_are_found_by_their_numbers() {
    NewRun one = running("A-1");
    NewRun two = waiting("A-2");

    assertThat(other.runs(List.of(one.number(), 5L, two.number())))
        .extracting(Run::number)
        .containsExactlyInAnyOrder(one.number(), two.number());
    assertThat(other.runs(List.of())).isEmpty();
  }

  // ---- the words

  private static HeartbeatReply heartbeat(Store node, long owner) {
    return heartbeat(node, owner, 10, false);
  }

  private static HeartbeatReply heartbeat(Store node, long owner, int room, boolean recall) {
    return node.heartbeat(new NodeReport(owner, SHORT, room, recall));
  }

  private GroupAnswer commitOnOther(Group group) {
    return other.commit(new Batch(List.of(group))).getFirst();
  }

  private @Nullable Long ownerOf(NewRun run) {
    return Objects.requireNonNull(other.run(run.number())).owner();
  }

  /** Sends heartbeats of the other node until it has adopted so many runs. */
  private List<Long> awaitAdoption(int runs) {
    List<Long> adopted = new ArrayList<>();
    for (int tries = 0; adopted.size() < runs; tries++) {
      assertThat(tries).isLessThan(MOST_TRIES);
      adopted.addAll(heartbeat(other, OTHER_OWNER).adopted());
    }
    return adopted;
  }

  /**
   * Sends heartbeats of the other node, which adopts nothing, until this one has lost its lease.
   */
  private void awaitEndOf(Store node) {
    for (int tries = 0; isAlive(node); tries++) {
      assertThat(tries).isLessThan(MOST_TRIES);
      heartbeat(other, OTHER_OWNER, 0, false);
    }
  }

  private boolean isAlive(Store node) {
    try {
      node.commit(new Batch(List.of()));
      return true;
    } catch (StoreBroken e) {
      return false;
    }
  }

  /**
   * Sends heartbeats of a third node, which is too young to end leases, until a lease's time has
   * passed.
   */
  private void letLeasesRunOut() {
    try (Store young = another()) {
      long start = System.nanoTime();
      for (int i = 0; i < 500 || System.nanoTime() - start < 2 * SHORT.toNanos(); i++) {
        young.heartbeat(new NodeReport(OTHER_OWNER + 1, Duration.ofDays(1), 0, false));
      }
    }
  }
}
