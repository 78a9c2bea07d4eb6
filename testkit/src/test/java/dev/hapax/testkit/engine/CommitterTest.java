package dev.hapax.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.store.Committer;
import dev.hapax.store.StoreBroken;
import dev.hapax.store.UnknownCommit;
import dev.hapax.testkit.memory.MemoryStore;
import dev.hapax.time.Ports;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CommitterTest {
  private final CompletableFuture<RuntimeException> broken = new CompletableFuture<>();
  private final Committer committer =
      new Committer(
          new MemoryStore(),
          Ports.system().threads(),
          new Committer.Listener() {
            @Override
            public void woken(List<Long> runs) {}

            @Override
            public void displaced(List<Long> runs) {}

            @Override
            public void wakeUpsMayBeMissing() {}

            @Override
            public void broken(RuntimeException cause) {
              broken.complete(cause);
            }
          });

  @Test
  void whoever_waits_while_it_closes_without_an_answer_hears_that_the_store_is_broken()
      throws Exception {
    var asked = new CountDownLatch(1);
    var errand =
        CompletableFuture.runAsync(
            () ->
                committer.between(
                    _ -> {
                      asked.countDown();
                      throw new UnknownCommit("no answer", new IOException("io"));
                    }));
    asked.await();

    committer.close();

    assertThat(broken.join()).isInstanceOf(StoreBroken.class).hasMessageContaining("no answer");
    assertThatThrownBy(errand::join).hasCauseInstanceOf(StoreBroken.class);
  }
}
