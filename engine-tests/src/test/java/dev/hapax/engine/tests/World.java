package dev.hapax.engine.tests;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/** A destination that writes down what arrives. Safe for many threads. */
final class World {
  private final List<String> arrivals = new ArrayList<>();
  private final AtomicBoolean lost = new AtomicBoolean();
  private final ConcurrentHashMap<String, CountDownLatch> held = new ConcurrentHashMap<>();

  synchronized List<String> arrivals() {
    return List.copyOf(arrivals);
  }

  int count() {
    return arrivals().size();
  }

  String apply(String key) {
    synchronized (this) {
      arrivals.add(key);
    }
    return "applied-" + key;
  }

  /** Applies, but the first answer is lost on its way back. */
  String loseFirstAnswer(String key) throws IOException {
    String answer = apply(key);
    if (lost.compareAndSet(false, true)) {
      throw new IOException("connection reset");
    }
    return answer;
  }

  /** Applies and never answers, as a process that dies in flight sees it. */
  String applyAndHang(String key) throws InterruptedException {
    apply(key);
    var latch = held.computeIfAbsent(key, _ -> new CountDownLatch(1));
    latch.await();
    return "late-" + key;
  }

  void answerLate(String key) {
    held.computeIfAbsent(key, _ -> new CountDownLatch(1)).countDown();
  }
}
