package dev.hapax.subject;

import dev.hapax.engine.Engine;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.Run;
import dev.hapax.flow.SubjectTraces;
import dev.hapax.run.ErasureRecord;
import dev.hapax.run.journal.Answer.RunErased;
import dev.hapax.run.journal.Answer.RunErased.Outcome;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.Store;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Carries out a request to erase what is stored about a person, as far as it can be done now. It
 * can be given up at any time: the next call continues. Safe for many threads.
 */
public final class SubjectEraser {
  private static final int MOST_MENTIONS = 200;
  private static final int MOST_PARTS = 50;
  private static final int COLLECTIONS = 20;

  private final Engine engine;
  private final Store store;
  private final SubjectFinder finder;
  private volatile SubjectTraces traces = SubjectTraces.NONE;

  public SubjectEraser(Engine engine, Store store) {
    this.engine = engine;
    this.store = store;
    this.finder = new SubjectFinder(store);
  }

  public void traces(SubjectTraces outside) {
    this.traces = outside;
  }

  public SubjectTraces traces() {
    return traces;
  }

  /**
   * What one look at a person's records did.
   *
   * @param left runs that must end, or whose effects must be settled, before they can be erased
   */
  public record Round(long erased, long left) {}

  /**
   * Erases all that can be erased now, and notes the end of the request if nothing is left.
   *
   * @param also the numbers of further runs
   * @param before how many runs earlier rounds have erased
   */
  public Round erase(ErasureRecord request, List<Long> also, long before) {
    List<Whole> found = scope(request, also);
    List<Whole> ready = found.stream().filter(Whole::isReady).toList();
    eraseMentions(request, ready);
    long erased = 0;
    long left = 0;
    for (Whole whole : found) {
      Long done = whole.isReady() ? eraseAll(request, whole.runs()) : null;
      erased += done == null ? 0 : done;
      left += done == null ? 1 : 0;
    }
    if (erased > 0) {
      collect();
    }
    if ((erased > 0 || left == 0) && !store.scrub()) {
      left = Math.max(left, 1); // a reader was in the way of the last bytes: look again later
    }
    if (left == 0) {
      submit(new Change.EndErasure(request.number(), before + erased));
    }
    return new Round(erased, left);
  }

  /**
   * A run of the person, with all runs that it has brought about, and why it must wait.
   *
   * @param runs itself the last, so that it is found again after a crash
   * @param waitsFor null if all of it can be erased now
   */
  public record Whole(Run run, List<Run> runs, List<Long> effects, @Nullable String waitsFor) {
    public boolean isReady() {
      return waitsFor == null;
    }
  }

  /** Finds everything that a request would erase now. */
  public List<Whole> scope(ErasureRecord request, List<Long> also) {
    Map<Long, Run> found = new LinkedHashMap<>();
    finder
        .runs(request.tenant(), request.subject(), request.number(), request.scans())
        .forEach(run -> found.put(run.number(), run));
    for (long number : also) {
      Run run = store.run(number);
      if (run != null && run.tenant().equals(request.tenant())) {
        found.put(number, run);
      }
    }
    List<Whole> wholes = new ArrayList<>();
    for (Run run : found.values()) {
      if (!isDone(run)) {
        wholes.add(whole(run, request.number()));
      }
    }
    return wholes;
  }

  /** An erased run that is still found by its person has a part of its journal left. */
  private static boolean isDone(Run run) {
    return run.isErased() && run.search().isEmpty();
  }

  private Whole whole(Run run, long before) {
    var effects = new ArrayList<Long>();
    List<Run> runs = gather(run, before, effects);
    String waits = null;
    for (Run one : runs) {
      String why = waitsFor(one);
      waits = waits == null ? why : waits;
    }
    return new Whole(run, runs, effects, waits);
  }

