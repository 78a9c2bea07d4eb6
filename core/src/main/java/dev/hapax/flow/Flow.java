package dev.hapax.flow;

import dev.hapax.json.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A named piece of work in one release. A run stays on the release it started on. Keep the code of
 * a release registered as long as its runs are under way, and give changed code the next number.
 */
public final class Flow<I, O> {
  public static final Duration DEFAULT_RETENTION = Duration.ofDays(30);

  /** The most people whom a run is about. */
  public static final int MOST_SUBJECTS = 8;

  private final Builder<I, O> is;
  private final Body<I, O> body;

  private Flow(Builder<I, O> is, Body<I, O> body) {
    this.is = is;
    this.body = body;
  }

  /** Begins a flow; {@link Builder#body} completes it. Input and output are stored as JSON. */
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
   * The code that a run of this flow executes, as ordinary blocking code. Make everything that must
   * not be repeated a step.
   */
  @FunctionalInterface
  public interface Body<I, O> {
    @Nullable O run(RunContext run, I input) throws Exception;
  }

  /** What happens if a key is used again with another input. */
  public enum Conflict {
    /** The start is refused. The error names the first run. */
    REJECT,
    /** The start gets the first run. */
    RETURN,
    /** Each combination of key and input gets its own run. */
    NEW
  }

  /** What happens if a start uses a key whose run is no longer kept. */
  public enum AfterRetention {
    /** The start is refused: the work was done, and its record has expired. */
    EXPIRED,
    /** The start gets a new run. */
    NEW
  }

  /** What happens to a run that fails or takes too long. */
  public enum OnFailure {
    /** The run ends as failed, and can be retried. */
    STOP,
    /**
     * The run's effects are undone in reverse order. It ends as compensated and cannot be retried.
     */
    COMPENSATE
  }

  /** When runs of this release begin. */
  public enum OnNewRelease {
    /** At once, in parallel with runs of other releases. */
    COEXIST,
    /** When all runs of other releases that were started before them have ended. */
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

  /** Returns how long a run may take from its start, waits included; null: no limit. */
  public @Nullable Duration timeout() {
    return is.timeout;
  }

  /** Returns how long the full record of a run is kept after its end. */
  public Duration retention() {
    return is.retention;
  }

  public AfterRetention afterRetention() {
    return is.afterRetention;
  }

  /** Returns how many of its runs may be under way at once; null: no limit. */
  public @Nullable Concurrency<I> concurrency() {
    return is.concurrency;
  }

  /** Returns how many of its runs may begin in a period; null: no limit. */
  public @Nullable Rate rate() {
    return is.rate;
  }

  /** Returns the alerts that it asks for; null: those of the engine. */
  public @Nullable FlowAlerts alerts() {
    return is.alerts;
  }

  /**
   * Returns what people should do about trouble in this step: its own runbook, else that of the
   * flow; null if there is none.
   */
  public @Nullable String runbook(@Nullable String step) {
    String ofStep = step == null ? null : is.runbooks.get(step);
    return ofStep == null ? is.runbook : ofStep;
  }

  /** Returns the key that the flow computes from its input, or null if it computes none. */
  public @Nullable String keyOf(I input) {
    Function<I, @Nullable String> key = is.key;
    return key == null ? null : key.apply(input);
  }

  /** Returns the problems of an input, in words; empty if a run can be started with it. */
  public List<String> problemsOf(I input) {
    return is.problems.apply(input);
  }

  /**
   * Returns the fields by which the run of this input can be found. A field whose function returns
   * null is left out.
   */
  public SearchFields searchOf(String tenant, I input) {
    if (!isSearchable()) {
      return SearchFields.NONE;
    }
    var values = new HashMap<String, String>();
    is.searchable.forEach(
        (field, value) -> {
          String found = value.apply(input);
          if (found != null) {
            values.put(field, found);
          }
        });
    return new SearchFields(values).about(subjectsOf(tenant, input));
  }

  private List<SubjectHash> subjectsOf(String tenant, I input) {
    var people = new LinkedHashSet<SubjectHash>();
    for (Function<I, List<String>> subject : is.subjects) {
      for (String id : subject.apply(input)) {
        if (!id.isBlank()) {
          people.add(SubjectHash.of(tenant, SubjectHash.checked(id)));
        }
      }
    }
    if (people.size() > MOST_SUBJECTS) {
      throw new IllegalArgumentException(
          "subject of flow '%s': expected at most %d people, got %d"
              .formatted(is.name, MOST_SUBJECTS, people.size()));
    }
    return List.copyOf(people);
  }

