package dev.hapax.app.crash;

import dev.hapax.testkit.fault.ChildProcess;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Where this process ends: {@code -Dhapax.crashAt=name:nth}, at the nth passing of that name. It
 * ends as by a power cut, without finally blocks or shutdown hooks. Safe for many threads.
 */
public final class CrashPoint {
  public static final String PROPERTY = "hapax.crashAt";

  /** Printed at the end, so that the parent knows that it was this death and no other. */
  public static final String LAST_WORD = "crashed at ";

  private final @Nullable String name;
  private final int nth;
  private final AtomicInteger passed = new AtomicInteger();
  private final CountDownLatch never = new CountDownLatch(1);

  private CrashPoint(@Nullable String name, int nth) {
    this.name = name;
    this.nth = nth;
  }

  public static CrashPoint fromProperty() {
    String setting = System.getProperty(PROPERTY);
    if (setting == null) {
      return new CrashPoint(null, 0);
    }
    int colon = setting.lastIndexOf(':');
    return new CrashPoint(
        setting.substring(0, colon), Integer.parseInt(setting.substring(colon + 1)));
  }

  /** Goes on, unless this is the nth passing. */
  public void pass(String point) {
    if (point.equals(name) && passed.incrementAndGet() >= nth) {
      System.out.println(LAST_WORD + point);
      System.out.flush();
      Runtime.getRuntime().halt(ChildProcess.KILLED);
    }
  }

  /**
   * Stays here until the nth has come too, so that the process dies with all of them at this very
   * point.
   */
  void gather(String point) {
    if (point.equals(name)) {
      pass(point);
      waitForTheEnd();
    }
  }

  /** Also when it is interrupted: an attempt whose time is up is still at this point. */
  private void waitForTheEnd() {
    while (true) {
      try {
        never.await();
      } catch (InterruptedException e) {
        // stays
      }
    }
  }
}
