package dev.hapax.admission;

import dev.hapax.flow.Fingerprint;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Names;
import dev.hapax.flow.NotPossible;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunFilter;
import dev.hapax.flow.RunId;
import dev.hapax.flow.SearchFields;
import dev.hapax.json.Digest;
import dev.hapax.json.Json;
import dev.hapax.json.NotSerializable;
import dev.hapax.run.Gate;
import dev.hapax.run.Generation;
import dev.hapax.run.KeyHolder;
import dev.hapax.run.NewRun;
import dev.hapax.run.Succession;
import dev.hapax.store.Store;
import dev.hapax.time.Clock;
import dev.hapax.time.IdSource;
import dev.hapax.time.RandomSource;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a request is a new run, a duplicate or a conflict. It only reads. The commit that
 * carries the first intent of a fresh run also writes the run. A start that loses the race for this
 * commit returns here with the run that won.
 */
public final class RunAdmission {
  private static final int PAGE = 200;

  private static final int LARGEST_INPUT = 1 << 20;

  private final Store store;
  private final Clock clock;
  private final IdSource ids;
  private final RandomSource random;

  public RunAdmission(Store store, Clock clock, IdSource ids, RandomSource random) {
    this.store = store;
    this.clock = clock;
    this.ids = ids;
    this.random = random;
  }

  public <I> Admission admit(StartRequest<I> request) {
    Wanted wanted = lookUp(request);
    return switch (wanted.holder()) {
      case null -> new Admission.Fresh(wanted.run());
      case KeyHolder.Present(var first, var _) -> comeAgain(request.flow(), wanted.run(), first);
      case KeyHolder.Expired(var tombstone, var _) -> new Admission.KeyExpired(tombstone);
    };
  }

  /** A requested run, and the run or tombstone that has its id. */
  private record Wanted(NewRun run, @Nullable KeyHolder holder) {}

  /**
   * Returns the run that this request asks for, in the current or the next generation of its key.
   * The commit decides whether the run exists already.
   */
  public <I> NewRun prepare(StartRequest<I> request) {
    return lookUp(request).run();
  }

  /** Needs at most two reads, however many generations the key has had. */
  private <I> Wanted lookUp(StartRequest<I> request) {
    NewRun run = newRun(request);
    KeyHolder first = store.holder(run.id());
    if (first == null || !first.mayBeSucceeded()) {
      return new Wanted(run, first);
    }
    Flow<I, ?> flow = request.flow();
    Generation newest = store.newest(first.number());
    int generation = newest == null ? 0 : newest.number();
    KeyHolder holder = newest == null ? first : newest.holder();
    if (mayFollow(flow, holder)) {
      return new Wanted(generation(run, flow, generation + 1, !holder.isForgotten()), null);
    }
    return new Wanted(
        newest == null ? run : generation(run, flow, generation, newest.renews()), holder);
  }

  /**
   * Returns the runs that have this key now, without its earlier generations: one run, or one per
   * input if the flow's conflict rule says so. An expired run per input is not found, because its
   * key alone does not identify it.
   */
  public List<RunId> holders(String tenant, Flow<?, ?> flow, String key) {
    if (flow.conflict() != Flow.Conflict.NEW) {
      RunId newest = newest(tenant, flow, key);
      return newest == null ? List.of() : List.of(newest);
    }
    List<RunId> found = new ArrayList<>();
    var filter = new RunFilter(tenant, flow.name(), key, null, null, PAGE);
    List<Run> page = store.runs(filter);
    while (!page.isEmpty()) {
      page.forEach(run -> found.add(run.id()));
      filter = new RunFilter(tenant, flow.name(), key, null, page.getLast().number(), PAGE);
      page = store.runs(filter);
    }
    return found;
  }

  private @Nullable RunId newest(String tenant, Flow<?, ?> flow, String key) {
    RunId id = RunId.of(tenant, flow.name(), key, null);
    KeyHolder first = store.holder(id);
    if (first == null || !first.mayBeSucceeded()) {
      return first == null ? null : id;
    }
    Generation newest = store.newest(first.number());
    return newest == null ? id : RunId.of(tenant, flow.name(), key, null, newest.number());
  }

  private static boolean mayFollow(Flow<?, ?> flow, KeyHolder holder) {
    return holder.isForgotten()
        || (holder instanceof KeyHolder.Expired
            && flow.afterRetention() == Flow.AfterRetention.NEW);
  }

  /** Returns the same start in another generation of its key. */
  private static NewRun generation(NewRun run, Flow<?, ?> flow, int generation, boolean renews) {
    var succession = new Succession(id(run, flow, generation - 1), renews);
    return run.succeeding(id(run, flow, generation), succession);
  }

  private static RunId id(NewRun run, Flow<?, ?> flow, int generation) {
    Fingerprint perInput = flow.conflict() == Flow.Conflict.NEW ? run.fingerprint() : null;
    return RunId.of(run.tenant(), run.flow(), run.key(), perInput, generation);
  }

  /**
   * Decides about a key that already has a run. If the input differs, the flow's conflict rule
   * applies.
   */
  public static Admission.Taken comeAgain(Flow<?, ?> flow, NewRun again, Run first) {
    if (first.startedWith(again.fingerprint()) || flow.conflict() == Flow.Conflict.RETURN) {
      return new Admission.Duplicate(first);
    }
    return new Admission.KeyReused(
        first,
        first.isErased()
            ? "the values of the first input were erased for a person"
            : InputDifference.between(first.input(), again.input()));
  }

