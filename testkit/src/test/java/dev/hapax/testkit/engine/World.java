package dev.hapax.testkit.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/** A destination that writes down what arrives. Safe for many threads. */
final class World {
  private final List<String> arrivals = new ArrayList<>();
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
