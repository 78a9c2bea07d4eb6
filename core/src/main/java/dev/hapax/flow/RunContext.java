package dev.hapax.flow;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * A run as its body sees it. Steps are found again by their name after a crash, so a name stands
 * once in a run; in a loop each round gets an {@link #item} of its own. To be used by the thread
 * that it was given to, and by no other.
 */
public interface RunContext {
  /** The run's id, the same for everybody who knows flow and key. */
  String id();

  String key();

  /** The same run, with steps that belong to one item of a loop. */
  RunContext item(String itemKey);

  default RunContext item(long index) {
    return item(Long.toString(index));
  }

  /**
   * Computes or reads something and records the result, so that the run finds the same value after
   * a crash. It may be called again if the process dies before the record is durable, so it must
   * not change the outside world. What it throws fails the step at once, a {@link Rejected} with
   * its code; see {@link #read} for what is worth repeating.
   */
  default <T extends @Nullable Object> T step(
      String name, Callable<? extends T> work, Class<T> type) {
    return step(name, work, TypeToken.of(type));
  }

  /** As above, for a result with type arguments, such as a list of records. */
  <T extends @Nullable Object> T step(String name, Callable<? extends T> work, TypeToken<T> type);

  /**
   * As {@link #step}, for a decision: which way the body goes. The history tells it as {@code
   * branch}, so that people see which one ran.
   *
   * @param choice gives the name of the branch
   */
  String branch(String name, Callable<String> choice);

  /**
   * As {@link #step}, but what it throws is retried freely by the policy before the step fails; a
   * {@link Rejected} is final.
   */
  default <T extends @Nullable Object> T read(
      String name, RetryPolicy retry, Callable<? extends T> work, Class<T> type) {
    return read(name, Read.retried(retry), work, type);
  }

  /** As above; it waits for its turn at the destination that its terms name. */
  default <T extends @Nullable Object> T read(
      String name, Read terms, Callable<? extends T> work, Class<T> type) {
    return read(name, terms, work, TypeToken.of(type));
  }

  /** As above, for a result with type arguments. */
  <T extends @Nullable Object> T read(
      String name, Read terms, Callable<? extends T> work, TypeToken<T> type);

  /** Changes the outside world by the effect's contract. The sender gets the key to send along. */
  default <T extends @Nullable Object> T effect(
      String name, Effect<?> effect, Sender<? extends T> sender, Class<T> type) {
    return effect(name, effect, sender, TypeToken.of(type));
  }

  /** As above, for a result with type arguments. */
  <T extends @Nullable Object> T effect(
      String name, Effect<?> effect, Sender<? extends T> sender, TypeToken<T> type);

  /**
   * As above; the sender also gets the request as the intent stored it, the same bytes on every
   * attempt.
   */
  default <R, T extends @Nullable Object> T effect(
      String name, Effect<R> effect, RequestSender<R, ? extends T> sender, Class<T> type) {
    return effect(name, effect, sender, TypeToken.of(type));
  }

  /** As above, for a result with type arguments. */
  <R, T extends @Nullable Object> T effect(
      String name, Effect<R> effect, RequestSender<R, ? extends T> sender, TypeToken<T> type);

  /**
   * Writes into a database of yours, together with a marker row that makes the write happen once.
   */
  default <C, T extends @Nullable Object> T effect(
      String name,
      TransactionEffect<C> effect,
      TransactionSender<C, ? extends T> sender,
      Class<T> type) {
    return effect(name, effect, sender, TypeToken.of(type));
  }

  /** As above, for a result with type arguments. */
  <C, T extends @Nullable Object> T effect(
      String name,
      TransactionEffect<C> effect,
      TransactionSender<C, ? extends T> sender,
      TypeToken<T> type);

  /** An effect without a result. */
  void effect(String name, Effect<?> effect, Action action);

  /** An effect without a result that gets its stored request. */
  <R> void effect(String name, Effect<R> effect, RequestAction<R> action);

  /**
   * What the destination calls that which this effect has done, if its contract says where to find
   * it ({@link Effect#externalId}) or a person said so; null if nobody did, or it is not done.
   */
  @Nullable String externalId(String effect);

  /**
   * Runs parts of the body beside each other, each with a context of its own, and returns their
   * results in order. Step names stand once in the whole run. A branch that fails does not stop the
   * others; when all have come to their end, the first failure in their order is thrown.
   */
  <T extends @Nullable Object> List<T> parallel(List<? extends Branch<? extends T>> branches)
      throws Exception;

  /**
   * Tells another system something: the message is durable in the commit of this step, and is
   * delivered afterwards by the courier of its destination, with retries. Never waits for that.
   *
   * @return the message's id, the same on every retry of the run and every attempt to deliver
   */
  String publish(String name, Message message);

  /**
   * Handles each item of a loop in a context of its own, several at the same time. The state of
   * each item is kept by itself: one that fails does not stop the others, one that waits leaves its
   * place to the next. A run with failed items ends as partial, and its retry touches only those.
   */
  <T> Items forEach(String name, Each<T> each, ItemBody<T> body);

  /**
   * Runs a section of the body while no other run, of whichever flow, is in a section under the
   * same key. Who has to wait leaves memory and goes on in order of arrival. The lock is held over
   * waits and crashes, and given back when the section is left or the run ends in any way. A run
   * that already holds the key, and one whose waiting would close a circle of runs that wait for
   * each other, fails at this step with {@code lock-reentrant} or {@code deadlock}.
   */
  <T extends @Nullable Object> T locked(String name, String key, Section<? extends T> section)
      throws Exception;

  /** The durable map that all runs of the tenant share. */
  KvSteps kv();

  /**
   * Stores a large value, once however often it is put, and returns its reference: {@code res://}
   * and a hash of the bytes. It stays as long as something refers to it, and this run does.
   */
  String resource(String name, byte[] content, String contentType);

  /**
   * Stores a large value while a step or an attempt is at work, such as the body of an answer; to
   * be called there only. It is durable when this returns, and stays for a day; from then on as
   * long as something refers to it, which the step's result does if the reference is in it.
   */
  String resource(InputStream content, String contentType) throws IOException;

  /** The value of a reference that came with the input, a result or the durable map. */
  Resource resource(String ref);

  /** Waits durably: the run leaves memory and comes back, also after restarts. */
  void sleep(String name, Duration duration);

  void sleepUntil(String name, Instant time);

  /** What is done with one item of a loop. */
  @FunctionalInterface
  interface ItemBody<T> {
    void run(RunContext run, T item) throws Exception;
  }

  /** A part of a body under a lock. */
  @FunctionalInterface
  interface Section<T extends @Nullable Object> {
    T run(Lock lock) throws Exception;
  }

  /** A part of a body that runs beside others. */
  @FunctionalInterface
  interface Branch<T extends @Nullable Object> {
    T run(RunContext run) throws Exception;
  }

  /**
   * The token with which an outside system answers the wait of this name; the same on every retry.
   * To be handed out by an effect: the wait is durable with the intent of the next effect, before
   * the token leaves, so that an answer finds it however early it comes.
   */
  String callback(String step);

  /** Waits for the answer that came or comes with the token of this name. */
  default <T extends @Nullable Object> T awaitCallback(String step, Class<T> type) {
    return awaitCallback(step, null, type);
  }

  /**
   * As above; when nobody has answered this long after the run got here, the step fails with {@code
   * expired}.
   */
  default <T extends @Nullable Object> T awaitCallback(
      String step, @Nullable Duration expires, Class<T> type) {
    return awaitCallback(step, expires, TypeToken.of(type));
  }

  /** As above, for an answer with type arguments. */
  <T extends @Nullable Object> T awaitCallback(
      String step, @Nullable Duration expires, TypeToken<T> type);

  /**
   * Waits for people. A rejection fails the step with {@code rejected} unless it says otherwise.
   */
  Decision approval(String step, Approval approval);

  /**
   * Does some work and asks for its approval under this name, again after each {@code rework}, at
   * most this many times. Steps of a later round are steps of their own; effects keep their keys,
   * so an {@code update} is sent again when its content changed, and a {@code create} or {@code
   * notify} is reused.
   */
  Decision rounds(String step, int maxRounds, Round round) throws Exception;

  /** One round of work that ends in a question. */
  @FunctionalInterface
  interface Round {
    /**
     * Does the work with the steps of this round.
     *
     * @param rework what was said to the round before; null in the first
     */
    Approval work(RunContext round, @Nullable Decision rework) throws Exception;
  }

  /**
   * Runs another flow as a child of this run, waits durably for its end and returns its output. The
   * child is found again by its key: the one that its flow computes from the input, or else one
   * made of this run and step. If that key has a run already, started by whomever, this run waits
   * for it. A child that does not succeed fails the step with the child's code.
   */
  <I, O> O call(String name, Flow<I, O> flow, I input);

  /** As above, under a key of your own. */
  <I, O> O call(String name, Flow<I, O> flow, String key, I input);

  /**
   * Starts another run without waiting for it, and returns its id. Its key is found as by {@link
   * #call}; it goes on whatever becomes of this run.
   */
  <I> String spawn(String name, Flow<I, ?> flow, I input);

  /** As above, under a key of your own. */
  <I> String spawn(String name, Flow<I, ?> flow, String key, I input);

  /**
   * Sends once; throws {@link NotApplied} or {@link Rejected} if it knows that nothing happened.
   */
  @FunctionalInterface
  interface Sender<T extends @Nullable Object> {
    T send(String key) throws Exception;
  }

  @FunctionalInterface
  interface RequestSender<R, T extends @Nullable Object> {
    T send(String key, R request) throws Exception;
  }

  @FunctionalInterface
  interface TransactionSender<C, T extends @Nullable Object> {
    T send(String key, C connection) throws Exception;
  }

  @FunctionalInterface
  interface Action {
    void send(String key) throws Exception;
  }

  @FunctionalInterface
  interface RequestAction<R> {
    void send(String key, R request) throws Exception;
  }
}
