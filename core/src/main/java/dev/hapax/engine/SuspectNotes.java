package dev.hapax.engine;

import dev.hapax.engine.parts.EngineParts;
import dev.hapax.flow.KvEntry;
import dev.hapax.flow.Run;
import dev.hapax.json.Json;
import dev.hapax.run.journal.KvAction;
import dev.hapax.run.value.KvRequest;
import dev.hapax.store.Change;
import dev.hapax.store.Committer;
import dev.hapax.store.Group;
import dev.hapax.store.KvFilter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The notes about suspects, in a durable map that no tenant reaches. All nodes share them. Safe for
 * many threads.
 */
final class SuspectNotes {
  /** Tenants of a server have no slash in their names. */
  private static final String TENANT = "hapax/engine";

  private static final String PREFIX = "suspect/";

  /** By itself: notes about suspects may be written late, by a node that is behind. */
  private static final String QUARANTINED = "quarantined/";

  private static final int PAGE = 1000;
  private static final int IN_A_GROUP = 200;

  private final EngineParts parts;

  SuspectNotes(EngineParts parts) {
    this.parts = parts;
  }

  @Nullable SuspectNote of(long run) {
    KvEntry found = parts.store().kv(TENANT, PREFIX + run);
    return found == null ? null : Json.read(found.value(), SuspectNote.class);
  }

  /** What the quarantine knows of a run that is in it. */
  QuarantineState stateOf(Run run) {
    KvEntry found = parts.store().kv(TENANT, QUARANTINED + run.number());
    return found == null
        ? QuarantineState.of(run)
        : Json.read(found.value(), QuarantineState.class);
  }

  /** The change that notes what the quarantine knows of this run. */
  Change keep(long run, QuarantineState state) {
    return request(QUARANTINED + run, KvAction.PUT, Json.write(state));
  }

  /** The changes that end all notes of the run. */
  List<Change> deleteAll(long run) {
    return List.of(delete(run), request(QUARANTINED + run, KvAction.DELETE, null));
  }

  /** All notes, by run. */
  Map<Long, SuspectNote> all() {
    Map<Long, SuspectNote> notes = new HashMap<>();
    String after = null;
    while (true) {
      var filter = new KvFilter(TENANT, PREFIX, after, parts.clock().now(), PAGE);
      List<KvEntry> page = parts.store().kv(filter);
      for (KvEntry entry : page) {
        notes.put(
            Long.valueOf(entry.key().substring(PREFIX.length())),
            Json.read(entry.value(), SuspectNote.class));
      }
      if (page.size() < PAGE) {
        return notes;
      }
      after = page.getLast().key();
    }
  }

  /** Makes these notes durable; of {@link SuspectNote#CLOSED} too. */
  void write(Map<Long, SuspectNote> notes) {
    List<Change> changes = new ArrayList<>();
    notes.forEach((run, note) -> changes.add(put(run, note)));
    List<Committer.Ticket> tickets = new ArrayList<>();
    for (int from = 0; from < changes.size(); from += IN_A_GROUP) {
      tickets.add(submit(changes.subList(from, Math.min(changes.size(), from + IN_A_GROUP))));
    }
    tickets.forEach(ticket -> ticket.await().unconditional("a note about a run"));
  }

  /** Hands the note over without waiting; what is handed over later lands later. */
  void writeSoon(long run, SuspectNote note) {
    submit(List.of(put(run, note)));
  }

  /** Hands the end of the note over without waiting. */
  void removeSoon(long run) {
    submit(List.of(delete(run)));
  }

  /** Hands the end of all notes of the run over without waiting. */
  void removeAllSoon(long run) {
    submit(deleteAll(run));
  }

  private Change put(long run, SuspectNote note) {
    return request(PREFIX + run, KvAction.PUT, Json.write(note));
  }

  /** The change that ends the note of a suspect. */
  Change delete(long run) {
    return request(PREFIX + run, KvAction.DELETE, null);
  }

  private Change request(String key, KvAction action, @Nullable String value) {
    return new Change.Kv(new KvRequest(parts.ids().next(), TENANT, key, action, value, 0, null));
  }

  private Committer.Ticket submit(List<Change> changes) {
    return parts
        .committer()
        .submit(Group.always(parts.ids().next(), parts.clock().now(), List.copyOf(changes)));
  }
}
