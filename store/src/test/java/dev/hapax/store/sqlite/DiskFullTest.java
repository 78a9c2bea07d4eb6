package dev.hapax.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.flow.StoreFull;
import dev.hapax.store.Batch;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer.Landed;
import dev.hapax.store.Store;
import java.nio.file.Path;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A disk that is really full: a small file system of its own, which only root on Linux can mount.
 */
@Tag("disk")
class DiskFullTest {
  private static final String BIG = "\"" + "x".repeat(200_000) + "\"";

  @TempDir Path folder;
  private boolean mounted;

  @BeforeEach
  void mountSmallDisk() throws Exception {
    mounted = run("mount", "-t", "tmpfs", "-o", "size=2m", "hapax-test", folder.toString()) == 0;
    Assumptions.assumeTrue(mounted, "mounting a small file system needs root on Linux");
  }

  @AfterEach
  void unmount() throws Exception {
    if (mounted) {
      run("umount", "--lazy", folder.toString());
    }
  }

  @Test
  void when_there_is_space_again_the_same_batch_lands_and_nothing_was_lost() throws Exception {
    try (Store store = Orders.open(folder.resolve("orders.db"))) {
      Orders.commit(store, Orders.start(1, "A-1"));
      var tooMuch = new Batch(LongStream.rangeClosed(2, 20).mapToObj(DiskFullTest::big).toList());

      assertThatThrownBy(() -> store.commit(tooMuch)).isInstanceOf(StoreFull.class);
      assertThat(store.find(Orders.id("A-2"))).isNull();
      assertThatThrownBy(() -> store.commit(tooMuch)).isInstanceOf(StoreFull.class);
      assertThat(run("mount", "-o", "remount,size=64m", folder.toString())).isZero();

      assertThat(store.commit(tooMuch)).hasOnlyElementsOfType(Landed.class);
      for (long number = 1; number <= 20; number++) {
        assertThat(store.find(Orders.id("A-" + number))).isNotNull();
      }
    }
  }

  private static Group big(long number) {
    return Orders.start(number, "A-" + number, BIG);
  }

  private static int run(String... command) throws Exception {
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }
}
