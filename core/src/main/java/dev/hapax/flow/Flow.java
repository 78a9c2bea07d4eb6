package dev.hapax.flow;

import dev.hapax.json.Json;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A named piece of work in one release. A run stays on the release it started on, so keep the code
 * of a release registered for as long as runs of it are under way, and give changed code the next
 * number.
 */
public final class Flow<I, O> {
  public static final Duration DEFAULT_RETENTION = Duration.ofDays(30);

  private final Builder<I, O> is;
  private final Body<I, O> body;

  private Flow(Builder<I, O> is, Body<I, O> body) {
    this.is = is;
    this.body = body;
  }

  public static <I, O> Builder<I, O> of(String name, Class<I> input, Class<O> output) {
    refuseUnreadable("input of flow '%s'".formatted(name), input);
    refuseUnreadable("output of flow '%s'".formatted(name), output);
    return new Builder<>(Names.flow(name), input, output);
  }

  private static void refuseUnreadable(String what, Class<?> type) {
    String why = Json.unreadable(type);
    if (why != null) {
      throw new IllegalArgumentException(what + ": " + why);
    }
  }

  /**
   * What a run of this flow does, as ordinary blocking code. Everything that must not be repeated
   * is a step.
   */
  @FunctionalInterface
  public interface Body<I, O> {
    @Nullable O run(RunContext run, I input) throws Exception;
  }

  /** What happens when a key comes again with another input. */
  public enum Conflict {
    /** The start is refused and told of the first run. */
    REJECT,
    /** The start gets the first run. */
    RETURN,
    /** A run of its own per key and input. */
    NEW
  }

  /** What a start gets whose key had a run that is no longer kept. */
  public enum AfterRetention {
    /** It is refused: the work was done, and its record has expired. */
    EXPIRED,
    /** It gets a new run. */
    NEW
  }

  /** What becomes of a run that fails or takes too long. */
  public enum OnFailure {
    /** It is failed, and can be retried. */
    STOP,
    /** What it has done is undone, the last first; it ends compensated, and cannot be retried. */
    COMPENSATE
  }

  /** When runs of this release begin. */
  public enum OnNewRelease {
    /** At once, beside those of other releases. */
    COEXIST,
    /** When those of other releases that were started before them have ended. */
    DRAIN
  }

  public String name() {
    return is.name;
  }

  public OnNewRelease onNewRelease() {
    return is.onNewRelease;
  }

  public int release() {
    return is.release;
  }

  public Class<I> input() {
    return is.input;
  }

  public Class<O> output() {
    return is.output;
  }

  public Body<I, O> body() {
    return body;
  }

  public Conflict conflict() {
    return is.conflict;
  }

  public OnFailure onFailure() {
    return is.onFailure;
  }

  /** How long a run may take from its start, waits included; null: as long as it takes. */
  public @Nullable Duration timeout() {
    return is.timeout;
  }

  /** How long the full record of a run stays after its end. */
  public Duration retention() {
    return is.retention;
  }

  public AfterRetention afterRetention() {
    return is.afterRetention;
  }

  /** How many of its runs may be under way at once; null: any number. */
  public @Nullable Concurrency<I> concurrency() {
    return is.concurrency;
  }

  /** How many of its runs may begin in a period; null: any number. */
  public @Nullable Rate rate() {
    return is.rate;
  }

  /** The key that the flow computes from its input, or null if it computes none. */
  public @Nullable String keyOf(I input) {
    Function<I, @Nullable String> key = is.key;
    return key == null ? null : key.apply(input);
  }

  /** What is wrong with an input, in words; nothing if a run can be started with it. */
  public List<String> problemsOf(I input) {
    return is.problems.apply(input);
  }

  public boolean computesKey() {
    return is.key != null;
  }

  @Override
  public String toString() {
    return "flow '" + is.name + "' release " + is.release;
  }

