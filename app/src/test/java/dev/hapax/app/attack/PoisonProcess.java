package dev.hapax.app.attack;

import dev.hapax.Hapax;
import dev.hapax.flow.Effect;
import dev.hapax.flow.Flow;
import dev.hapax.flow.RunStatus;
import dev.hapax.testkit.fault.ChildProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/**
 * A program with a flow whose code ends the process, and one that is harmless. The first process
 * starts the runs; every one says when it has got rid of the poison and all others are done.
 */
final class PoisonProcess {
  static final String OPEN = "open";
  static final String LIVES = "lives: ";
  static final String HALT = "halt";
  private static final int OTHERS = 5;
  private static final long A_MOMENT = 20_000_000;

  private PoisonProcess() {}

  /**
   * The process.
   *
   * @param arguments the store, how the poison works, and whether this is the first process
   */
  public static void main(String[] arguments) {
    ChildProcess.endWithParent(_ -> System.exit(0));
    boolean isHalt = arguments[1].equals(HALT);
    boolean isFirst = Boolean.parseBoolean(arguments[2]);
    Hapax hapax = Hapax.open(Path.of(arguments[0]));
    Flow<String, String> poison = flow("poison", () -> end(isHalt));
    Flow<String, String> other = flow("other", () -> stay(isFirst));
    hapax.register(poison);
    hapax.register(other);
    System.out.println(OPEN);
    if (isFirst) {
      for (int i = 0; !isHalt && i < OTHERS; i++) {
        hapax.start(other, "other-" + i);
      }
      hapax.start(poison, "poison");
    }
    String id = hapax.id("poison", "poison");
    while (hapax.run(id).status() != RunStatus.REVIEW || !areOthersDone(hapax, isHalt)) {
      LockSupport.parkNanos(A_MOMENT);
    }
    System.out.println(LIVES + hapax.run(id).error() + " " + hapax.history(id));
  }

  private static boolean areOthersDone(Hapax hapax, boolean isHalt) {
    return isHalt
        || hapax.runs(hapax.runs().flow("other").status(RunStatus.SUCCEEDED)).size() == OTHERS;
  }

  private static Flow<String, String> flow(String name, Runnable what) {
    return Flow.of(name, String.class, String.class)
        .key(id -> id)
        .body(
            (run, id) ->
                run.effect(
                    "send",
                    Effect.create(id).keyed(),
                    key -> {
                      what.run();
                      return key;
                    },
                    String.class));
  }

  /** So that the poison is not alone when the first process ends. */
  private static void stay(boolean isFirst) {
    if (isFirst) {
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static void end(boolean isHalt) {
    if (isHalt) {
      Runtime.getRuntime().halt(1);
    }
    List<byte[]> all = new ArrayList<>();
    while (!all.isEmpty() || all.add(new byte[1 << 20])) {
      all.add(new byte[1 << 20]);
    }
  }
}
