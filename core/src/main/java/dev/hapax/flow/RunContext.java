package dev.hapax.flow;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * A run as its body sees it. After a crash the run finds its steps by name, so a name occurs once
 * in a run; in a loop, each round gets its own {@link #item}. Only the thread that got this context
 * may use it.
 */
public interface RunContext {
  /** Returns the run's id, which can be computed from flow and key. */
  String id();

  String key();

  /** Returns the tenant that the run belongs to. Its input may name any other. */
  String tenant();

  /**
   * Whether the run is to end early, because it was canceled or has timed out. A long attempt may
   * look now and then, and end what it has begun. It is no error to ignore this.
   */
  default boolean isStopRequested() {
    return false;
  }

  /** Returns a context for the same run, with steps that belong to one item of a loop. */
  RunContext item(String itemKey);

  default RunContext item(long index) {
    return item(Long.toString(index));
  }

  /**
   * Computes or reads a value and records it, so that the run finds the same value after a crash.
   * The work may be called again if the process dies before the record is durable, so it must not
   * change the outside world. An exception fails the step at once, a {@link Rejected} with its
   * code. Use {@link #read} for work that is worth repeating.
   */
  default <T extends @Nullable Object> T step(
      String name, Callable<? extends T> work, Class<T> type) {
    return step(name, work, TypeToken.of(type));
  }

  /** As above, for a result with type arguments, such as a list of records. */
  <T extends @Nullable Object> T step(String name, Callable<? extends T> work, TypeToken<T> type);

  /**
   * As {@link #step}, for a decision about which way the body goes. The history shows it as {@code
   * branch}, so that people see which branch ran.
   *
   * @param choice returns the name of the branch
   */
  String branch(String name, Callable<String> choice);

  /**
   * As {@link #step}, but after an exception the work is retried by the policy before the step
   * fails. A {@link Rejected} is final.
   */
  default <T extends @Nullable Object> T read(
      String name, RetryPolicy retry, Callable<? extends T> work, Class<T> type) {
    return read(name, Read.retried(retry), work, type);
  }

  /** As above. The step waits for its turn at the destination that its terms name. */
  default <T extends @Nullable Object> T read(
      String name, Read terms, Callable<? extends T> work, Class<T> type) {
    return read(name, terms, work, TypeToken.of(type));
  }

  /** As above, for a result with type arguments. */
  <T extends @Nullable Object> T read(
      String name, Read terms, Callable<? extends T> work, TypeToken<T> type);

  /**
   * Changes the outside world by the effect's contract. The sender gets the key and sends it along.
   */
  default <T extends @Nullable Object> T effect(
      String name, Effect<?> effect, Sender<? extends T> sender, Class<T> type) {
    return effect(name, effect, sender, TypeToken.of(type));
  }

  /** As above, for a result with type arguments. */
  <T extends @Nullable Object> T effect(
      String name, Effect<?> effect, Sender<? extends T> sender, TypeToken<T> type);

  /**
   * As above. The sender also gets the request as stored in the intent, the same bytes on every
   * attempt.
   */
  default <R, T extends @Nullable Object> T effect(
      String name, Effect<R> effect, RequestSender<R, ? extends T> sender, Class<T> type) {
    return effect(name, effect, sender, TypeToken.of(type));
  }

  /** As above, for a result with type arguments. */
  <R, T extends @Nullable Object> T effect(
      String name, Effect<R> effect, RequestSender<R, ? extends T> sender, TypeToken<T> type);

  /** Writes to your database, together with a marker row that makes the write happen once. */
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

  /** An effect without a result. The action also gets the stored request. */
  <R> void effect(String name, Effect<R> effect, RequestAction<R> action);

  /**
   * Returns the destination's id for this effect, if its contract says where to find it ({@link
   * Effect#externalId}) or a person entered it. Returns null if the id is unknown or the effect is
   * not done.
   */
  default @Nullable String externalId(String effect) {
    return outcome(effect).externalId();
  }

  /**
   * Returns how an effect was done: sent, reused, found or left out as stale. Call it after the
   * effect: a body that runs again after a wake-up knows the outcome from the beginning.
   */
  EffectOutcome outcome(String effect);

  /**
   * Runs branches of the body in parallel, each with its own context, and returns their results in
   * order. Step names must be unique in the whole run. A branch that fails does not stop the
   * others; when all have ended, the first failure in their order is thrown.
   */
  <T extends @Nullable Object> List<T> parallel(List<? extends Branch<? extends T>> branches)
      throws Exception;

  /**
   * Sends a message to another system. The message is durable with the commit of this step. The
   * courier of its destination delivers it afterwards, with retries. This never waits for the
   * delivery.
   *
   * @return the message's id, the same on every retry of the run and every attempt to deliver
   */
  String publish(String name, Message message);

  /**
   * Handles each item of a loop in its own context, several at the same time. Each item has its own
   * state: an item that fails does not stop the others, and an item that waits makes room for the
   * next. A run with failed items ends as partial, and its retry repeats only the failed items.
   */
  <T> Items forEach(String name, Each<T> each, ItemBody<T> body);

  /**
   * As above, with a result per item. A result is durable with the end of its item, so a retry
   * computes only those of the items that failed. Keep the results small: those of all items
   * together may have 16 MiB, otherwise the loop fails with {@code too-large} when its items have
   * ended.
   */
  default <T, R> ItemResults<R> forEach(
      String name, Each<T> each, ItemWork<T, ? extends @Nullable R> work, Class<R> type) {
    return forEach(name, each, work, TypeToken.of(type));
  }

  /** As above, for results with type arguments. */
  <T, R> ItemResults<R> forEach(
      String name, Each<T> each, ItemWork<T, ? extends @Nullable R> work, TypeToken<R> type);

  /**
   * Runs rounds of steps one after another, until a round says that it was the last one, and
   * returns its state. Each round gets the state of the one before; the first gets null. A round is
   * an item with its number, from 0 on, as its key, and has its own section of the journal.
   * Sections of earlier rounds are not read again, so a wake-up costs about the same in every
   * round; inside an item of a loop, the rounds share the section of that item. A round that fails
   * fails the step, and a retry repeats this round only. If the last allowed round wants another
   * one, the step fails with {@code too-many-rounds}.
   *
   * @param maxRounds at most 100,000
   */
  default <S> @Nullable S repeat(String name, int maxRounds, RepeatedWork<S> work, Class<S> type) {
    return repeat(name, maxRounds, work, TypeToken.of(type));
  }

  /** As above, for a state with type arguments. */
  <S> @Nullable S repeat(String name, int maxRounds, RepeatedWork<S> work, TypeToken<S> type);

  /**
   * Runs a section of the body while no other run, of any flow, is in a section with the same key.
   * A run that must wait is unloaded, and continues in order of arrival. The lock is held over
   * waits and crashes. It is released when the run leaves the section or ends in any way. The step
   * fails with {@code lock-reentrant} if the run already holds the key, and with {@code deadlock}
   * if waiting would close a cycle of runs that wait for each other.
   */
  <T extends @Nullable Object> T locked(String name, String key, Section<? extends T> section)
      throws Exception;

  /** The durable map that all runs of the tenant share. */
  KvSteps kv();

  /**
   * Stores a large value and returns its reference: {@code res://} and a hash of the bytes. Equal
   * values are stored once. The value is kept as long as something refers to it, and this run does.
   */
  String resource(String name, byte[] content, String contentType);

  /**
   * Stores a large value, such as the body of an answer, during a step or an attempt; call it only
   * there. The value is durable when this returns, and is kept for a day. After that it is kept as
   * long as something refers to it, such as a step's result that contains the reference.
   */
  String resource(InputStream content, String contentType) throws IOException;

  /** Returns the value of a reference from the input, a result or the durable map. */
  Resource resource(String ref);

  /** Waits durably. The run is unloaded and continues when it is due, also after restarts. */
  void sleep(String name, Duration duration);

  void sleepUntil(String name, Instant time);

  /** The code that handles one item of a loop. */
  @FunctionalInterface
  interface ItemBody<T> {
    void run(RunContext run, T item) throws Exception;
  }

  /** The code that handles one item of a loop and returns its result. */
  @FunctionalInterface
  interface ItemWork<T, R extends @Nullable Object> {
    R run(RunContext run, T item) throws Exception;
  }

  /** The code of one round of a repetition. */
  @FunctionalInterface
  interface RepeatedWork<S> {
    /**
     * Does the work of this round.
     *
     * @param index counted from 0
     * @param state of the round before; null in the first
     */
    Repetition<S> run(RunContext run, int index, @Nullable S state) throws Exception;
  }

  /** A part of a body that runs under a lock. */
  @FunctionalInterface
  interface Section<T extends @Nullable Object> {
    T run(Lock lock) throws Exception;
  }

  /** A part of a body that runs in parallel with others. */
  @FunctionalInterface
  interface Branch<T extends @Nullable Object> {
    T run(RunContext run) throws Exception;
  }

  /**
   * Returns the token with which an outside system answers the wait of this name. It is the same on
   * every retry. Hand it out in an effect: the wait is durable with the intent of the next effect,
   * before the token leaves, so even an early answer finds it.
   */
  String callback(String step);

  /**
   * Returns a link with which its holder decides the approval of this name, so that a flow can mail
   * or post it before it asks: the text behind {@code /approvals/} on the server. It is the same on
   * every retry, it is another one in each round, and it works until the approval is decided or
   * expires. It only proves who decides as far as its receiver keeps it secret, so the decision is
   * marked as claimed; an approval that needs a token shows its page, but is not decided by the
   * link alone.
   *
   * @param approver whom it is for, which becomes the name of the person who decides; null for
   *     anyone, who then gives a name
   */
  String approvalLink(String step, @Nullable String approver);

  /** As above, for anyone. */
  default String approvalLink(String step) {
    return approvalLink(step, null);
  }

  /** Waits for the answer to the token of this name. The answer may have arrived already. */
  default <T extends @Nullable Object> T awaitCallback(String step, Class<T> type) {
    return awaitCallback(step, null, type);
  }

  /**
   * As above. If no answer arrives within this time after the run got here, the step fails with the
   * code "expired".
   */
  default <T extends @Nullable Object> T awaitCallback(
      String step, @Nullable Duration expires, Class<T> type) {
    return awaitCallback(step, expires, TypeToken.of(type));
  }

  /** As above, for an answer with type arguments. */
  <T extends @Nullable Object> T awaitCallback(
      String step, @Nullable Duration expires, TypeToken<T> type);

  /**
   * Waits for people to decide. A rejection fails the step with {@code rejected}, unless the
   * approval says otherwise.
   */
  Decision approval(String step, Approval approval);

  /**
   * Does some work and asks for its approval under this name, again after each {@code rework}, at
   * most this many times. Each round has its own steps. Effects keep their keys: an {@code update}
   * is sent again if its content changed, and a {@code create} or {@code notify} is reused.
   */
  Decision rounds(String step, int maxRounds, Round round) throws Exception;

  /** One round of work that ends with a question. */
  @FunctionalInterface
  interface Round {
    /**
     * Does the work with the steps of this round.
     *
     * @param rework the decision about the previous round; null in the first
     */
    Approval work(RunContext round, @Nullable Decision rework) throws Exception;
  }

  /**
   * Runs another flow as a child of this run, waits durably for its end and returns its output. The
   * child is found by its key: the key that its flow computes from the input, or else one made of
   * this run and step. If that key has a run already, no matter who started it, this run waits for
   * it. A child that does not succeed fails the step with the child's code.
   */
  <I, O> O call(String name, Flow<I, O> flow, I input);

  /** As above, with your own key. */
  <I, O> O call(String name, Flow<I, O> flow, String key, I input);

  /**
   * As above.
   *
   * @param key null for the key that is used without one
   * @param onFailed what to do if the run with that key has failed already
   */
  <I, O> O call(String name, Flow<I, O> flow, @Nullable String key, I input, OnFailed onFailed);

  /**
   * Starts another run without waiting for it, and returns its id. The key is chosen as in {@link
   * #call}. The other run continues independently of this run.
   */
  <I> String spawn(String name, Flow<I, ?> flow, I input);

  /** As above, with your own key. */
  <I> String spawn(String name, Flow<I, ?> flow, String key, I input);

  /**
   * Sends once. Throws {@link NotApplied} or {@link Rejected} if it knows that nothing happened.
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