  /** Returns whether its runs can be found by fields of their input, or by a person. */
  public boolean isSearchable() {
    return !is.searchable.isEmpty() || !is.subjects.isEmpty();
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
    private final Map<String, Function<I, @Nullable String>> searchable = new LinkedHashMap<>();
    private final List<Function<I, List<String>>> subjects = new ArrayList<>();
    private Conflict conflict = Conflict.REJECT;
    private OnFailure onFailure = OnFailure.STOP;
    private OnNewRelease onNewRelease = OnNewRelease.COEXIST;
    private @Nullable Duration timeout;
    private Duration retention = DEFAULT_RETENTION;
    private AfterRetention afterRetention = AfterRetention.EXPIRED;
    private @Nullable Concurrency<I> concurrency;
    private @Nullable Rate rate;
    private @Nullable FlowAlerts alerts;
    private @Nullable String runbook;
    private final Map<String, String> runbooks = new HashMap<>();
    private Function<I, List<String>> problems = _ -> List.of();

    private Builder(String name, Class<I> input, Class<O> output) {
      this.name = name;
      this.input = input;
      this.output = output;
    }

    /** Sets the release; 1 by default. Give changed code the next number. */
    public Builder<I, O> release(int release) {
      if (release < 1) {
        throw new IllegalArgumentException(
            "release of flow '" + name + "': expected 1 or more, got " + release);
      }
      this.release = release;
      return this;
    }

    /**
     * Sets the function that computes the key. Two starts with the same key are the same intent.
     * Use an order number or an event id, never a time or a random value.
     */
    public Builder<I, O> key(Function<I, @Nullable String> key) {
      this.key = key;
      return this;
    }

    /**
     * Sets a check that returns the problems of an input; an empty list means that the input is
     * valid. A run that calls this flow as its child with an invalid input fails with {@code
     * invalid-input}.
     */
    public Builder<I, O> problems(Function<I, List<String>> problems) {
      this.problems = problems;
      return this;
    }

    /**
     * Adds a field by which the flow's runs can be found, computed from the input: {@link
     * RunFilter#field}. At most 8 fields; 256 characters of a value are kept. A null value is left
     * out.
     */
    public Builder<I, O> searchable(String field, Function<I, @Nullable String> value) {
      Names.searchField(field);
      searchable.put(field, value);
      if (searchable.size() > SearchFields.MOST) {
        throw new IllegalArgumentException(
            "searchable fields of flow '%s': expected at most %d, got '%s' beside them"
                .formatted(name, SearchFields.MOST, field));
      }
      return this;
    }

    /**
     * Adds a person whom the flow's runs are about, by an id that the input contains: a customer
     * number, an e-mail address. Only its hash is stored. {@code hapax.subjects()} finds the runs
     * of a person, exports them and erases their values. At most 8 people; a null id is left out.
     */
    public Builder<I, O> subject(Function<I, @Nullable String> id) {
      return subjects(
          input -> {
            String found = id.apply(input);
            return found == null ? List.of() : List.of(found);
          });
    }

    /** As above, for several people. */
    public Builder<I, O> subjects(Function<I, List<String>> ids) {
      subjects.add(ids);
      return this;
    }

    /** Sets what a start with the same key and another input gets; by default it is refused. */
    public Builder<I, O> conflict(Conflict conflict) {
      this.conflict = conflict;
      return this;
    }

    /** Sets what happens to a run that fails; by default it stops and can be retried. */
    public Builder<I, O> onFailure(OnFailure onFailure) {
      this.onFailure = onFailure;
      return this;
    }

    /**
     * Sets whether runs of this release wait for runs of other releases; by default they do not. A
     * child run never waits: it might wait for its own parent.
     */
    public Builder<I, O> onNewRelease(OnNewRelease onNewRelease) {
      this.onNewRelease = onNewRelease;
      return this;
    }

    /**
     * Sets how long a run may take from its start, waits included; by default there is no limit.
     */
    public Builder<I, O> timeout(Duration timeout) {
      this.timeout = Names.positive("timeout of flow '" + name + "'", timeout);
      return this;
    }

    /**
     * Sets how long the full record of a run is kept after its end; 30 days by default. Within this
     * time, a second start with its key gets its result.
     */
    public Builder<I, O> retention(Duration retention) {
      this.retention = Names.positive("retention of flow '" + name + "'", retention);
      return this;
    }

    /** Sets what a start with the key gets after that; by default it is refused as expired. */
    public Builder<I, O> afterRetention(AfterRetention afterRetention) {
      this.afterRetention = afterRetention;
      return this;
    }

    /** Limits how many runs of the flow are under way at once. Further runs wait in line. */
    public Builder<I, O> concurrency(int limit) {
      return concurrency(limit, Overflow.QUEUE);
    }

    public Builder<I, O> concurrency(int limit, Overflow overflow) {
      this.concurrency = new Concurrency<>(null, limit, overflow);
      return this;
    }

    /** Limits the runs per key, for example per customer. Further runs wait in line. */
    public Builder<I, O> concurrency(Function<I, @Nullable String> key, int limit) {
      return concurrency(key, limit, Overflow.QUEUE);
    }

    public Builder<I, O> concurrency(
        Function<I, @Nullable String> key, int limit, Overflow overflow) {
      this.concurrency = new Concurrency<>(key, limit, overflow);
      return this;
    }

    /**
     * Limits how many runs begin in each period, evenly spaced. Further runs are accepted and wait
     * in line.
     */
    public Builder<I, O> rate(int limit, Duration per) {
      this.rate = new Rate(limit, per);
      return this;
    }

    /**
     * Sends these alerts about its runs and schedules to the courier of this destination, once
     * each, beside the alerts that the engine sends for all flows.
     */
    public Builder<I, O> alerts(String destination, Alert... which) {
      return alerts(new FlowAlerts(destination, Set.of(which), null));
    }

    public Builder<I, O> alerts(FlowAlerts wanted) {
      this.alerts = wanted;
      return this;
    }

    /**
     * Sets what people should do when a run of the flow fails or needs a person. Reviews and alerts
     * show it. At most 4,000 characters.
     */
    public Builder<I, O> runbook(String text) {
      this.runbook = Names.runbook(name, text);
      return this;
    }

    /** As above, for one step, instead of the flow's text. */
    public Builder<I, O> runbook(String step, String text) {
      runbooks.put(step, Names.runbook(name, text));
      return this;
    }

    /** Sets the code of the flow, and completes it. */
    public Flow<I, O> body(Body<I, O> body) {
      return new Flow<>(this, body);
    }
  }
}
