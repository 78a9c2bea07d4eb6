package dev.hapax.testkit;

import dev.hapax.flow.Interceptor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Sits between the engine and the destinations of one run of a proof, disturbs one request and
 * remembers all. Safe for many threads.
 */
final class ProofRequests implements Interceptor {
  private final Disturbance disturbance;
  private final Interceptor inner;
  private final List<Sent> sent = new ArrayList<>();
  private final ManualTime time;
  private final Runnable death;
  private int count;
  private @Nullable Sending disturbed;

  /**
   * @param inner is called around each request that leaves
   * @param death lets the process die
   */
  ProofRequests(Disturbance disturbance, Interceptor inner, ManualTime time, Runnable death) {
    this.disturbance = disturbance;
    this.inner = inner;
    this.time = time;
    this.death = death;
  }

  /** A request that left, and the answer that the destination gave; null if it gave none. */
  record Sent(Sending sending, @Nullable String answer) {
    boolean isAnswered() {
      return answer != null;
    }
  }

  /** An effect, as people know it. */
  record Name(String effect, String key) {
    @Override
    public String toString() {
      return "effect '%s' with key '%s'".formatted(effect, key);
    }
  }

  @Override
  public String send(Sending sending, Answering sender) throws Exception {
    return switch (disturbanceOf(sending)) {
      case KILL_BEFORE_SEND -> throw died();
      case LOSE_REQUEST -> {
        add(new Sent(sending, null));
        throw new IOException("the request was lost");
      }
      case KILL_AFTER_SEND -> {
        arrive(sending, sender);
        throw died();
      }
      case LOSE_ANSWER -> {
        arrive(sending, sender);
        throw new IOException("the answer was lost");
      }
      case DELAY_ANSWER -> late(sending, sender);
      case DOUBLE_REQUEST -> {
        arrive(sending, sender);
        yield call(sending, sender);
      }
      case NOTHING, KILL_BEFORE_COMMIT, KILL_AFTER_COMMIT -> call(sending, sender);
    };
  }

  private synchronized Disturbance.What disturbanceOf(Sending sending) {
    count++;
    boolean isIts =
        disturbance.what().isAboutRequest()
            && disturbed == null
            && count >= disturbance.number()
            && disturbance.fits(sending.guard()); // parallel branches send in another order
    if (!isIts) {
      return Disturbance.What.NOTHING;
    }
    disturbed = sending;
    return disturbance.what();
  }

  /** The destination's answer, even a refusal, does not come back. */
  @SuppressWarnings("EmptyCatch")
  private void arrive(Sending sending, Answering sender) {
    try {
      call(sending, sender);
    } catch (Exception e) {
      // the engine does not get it
    }
  }

  /** The engine interrupts an attempt that has not returned in time. */
  private String late(Sending sending, Answering sender) throws Exception {
    Callable<String> answer = heard(sending, sender);
    try {
      time.signal().awaitInterruptibly(null);
    } catch (InterruptedException e) {
      // this is the timeout; the answer comes now
    }
    return answer.call();
  }

  private Callable<String> heard(Sending sending, Answering sender) {
    try {
      String answer = call(sending, sender);
      return () -> answer;
    } catch (Exception e) {
      return () -> {
        throw e;
      };
    }
  }

  private String call(Sending sending, Answering sender) throws Exception {
    String answer = null;
    try {
      answer = inner.send(sending, sender);
      return answer;
    } finally {
      add(new Sent(sending, answer));
    }
  }

  private synchronized void add(Sent request) {
    sent.add(request);
  }

  private IOException died() {
    death.run();
    return new IOException("the process died");
  }

  @Override
  public void stay(Stay stay, Runnable code) {
    inner.stay(stay, code);
  }

  @Override
  public <T> T work(Work work, Callable<T> code) throws Exception {
    return inner.work(work, code);
  }

  /** Returns the request that was disturbed; null if none was. */
  synchronized @Nullable Sending disturbed() {
    return disturbed;
  }

  synchronized List<Sent> sent() {
    return List.copyOf(sent);
  }

  synchronized Map<Name, List<Sent>> byEffect() {
    Map<Name, List<Sent>> effects = new LinkedHashMap<>();
    for (Sent request : sent) {
      var name = new Name(request.sending().effect(), request.sending().key());
      effects.computeIfAbsent(name, _ -> new ArrayList<>()).add(request);
    }
    return effects;
  }

  /** Returns the last answer to a request with this key; null if there was none. */
  synchronized @Nullable String answerTo(String wireKey) {
    String last = null;
    for (Sent request : sent) {
      String answer = request.answer();
      if (answer != null && request.sending().wireKey().equals(wireKey)) {
        last = answer;
      }
    }
    return last;
  }
}