  /**
   * Returns the corrected input of a failed run, as stored. Refuses an input that does not fit this
   * run.
   */
  public <I> String correct(Run run, Flow<I, ?> flow, I corrected) {
    if (!flow.name().equals(run.flow()) || flow.release() != run.release()) {
      throw new InvalidInput(
          "invalid-input",
          "run %s belongs to flow '%s' release %d, but the corrected input is for %s"
              .formatted(run.id(), run.flow(), run.release(), flow),
          null);
    }
    return correctOn(run, flow, corrected);
  }

  /** As above, on any release of the run's flow. */
  public <I> String correctOn(Run run, Flow<I, ?> flow, I corrected) {
    if (Names.worksForHapax(run.flow())) {
      throw new NotPossible(
          "run %s of flow '%s' works for Hapax itself: its input is what was asked for, and cannot be corrected. Ask for something else instead"
              .formatted(run.id(), run.flow()));
    }
    if (flow.conflict() == Flow.Conflict.NEW) {
      throw new InvalidInput(
          "invalid-input",
          "flow '%s' has one run per key and input, so a corrected input belongs to another run: start the flow with it"
              .formatted(flow.name()),
          null);
    }
    String input = write(flow, corrected);
    if (flow.computesKey() && !run.key().equals(flow.keyOf(corrected))) {
      throw new InvalidInput(
          "key-mismatch",
          "the corrected input of run %s gives key '%s', but the run's key is '%s'. Start another run for another key."
              .formatted(run.id(), flow.keyOf(corrected), run.key()),
          null);
    }
    return input;
  }

  private <I> NewRun newRun(StartRequest<I> request) {
    Flow<I, ?> flow = request.flow();
    String input = write(flow, request.input());
    String key = key(request);
    Fingerprint fingerprint = Fingerprint.of(input);
    boolean perInput = flow.conflict() == Flow.Conflict.NEW;
    RunId id = RunId.of(request.tenant(), flow.name(), key, perInput ? fingerprint : null);
    Duration timeout = flow.timeout();
    Instant timeoutAt = timeout == null ? null : clock.now().plus(timeout);
    return new NewRun(
            ids.next(),
            id,
            request.tenant(),
            flow.name(),
            flow.release(),
            key,
            fingerprint,
            input,
            timeoutAt)
        .through(gate(flow, request.input()))
        .startedBy(request.caller())
        .foundBy(search(flow, request.tenant(), request.input()));
  }

  private static <I> SearchFields search(Flow<I, ?> flow, String tenant, I input) {
    try {
      return flow.searchOf(tenant, input);
    } catch (IllegalArgumentException e) {
      throw new InvalidInput("invalid-input", String.valueOf(e.getMessage()), e);
    }
  }

  private static <I> @Nullable Gate gate(Flow<I, ?> flow, I input) {
    try {
      return Gate.of(flow, input);
    } catch (IllegalArgumentException e) {
      throw new InvalidInput("invalid-input", String.valueOf(e.getMessage()), e);
    }
  }

  private static <I> String write(Flow<I, ?> flow, I input) {
    try {
      String text = Json.write(input, 3 * LARGEST_INPUT); // a character has at most three bytes
      if (text.length() > LARGEST_INPUT) {
        throw new InvalidInput(
            "invalid-input",
            "input of flow '%s': expected at most %,d characters of JSON, got %,d. Store the large part elsewhere and pass a reference."
                .formatted(flow.name(), LARGEST_INPUT, text.length()),
            null);
      }
      return text;
    } catch (NotSerializable e) {
      throw new InvalidInput(
          "invalid-input", "input of flow '%s': %s".formatted(flow.name(), e.getMessage()), e);
    }
  }

  private <I> String key(StartRequest<I> request) {
    Flow<I, ?> flow = request.flow();
    String computed = flow.keyOf(request.input());
    String given = request.key();
    if (flow.computesKey() && computed == null) {
      throw new InvalidInput(
          "invalid-input",
          "the key of flow '%s' is null for this input".formatted(flow.name()),
          null);
    }
    if (computed != null && given != null && !computed.equals(given)) {
      throw new InvalidInput(
          "key-mismatch",
          "the key '%s' was given, but flow '%s' computes '%s' from this input. Leave the key out."
              .formatted(given, flow.name(), computed),
          null);
    }
    String key = computed != null ? computed : given != null ? given : otherwise(request);
    return Names.key("a run of flow '" + flow.name() + "'", key);
  }

  /** A start without any key is a separate intent. */
  private String otherwise(StartRequest<?> request) {
    String otherwise = request.otherwise();
    return otherwise != null ? otherwise : randomKey();
  }

  private String randomKey() {
    byte[] bytes =
        ByteBuffer.allocate(16).putLong(random.nextLong()).putLong(random.nextLong()).array();
    return Digest.base32(bytes, bytes.length);
  }

  /** Thrown if no run can be started with this input. Nothing was written. */
  public static final class InvalidInput extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final String code;

    public InvalidInput(String code, String message, @Nullable Throwable cause) {
      super(message, cause);
      this.code = code;
    }

    /** Returns the problem's name: {@code invalid-input} or {@code key-mismatch}. */
    public String code() {
      return code;
    }
  }
}
