package dev.hapax;

import dev.hapax.engine.Engine;
import dev.hapax.flow.Names;
import dev.hapax.flow.NotFound;
import dev.hapax.flow.Run;
import dev.hapax.flow.SubjectHash;
import dev.hapax.flow.SubjectTraces;
import dev.hapax.run.ErasureRecord;
import dev.hapax.store.Change;
import dev.hapax.store.Store;
import dev.hapax.subject.ErasureWork;
import dev.hapax.subject.SubjectEraser;
import dev.hapax.subject.SubjectFinder;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * The people whom runs are about: finds, exports and erases what is stored about one of them. A
 * flow names them by {@code subject}; runs whose key or searchable field is the id are found too.
 */
public final class Subjects {
  private static final int LONGEST_REASON = 500;
  private static final int MOST_LISTED = 1_000;

  private final SubjectAccess access;
  private final Engine engine;
  private final Store store;
  private final SubjectEraser eraser;
  private final ErasureWork work;
  private final SubjectFinder finder;
  private final String tenant;

  Subjects(
      SubjectAccess access,
      Engine engine,
      Store store,
      SubjectEraser eraser,
      ErasureWork work,
      String tenant) {
    this.access = access;
    this.engine = engine;
    this.store = store;
    this.eraser = eraser;
    this.work = work;
    this.finder = new SubjectFinder(store);
    this.tenant = tenant;
  }

  /** Sets where else records about effects are kept, for all tenants. */
  public void traces(SubjectTraces outside) {
    access.refuseInPart().accept("the records of other tenants");
    eraser.traces(outside);
  }

  /** Returns what an erasure of this person would do now. Changes nothing. */
  public SubjectPlan plan(String id, ErasureWish wish) {
    ErasureRecord request = request(id, "plan", "plan", wish);
    List<SubjectEraser.Whole> wholes = eraser.scope(request, alsoFound(id, request));
    var runs =
        wholes.stream()
            .flatMap(whole -> whole.runs().stream())
            .map(run -> run.id().toString())
            .collect(Collectors.toSet());
    var events = new LongAdder();
    finder.events(
        tenant,
        request.subject(),
        runs,
        request.number(),
        event -> events.add(event.equals(event.erased()) ? 0 : 1));
    return new SubjectPlan(
        wholes.stream()
            .map(
                whole ->
                    new SubjectPlan.PlannedErasure(
                        whole.run().id().toString(),
                        whole.run().flow(),
                        whole.run().shownStatus().word(),
                        whole.runs().size() - 1,
                        whole.effects().size(),
                        whole.waitsFor()))
            .toList(),
        events.sum(),
        erasures(request.subject()));
  }

  /**
   * Erases what is stored about this person. The request is durable when this returns; a run of the
   * engine carries it out at once, and erases runs that have not ended yet when they end. Runs that
   * start later are not erased.
   *
   * @param reason without personal data: it is kept
   */
  public SubjectErasure erase(String id, String actor, String reason, ErasureWish wish) {
    Names.text("actor", actor);
    Names.text("reason", reason);
    if (reason.length() > LONGEST_REASON || reason.contains(SubjectHash.checked(id))) {
      throw new IllegalArgumentException(
          "reason: expected at most %d characters without the id of the person, because it is kept"
              .formatted(LONGEST_REASON));
    }
    engine.refuseIfClosed();
    ErasureRecord request = request(id, actor, reason, wish);
    List<Long> also = alsoFound(id, request);
    // Refuses an id that names no person before the request is durable.
    finder.runs(tenant, request.subject(), request.number(), request.scans());
    work.begin(request, also, new Change.NoteErasure(request));
    return SubjectErasure.of(request);
  }

  private ErasureRecord request(String id, String actor, String reason, ErasureWish wish) {
    return new ErasureRecord(
        engine.ids().next(),
        tenant,
        SubjectHash.of(tenant, SubjectHash.checked(id)),
        engine.clock().now(),
        actor,
        reason,
        wish.externalIds(),
        wish.scans(),
        null,
        0);
  }

  private List<Long> alsoFound(String id, ErasureRecord request) {
    access.catchUpSearch().run();
    return finder.byText(tenant, id, request.number()).stream().map(Run::number).toList();
  }

  /** Returns the request with this id, as it is now. */
  public SubjectErasure erasure(String erasureId) {
    ErasureRecord found = store.erasures().find(ErasureRecord.number(erasureId));
    if (found == null || !found.tenant().equals(tenant)) {
      throw new NotFound("there is no erasure " + erasureId);
    }
    return SubjectErasure.of(found);
  }

  /** Returns the latest requests of this tenant, the newest first. */
  public List<SubjectErasure> erasures() {
    return store.erasures().list(tenant, MOST_LISTED).stream().map(SubjectErasure::of).toList();
  }

  private List<SubjectErasure> erasures(SubjectHash subject) {
    return store.erasures().list(tenant, MOST_LISTED).stream()
        .filter(erasure -> erasure.subject().equals(subject))
        .map(SubjectErasure::of)
        .toList();
  }

  /**
   * Returns the requests of all tenants as lines of JSON, to be kept outside the store: {@link
   * #restoreErasures} applies them to a backup that is older.
   */
  public List<String> erasureList() {
    access.refuseInPart().accept("the erasures of other tenants");
    var lines = new ArrayList<String>();
    long after = 0;
    while (true) {
      List<ErasureRecord> page = store.erasures().all(after, false, MOST_LISTED);
      if (page.isEmpty()) {
        return lines;
      }
      page.forEach(record -> lines.add(record.line()));
      after = page.getLast().number();
    }
  }

  /**
   * Applies requests that a restored store does not know, before anything in it continues; returns
   * how many were new.
   */
  public int restoreErasures(List<String> lines) {
    access.refuseInPart().accept("the erasures of other tenants");
    int added = 0;
    List<ErasureRecord> given = lines.stream().map(ErasureRecord::parse).toList();
    for (ErasureRecord record : given) {
      if (store.erasures().find(record.number()) == null) {
        work.note(record.again());
        added++;
      }
    }
    work.catchUp();
    return added;
  }

  /**
   * Gives everything that is stored about this person to the consumer, record by record.
   *
   * @param scans as in {@link ErasureWish}
   */
  public void export(String id, boolean scans, Consumer<SubjectRecord> to) {
    exportOf(id, scans).to(to);
  }

  /** What an export gives, found and not yet read. */
  @FunctionalInterface
  public interface FoundRecords {
    /** Reads the records one at a time: memory holds one of them. */
    void to(Consumer<SubjectRecord> to);
  }

  /** Finds the runs of this person, which refuses an id that names no person; reads later. */
  public FoundRecords exportOf(String id, boolean scans) {
    ErasureRecord request = request(id, "export", "export", new ErasureWish(scans, false));
    Set<Long> runs = new LinkedHashSet<>();
    for (SubjectEraser.Whole whole : eraser.scope(request, alsoFound(id, request))) {
      whole.runs().forEach(run -> runs.add(run.number()));
    }
    var export = new SubjectExport(access, store, finder, eraser.traces(), tenant);
    return to -> {
      export.give(request, runs, to);
      erasures(request.subject()).forEach(one -> to.accept(new SubjectRecord("erasure", one)));
    };
  }
}