  /** The run and all that it has brought about. Each comes after what was found through it. */
  private List<Run> gather(Run run, long before, List<Long> effects) {
    Map<Long, Run> runs = new LinkedHashMap<>();
    Deque<Run> unread = new ArrayDeque<>();
    runs.put(run.number(), run);
    unread.push(run);
    while (!unread.isEmpty()) {
      SubjectFinder.Links links = finder.links(unread.pop(), before);
      effects.addAll(links.effects());
      for (Run other : links.runs()) {
        if (runs.putIfAbsent(other.number(), other) == null) {
          unread.push(other);
        }
      }
    }
    return List.copyOf(runs.values()).reversed();
  }

  private @Nullable String waitsFor(Run run) {
    if (!run.status().isEnd()) {
      return "run %s is %s".formatted(run.id(), run.status().word());
    }
    Long parent = run.parent();
    Run caller = parent == null ? null : store.run(parent);
    if (caller != null && !caller.status().isEnd()) {
      return "run %s, which called it, is %s".formatted(caller.id(), caller.status().word());
    }
    for (long effect : store.retention().openEffects(run.number())) {
      EffectRecord row = store.effect(effect);
      if (row != null) {
        return "effect %s is %s".formatted(row.id(), row.state().word());
      }
    }
    return null;
  }

  /** Before the runs: afterwards nothing would lead to them. */
  private void eraseMentions(ErasureRecord request, List<Whole> ready) {
    Set<String> runs =
        ready.stream()
            .flatMap(whole -> whole.runs().stream())
            .map(run -> run.id().toString())
            .collect(Collectors.toSet());
    List<Long> events = new ArrayList<>();
    finder.events(
        request.tenant(),
        request.subject(),
        runs,
        request.number(),
        event -> {
          if (!event.payload().equals(event.erased().payload())) {
            events.add(event.number());
          }
        });
    List<String> effects =
        ready.stream()
            .flatMap(whole -> whole.effects().stream())
            .distinct()
            .map(EffectRecord::id)
            .toList();
    traces.erase(request.tenant(), effects);
    List<String> subjects = new ArrayList<>(runs);
    subjects.addAll(effects);
    int most = Math.max(events.size(), subjects.size());
    for (int from = 0; from < most; from += MOST_MENTIONS) {
      submit(new Change.EraseMentions(request.tenant(), part(events, from), part(subjects, from)));
    }
  }

  private static <T> List<T> part(List<T> all, int from) {
    return from >= all.size()
        ? List.of()
        : all.subList(from, Math.min(all.size(), from + MOST_MENTIONS));
  }

  /** Returns how many runs it erased; null if one of them must wait after all. */
  private @Nullable Long eraseAll(ErasureRecord request, List<Run> runs) {
    long erased = 0;
    for (Run run : runs) {
      switch (erase(request, run.number())) {
        case ERASED -> erased++;
        case GONE -> {}
        case OPEN, HELD, MORE -> {
          return null;
        }
      }
    }
    return erased;
  }

  private Outcome erase(ErasureRecord request, long run) {
    long after = 0;
    while (true) {
      GroupAnswer.Landed landed =
          submit(
              new Change.EraseRun(
                  request.tenant(),
                  request.subject(),
                  run,
                  after,
                  request.number(),
                  request.actor(),
                  request.reason(),
                  request.externalIds()));
      var answer = (RunErased) landed.answers().getFirst();
      if (answer.outcome() != Outcome.MORE) {
        return answer.outcome();
      }
      after = answer.next();
    }
  }

  /** Deletes the large values that only erased rows referred to. */
  private void collect() {
    for (int i = 0; i < COLLECTIONS; i++) {
      submit(new Change.CollectResources(MOST_PARTS));
    }
  }

  private GroupAnswer.Landed submit(Change change) {
    return engine
        .committer()
        .submit(Group.always(engine.ids().next(), engine.clock().now(), List.of(change)))
        .await()
        .unconditional("this erasure");
  }
}
