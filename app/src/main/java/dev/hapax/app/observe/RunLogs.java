package dev.hapax.app.observe;

import dev.hapax.flow.Interceptor;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Adds the run, flow and key to every log line of a run's threads, and the step while its code
 * runs.
 */
public final class RunLogs implements Interceptor {
  private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");

  private final Interceptor next;
  private final ConcurrentMap<String, Map<String, String>> inMemory = new ConcurrentHashMap<>();

  /**
   * Names for the log.
   *
   * @param next the next interceptor
   */
  public RunLogs(Interceptor next) {
    this.next = next;
  }

  @Override
  public void stay(Stay stay, Runnable code) {
    Map<String, String> names =
        Map.of("run", stay.run(), "flow", stay.flow(), "key", oneLine(stay.key()));
    if (!stay.isBeside()) {
      inMemory.put(stay.run(), names);
    }
    MDC.setContextMap(names);
    try {
      next.stay(stay, code);
    } finally {
      MDC.clear();
      if (!stay.isBeside()) {
        inMemory.remove(stay.run(), names);
      }
    }
  }

  @Override
  public <T> T work(Work work, Callable<T> code) throws Exception {
    Map<String, String> before = enter(work.run(), work.flow(), work.step(), work.item());
    try {
      return next.work(work, code);
    } finally {
      leave(before);
    }
  }

  @Override
  public String send(Sending sending, Answering sender) throws Exception {
    Map<String, String> before =
        enter(sending.run(), sending.flow(), sending.step(), sending.item());
    try {
      return next.send(sending, sender);
    } finally {
      leave(before);
    }
  }

  /** An effect is sent on its own thread, which has no names yet. */
  private @Nullable Map<String, String> enter(
      String run, String flow, String step, @Nullable String item) {
    Map<String, String> before = MDC.getCopyOfContextMap();
    var names = new HashMap<>(inMemory.getOrDefault(run, Map.of("run", run, "flow", flow)));
    names.put("step", step);
    if (item != null) {
      names.put("item", oneLine(item));
    }
    MDC.setContextMap(names);
    return before;
  }

  private static void leave(@Nullable Map<String, String> before) {
    if (before == null) {
      MDC.clear();
    } else {
      MDC.setContextMap(before);
    }
  }

  /** Keys come from outside: none of them may begin a new line. */
  static String oneLine(String key) {
    return CONTROL.matcher(key).replaceAll("?");
  }
}
