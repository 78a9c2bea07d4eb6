package dev.hapax.testkit;

import dev.hapax.Hapax;
import dev.hapax.RunHandle;
import dev.hapax.flow.Flow;
import dev.hapax.flow.HistoryEntry;
import dev.hapax.flow.Interceptor;
import dev.hapax.json.Json;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Runs flows in a test: the real engine on a store in memory, with time that the test moves.
 * Effects call their senders, unless the test provides the answer.
 *
 * <pre>{@code
 * try (FlowTest test = FlowTest.of(flow)) {
 *   test.loseAnswer("charge");
 *   Receipt receipt = test.run(flow, order);
 *   assertThat(test.sent("charge")).hasSize(2);
 * }
 * }</pre>
 */
public final class FlowTest implements AutoCloseable {
  private final Stage stage;
  private final Script script = new Script();

  private FlowTest(List<Flow<?, ?>> flows) {
    this.stage = Stage.of(flows, script, Stage.CommitWatch.NONE);
  }

  public static FlowTest of(Flow<?, ?>... flows) {
    return new FlowTest(List.of(flows));
  }

  /** Returns the engine, for all that this class does not offer. A crash replaces it. */
  public Hapax hapax() {
    return stage.hapax();
  }

  /** Starts a run and returns when it waits or has ended. */
  public <I, O> RunHandle<O> start(Flow<I, O> flow, I input) {
    RunHandle<O> run = stage.hapax().start(flow, input);
    stage.awaitQuiet();
    return run;
  }

  /**
   * Starts a run, moves time until the run has ended, and returns its result. Throws what {@link
   * RunHandle#await} throws, or IllegalStateException if the run waits for something other than
   * time.
   */
  public <I, O> O run(Flow<I, O> flow, I input) {
    RunHandle<O> run = stage.hapax().start(flow, input);
    if (stage.drive(run.id()) == Stage.Standstill.WAITING) {
      throw new IllegalStateException(
          "run %s waits for something that time does not bring: %s"
              .formatted(run.id(), history(run)));
    }
    return run.await();
  }

  /** Moves time forward. Everything that became due has happened when this returns. */
  public void move(Duration by) {
    stage.move(by);
  }

  /** Lets the process die at once. Another one continues with the same store and code. */
  public void crash() {
    stage.openAgain();
    stage.awaitQuiet();
  }

  public List<HistoryEntry> history(RunHandle<?> run) {
    return stage.hapax().history(run.id());
  }

  /** Gives this answer to the next attempt of this step. Its sender is not called. */
  public FlowTest answer(String step, @Nullable Object answer) {
    String json = answer == null ? "null" : Json.write(answer);
    script.next(step, (_, _) -> json);
    return this;
  }

  /**
   * Lets the next attempt of this step throw instead of sending: {@code NotApplied}, {@code
   * Rejected}.
   */
  public FlowTest fail(String step, Exception failure) {
    script.next(
        step,
        (_, _) -> {
          throw failure;
        });
    return this;
  }

  /** Loses the answer to the next attempt of this step, which is sent and answered. */
  public FlowTest loseAnswer(String step) {
    script.next(
        step,
        (_, sender) -> {
          sender.send();
          throw new IOException("the answer was lost");
        });
    return this;
  }

  /** Returns every attempt of this step so far, in order. */
  public List<Interceptor.Sending> sent(String step) {
    return script.sent().stream().filter(sending -> sending.step().equals(step)).toList();
  }

  @Override
  public void close() {
    stage.close();
  }

  /** The planned outcomes of the next attempts. Safe for many threads. */
  private static final class Script implements Interceptor {
    private final Map<String, Queue<Interceptor>> next = new HashMap<>();
    private final List<Sending> sent = new ArrayList<>();

    synchronized void next(String step, Interceptor what) {
      next.computeIfAbsent(step, _ -> new ArrayDeque<>()).add(what);
    }

    synchronized List<Sending> sent() {
      return List.copyOf(sent);
    }

    @Override
    public String send(Sending sending, Answering sender) throws Exception {
      return take(sending).send(sending, sender);
    }

    private synchronized Interceptor take(Sending sending) {
      sent.add(sending);
      Queue<Interceptor> planned = next.get(sending.step());
      Interceptor first = planned == null ? null : planned.poll();
      return first == null ? Interceptor.NONE : first;
    }
  }
}
