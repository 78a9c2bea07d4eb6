package dev.hapax.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.engine.code.FlowRelease;
import dev.hapax.flow.Fingerprint;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunId;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.SearchFields;
import dev.hapax.time.Ports;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

@SuppressWarnings("MemberName") // the names of tests are sentences
class WaitingForCodeTest {
  private final AtomicBoolean isShared = new AtomicBoolean();
  private final WaitingForCode waiting = new WaitingForCode(Ports.system().clock(), isShared::get);

  private static Run run(long number) {
    String key = "key " + number;
    return new Run(
        number,
        RunId.of("acme", "charge", key, null),
        "acme",
        "charge",
        3,
        key,
        RunStatus.RUNNING,
        List.of(Fingerprint.of("1")),
        "1",
        null,
        null,
        71L,
        null,
        null,
        null,
        Instant.EPOCH,
        null,
        0,
        null,
        0,
        null,
        SearchFields.NONE);
  }

  @Test
  void a_run_waits_here_until_its_code_is_there() {
    waiting.add(run(1));

    assertThat(waiting.holds(run(1))).isTrue();
    assertThat(waiting.toLookAt(FlowRelease.of(run(1)))).containsExactly(1L);
    assertThat(waiting.remove(_ -> true)).containsExactly(1L);
    assertThat(waiting.holds(run(1))).isFalse();
  }

  /** Otherwise a person could not settle its effects here while another node has it in memory. */
  @Test
  void a_run_that_is_left_to_another_node_no_longer_waits_here() {
    waiting.add(run(1));
    waiting.add(run(2));
    isShared.set(true);
    waiting.add(run(1));
    assertThat(waiting.holds(run(1))).isTrue();

    waiting.isReleased(run(1));

    assertThat(waiting.holds(run(1))).isFalse();
    assertThat(waiting.isLeftToOthers(1)).isTrue();
    assertThat(waiting.holds(run(2))).isTrue();
  }
}