  /** A flow without its body. */
  public static final class Builder<I, O> {
    private final String name;
    private final Class<I> input;
    private final Class<O> output;
    private int release = 1;
    private @Nullable Function<I, @Nullable String> key;
    private Conflict conflict = Conflict.REJECT;
    private OnFailure onFailure = OnFailure.STOP;
    private OnNewRelease onNewRelease = OnNewRelease.COEXIST;
    private @Nullable Duration timeout;
    private Duration retention = DEFAULT_RETENTION;
    private AfterRetention afterRetention = AfterRetention.EXPIRED;
    private @Nullable Concurrency<I> concurrency;
    private @Nullable Rate rate;
    private Function<I, List<String>> problems = _ -> List.of();

    private Builder(String name, Class<I> input, Class<O> output) {
      this.name = name;
      this.input = input;
      this.output = output;
    }

    /** 1 unless said otherwise; changed code is the next number. */
    public Builder<I, O> release(int release) {
      if (release < 1) {
        throw new IllegalArgumentException(
            "release of flow '" + name + "': expected 1 or more, got " + release);
      }
      this.release = release;
      return this;
    }

    /**
     * What makes two starts the same intent: an order number, an event id; never a time or a random
     * value.
     */
    public Builder<I, O> key(Function<I, @Nullable String> key) {
      this.key = key;
      return this;
    }

    /**
     * What tells what is wrong with an input; nothing is if it says nothing. A run that calls this
     * flow as its child fails with {@code invalid-input} if something is.
     */
    public Builder<I, O> problems(Function<I, List<String>> problems) {
      this.problems = problems;
      return this;
    }

    public Builder<I, O> conflict(Conflict conflict) {
      this.conflict = conflict;
      return this;
    }

    public Builder<I, O> onFailure(OnFailure onFailure) {
      this.onFailure = onFailure;
      return this;
    }

    /**
     * Whether runs of this release wait for those of other releases; they do not unless said
     * otherwise. A child run never waits: its parent may be what it would wait for.
     */
    public Builder<I, O> onNewRelease(OnNewRelease onNewRelease) {
      this.onNewRelease = onNewRelease;
      return this;
    }

    public Builder<I, O> timeout(Duration timeout) {
      this.timeout = Names.positive("timeout of flow '" + name + "'", timeout);
      return this;
    }

    /**
     * How long the full record of a run stays after its end: 30 days unless said otherwise. Within
     * this time a second start under its key gets its result.
     */
    public Builder<I, O> retention(Duration retention) {
      this.retention = Names.positive("retention of flow '" + name + "'", retention);
      return this;
    }

    /** What a start under the key gets after that: refused as expired unless said otherwise. */
    public Builder<I, O> afterRetention(AfterRetention afterRetention) {
      this.afterRetention = afterRetention;
      return this;
    }

    /** At most this many runs of the flow are under way at once; more wait in line. */
    public Builder<I, O> concurrency(int limit) {
      return concurrency(limit, Overflow.QUEUE);
    }

    public Builder<I, O> concurrency(int limit, Overflow overflow) {
      this.concurrency = new Concurrency<>(null, limit, overflow);
      return this;
    }

    /** At most this many runs per key, for example per customer; more wait in line. */
    public Builder<I, O> concurrency(Function<I, @Nullable String> key, int limit) {
      return concurrency(key, limit, Overflow.QUEUE);
    }

    public Builder<I, O> concurrency(
        Function<I, @Nullable String> key, int limit, Overflow overflow) {
      this.concurrency = new Concurrency<>(key, limit, overflow);
      return this;
    }

    /**
     * At most so many runs begin in each period, evenly spaced; more are accepted and wait in line.
     */
    public Builder<I, O> rate(int limit, Duration per) {
      this.rate = new Rate(limit, per);
      return this;
    }

    public Flow<I, O> body(Body<I, O> body) {
      return new Flow<>(this, body);
    }
  }
}
