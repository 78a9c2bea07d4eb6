package dev.hapax.subject;

import dev.hapax.flow.InboxEvent;
import dev.hapax.flow.InboxFilter;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunFilter;
import dev.hapax.flow.RunId;
import dev.hapax.flow.RunSearch;
import dev.hapax.flow.SubjectHash;
import dev.hapax.flow.TextMatch;
import dev.hapax.run.journal.Answer;
import dev.hapax.run.journal.CallEntry;
import dev.hapax.run.journal.JournalEntry;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.run.journal.RunEntry;
import dev.hapax.run.journal.StepEntry;
import dev.hapax.run.ledger.EffectReference;
import dev.hapax.store.JournalPages;
import dev.hapax.store.Store;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Finds what the store holds about a person. Reads only. Safe for many threads. */
public final class SubjectFinder {
  private static final int PAGE = 200;
  private static final int MOST_RUNS = 10_000;

  private final Store store;

  public SubjectFinder(Store store) {
    this.store = store;
  }

  /**
   * The runs that are about a person: by the index; by every stored run, if it scans.
   *
   * @param before only runs with a smaller number
   */
  public List<Run> runs(String tenant, SubjectHash subject, long before, boolean scans) {
    RunFilter filter = new RunFilter(tenant, null, null, null, before, PAGE);
    if (!scans) {
      var search = RunSearch.NONE.anyField(TextMatch.exactly(subject.hex()));
      return all(filter.search(search), null);
    }
    return all(filter, new SubjectMatch(tenant, subject));
  }

  /** The runs whose key or searchable field is the id itself, also if they declare no subject. */
  public List<Run> byText(String tenant, String id, long before) {
    RunFilter filter = new RunFilter(tenant, null, null, null, before, PAGE);
    var found = new TreeMap<Long, Run>();
    var search = RunSearch.NONE;
    all(filter.search(search.anyField(TextMatch.exactly(id))), null)
        .forEach(run -> found.put(run.number(), run));
    all(filter.search(search.key(TextMatch.exactly(id))), null)
        .forEach(run -> found.put(run.number(), run));
    return List.copyOf(found.values());
  }

  private List<Run> all(RunFilter filter, @Nullable SubjectMatch match) {
    List<Run> found = new ArrayList<>();
    List<Run> page = store.runs(filter);
    while (!page.isEmpty()) {
      page.stream().filter(run -> match == null || match.isIn(run)).forEach(found::add);
      if (found.size() > MOST_RUNS) {
        throw new IllegalArgumentException(
            "id of the subject: more than 10,000 runs have this value, so it names no person");
      }
      page = store.runs(filter.before(page.getLast().number()));
    }
    return found;
  }

  /**
   * Gives the events that these runs answer, or that are about the person themselves, one at a
   * time. Reads all events of the tenant, because they have no index by run.
   */
  public void events(
      String tenant, SubjectHash subject, Set<String> runs, long before, Consumer<InboxEvent> to) {
    var match = new SubjectMatch(tenant, subject);
    Long from = before;
    while (true) {
      List<InboxEvent> page = store.events(InboxFilter.of(tenant).page(from, PAGE));
      for (InboxEvent event : page) {
        String run = event.run();
        if ((run != null && runs.contains(run)) || match.isIn(event)) {
          to.accept(event);
        }
      }
      if (page.isEmpty()) {
        return;
      }
      from = page.getLast().number();
    }
  }

  /**
   * What a run has brought about: its children, the runs that it started, and the messages, alerts
   * and notices that it sent; and the effects that it claimed.
   *
   * @param before of the runs that it started, only those with a smaller number
   */
  Links links(Run run, long before) {
    Set<RunId> runs = new LinkedHashSet<>();
    Set<RunId> started = new HashSet<>();
    Set<Long> effects = new LinkedHashSet<>();
    for (JournalRow row : new JournalPages(store, run.number())) {
      boolean isFresh =
          row.readAnswers().stream()
              .noneMatch(answer -> answer instanceof Answer.Spawned spawned && !spawned.isFresh());
      for (JournalEntry entry : row.readEntries()) {
        String linked = linked(entry, isFresh);
        if (linked != null) {
          runs.add(RunId.parse(linked));
        }
        if (linked != null && entry instanceof CallEntry.SpawnedRun) {
          started.add(RunId.parse(linked));
        }
      }
      EffectReference.in(List.of(row)).forEach(reference -> effects.add(reference.effect()));
    }
    List<Run> found = new ArrayList<>();
    for (RunId id : runs) {
      Run other = store.find(id);
      boolean isOurs = other != null && other.tenant().equals(run.tenant());
      if (other != null && isOurs && !(started.contains(id) && other.number() >= before)) {
        found.add(other);
      }
    }
    found.removeIf(other -> other.parent() != null && other.parent() != run.number());
    return new Links(found, List.copyOf(effects));
  }

  record Links(List<Run> runs, List<Long> effects) {}

  private static @Nullable String linked(JournalEntry entry, boolean isFresh) {
    return switch (entry) {
      case CallEntry.Called called -> called.child();
      case CallEntry.SpawnedRun spawned when isFresh -> spawned.child();
      case StepEntry.Published published -> published.delivery();
      case RunEntry.Alerted alerted -> alerted.delivery();
      case RunEntry.Notified notified -> notified.delivery();
      default -> null;
    };
  }
}
