package dev.hapax.store.jdbc;

import dev.hapax.run.value.ResourcePart;
import dev.hapax.run.value.ResourceRef;
import dev.hapax.store.Change;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The writer's statements on {@code resource} and the tables that belong to it. Very few texts name
 * a resource, and very few stores have one; without any, the database is not asked.
 */
final class ResourceRows {
  private static final String PUT =
      """
      INSERT INTO resource (number, tenant, hash, content_type, size, whole, referenced, kept_until)
      VALUES (:number, :tenant, :hash, :content_type, :size, 0, 0, :kept_until)
      ON CONFLICT (tenant, hash) DO UPDATE SET kept_until =
        CASE WHEN resource.kept_until > excluded.kept_until THEN resource.kept_until ELSE excluded.kept_until END
      RETURNING number, whole
      """;

  private static final String PUT_PART =
      """
      INSERT INTO resource_part (resource, part, bytes) VALUES (:resource, :part, :bytes)
      ON CONFLICT (resource, part) DO NOTHING
      """;

  private static final String COMPLETE =
      """
      UPDATE resource SET whole = 1
      WHERE number = :resource AND (SELECT count(*) FROM resource_part WHERE resource = :resource) = :parts
      """;

  private static final String REFER =
      "INSERT INTO resource_ref (subject, resource) VALUES (:subject, :resource) ON CONFLICT DO NOTHING";

  private static final String UNREFERENCED =
      """
      UPDATE resource SET referenced = 0
      WHERE number = :resource AND NOT EXISTS (SELECT 1 FROM resource_ref WHERE resource = :resource)
      """;

  private static final String NEXT_TO_COLLECT =
      "SELECT number FROM resource WHERE referenced = 0 AND kept_until <= :at ORDER BY kept_until, number LIMIT 1";

  private static final String DELETE_PARTS =
      """
      DELETE FROM resource_part WHERE resource = :resource AND part IN
        (SELECT part FROM resource_part WHERE resource = :resource ORDER BY part LIMIT :most)
      """;

  private static final String DELETE_IF_EMPTY =
      """
      DELETE FROM resource
      WHERE number = :resource AND NOT EXISTS (SELECT 1 FROM resource_part WHERE resource = :resource)
      """;

  private final Prepared put;
  private final Prepared putPart;
  private final Prepared complete;
  private final Prepared find;
  private final Prepared tenant;
  private final Prepared refer;
  private final Prepared referenced;
  private final Prepared drop;
  private final Prepared unreferenced;
  private final Prepared notKept;
  private final Prepared any;
  private final Prepared nextToCollect;
  private final Prepared deleteParts;
  private final Prepared broken;
  private final Prepared deleteIfEmpty;
  private boolean someRefer;

  ResourceRows(Session session) throws SQLException {
    this.put = session.prepare(PUT);
    this.putPart = session.prepare(PUT_PART);
    this.complete = session.prepare(COMPLETE);
    this.find =
        session.prepare("SELECT number FROM resource WHERE tenant = :tenant AND hash = :hash");
    this.tenant = session.prepare("SELECT tenant FROM run WHERE number = :run");
    this.refer = session.prepare(REFER);
    this.referenced =
        session.prepare("UPDATE resource SET referenced = 1 WHERE number = :resource");
    this.drop =
        session.prepare("DELETE FROM resource_ref WHERE subject = :subject RETURNING resource");
    this.unreferenced = session.prepare(UNREFERENCED);
    this.notKept =
        session.prepare(
            "UPDATE resource SET kept_until = :at WHERE number = :resource AND referenced = 0");
    this.any = session.prepare("SELECT EXISTS (SELECT 1 FROM resource_ref)");
    this.nextToCollect = session.prepare(NEXT_TO_COLLECT);
    this.deleteParts = session.prepare(DELETE_PARTS);
    this.broken = session.prepare("UPDATE resource SET whole = 0 WHERE number = :resource");
    this.deleteIfEmpty = session.prepare(DELETE_IF_EMPTY);
    this.someRefer =
        session.dialect().isShared() || Boolean.TRUE.equals(any.first(row -> row.flag(1)));
  }

  void put(ResourcePart part, Instant at) throws SQLException {
    var row =
        put.with(part.number())
            .with(part.tenant())
            .with(part.ref().bytes())
            .with(part.contentType())
            .with(part.size())
            .with(at.plus(ResourcePart.GRACE))
            .first(found -> new Stored(found.number(1), found.flag(2)));
    if (row != null && !row.whole()) {
      putPart.with(row.number()).with(part.index()).with(part.bytes()).update();
      complete.with(row.number()).with(ResourcePart.count(part.size())).update();
    }
    collect(Change.StoreResource.COLLECTED_BY_THE_WAY, at);
  }

  /** Records the resources that a row of the run's tenant refers to in this text. */
  void refer(long subject, long run, @Nullable String text) throws SQLException {
    for (ResourceRef ref : ResourceRef.in(text)) {
      String owner = tenant.with(run).first(row -> row.text(1));
      if (owner != null) {
        refer(subject, owner, ref);
      }
    }
  }

  /** As above, for a row that itself has a tenant. */
  void refer(long subject, String owner, String text) throws SQLException {
    for (ResourceRef ref : ResourceRef.in(text)) {
      refer(subject, owner, ref);
    }
  }

  private void refer(long subject, String owner, ResourceRef ref) throws SQLException {
    Long resource = find.with(owner).with(ref.bytes()).first(row -> row.number(1));
    if (resource != null) {
      someRefer = true;
      refer.with(subject).with(resource).update();
      referenced.with(resource).update();
    }
  }

  /** Drops the references of the row with this number, which is deleted. */
  void drop(long subject) throws SQLException {
    if (someRefer) {
      for (long resource : drop.with(subject).all(row -> row.number(1))) {
        unreferenced.with(resource).update();
      }
    }
  }

  /** As above, for values that were erased: those that nothing else refers to need not be kept. */
  void erase(long subject, Instant at) throws SQLException {
    if (someRefer) {
      for (long resource : drop.with(subject).all(row -> row.number(1))) {
        unreferenced.with(resource).update();
        notKept.with(at).with(resource).update();
      }
    }
  }

  /** Deletes up to this many parts of resources without references. */
  void collect(int mostParts, Instant at) throws SQLException {
    for (int rest = mostParts; rest > 0; ) {
      Long resource = nextToCollect.with(at).first(row -> row.number(1));
      if (resource == null) {
        return;
      }
      rest -= Math.max(1, deleteParts.with(resource).with(rest).update());
      if (deleteIfEmpty.with(resource).update() == 0) {
        broken.with(resource).update();
      }
    }
  }

  void rolledBack() {
    someRefer = true;
  }

  private record Stored(long number, boolean whole) {}
}
