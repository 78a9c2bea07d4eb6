package dev.hapax.archfixture.hasty;

import java.sql.Connection;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;

/** Goes around every port; nothing runs it. */
public final class Hasty {
  private Hasty() {}

  public static List<Object> time() throws InterruptedException {
    Thread.sleep(1);
    Supplier<Instant> byReference = Instant::now;
    return List.of(Instant.now(), System.currentTimeMillis(), System.nanoTime(), byReference);
  }

  public static List<Object> chance() {
    return List.of(
        Math.random(), UUID.randomUUID(), new Random(), ThreadLocalRandom.current().nextInt());
  }

  public static List<Object> threads(Runnable work) {
    return List.of(
        new Thread(work),
        Thread.ofVirtual().unstarted(work),
        Thread.ofPlatform().unstarted(work),
        Thread.startVirtualThread(work),
        Executors.newCachedThreadPool(),
        CompletableFuture.supplyAsync(() -> 1),
        List.of(1, 2).parallelStream().count());
  }

  public static String sql(Connection connection) {
    return connection.toString();
  }
}
