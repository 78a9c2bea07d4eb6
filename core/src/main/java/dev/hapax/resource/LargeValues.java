package dev.hapax.resource;

import dev.hapax.flow.Resource;
import dev.hapax.flow.ResourceNotFound;
import dev.hapax.flow.StoreUnavailable;
import dev.hapax.json.NotSerializable;
import dev.hapax.json.Text;
import dev.hapax.run.value.ResourcePart;
import dev.hapax.run.value.ResourceRecord;
import dev.hapax.run.value.ResourceRef;
import dev.hapax.store.Change;
import dev.hapax.store.Committer;
import dev.hapax.store.Group;
import dev.hapax.store.Store;
import dev.hapax.time.Clock;
import dev.hapax.time.IdSource;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Keeps large values out of the rows that are read often. A value that is too large for a journal,
 * a ledger or a run goes into a resource, and the row holds the reference. Safe for many threads.
 */
public final class LargeValues {
  /** JSON above this goes into a resource. */
  private static final int LARGEST_INLINE = 64 << 10;

  private static final String JSON = "application/json";
  private static final Pattern CONTENT_TYPE = Pattern.compile("[!-~]+/[!-~][ -~]*");
  private static final int LONGEST_CONTENT_TYPE = 200;

  /**
   * A part is lost only if storing the next one took a day. A caller that slow may be slow again.
   */
  private static final int MOST_TRIES = 3;

  private final Store store;
  private final Committer committer;
  private final Clock clock;
  private final IdSource ids;
  private final BooleanSupplier patience;

  /**
   * @param patience waits a moment for a store that could not answer; false to give up
   */
  public LargeValues(
      Store store, Committer committer, Clock clock, IdSource ids, BooleanSupplier patience) {
    this.patience = patience;
    this.store = store;
    this.committer = committer;
    this.clock = clock;
    this.ids = ids;
  }

  /**
   * Returns what to store for this JSON text: the text itself, or a reference to it.
   *
   * @param changes gets the changes that belong in the same commit as the reference
   */
  public String keep(String tenant, String json, Consumer<Change> changes) {
    if (!Text.isLonger(json, LARGEST_INLINE)) {
      return json;
    }
    byte[] content = json.getBytes(StandardCharsets.UTF_8);
    return put(tenant, content, JSON, changes).toString();
  }

  /** Returns the JSON text that a stored text is or refers to. */
  public String valueOf(String tenant, String stored) {
    if (!ResourceRef.isRef(stored)) {
      return stored;
    }
    return get(tenant, ResourceRef.parse(stored)).text();
  }

  /**
   * Stores a value. A small value is written in the commit that refers to it. A large value is
   * durable when this returns. It is written in parts, so that other commits do not wait for all of
   * it. Its grace period keeps it until something refers to it.
   */
  public ResourceRef put(
      String tenant, byte[] content, String contentType, Consumer<Change> changes) {
    refuseBad(content, contentType);
    ResourceRef ref = ResourceRef.to(content);
    if (content.length <= ResourcePart.LARGEST) {
      changes.accept(part(tenant, ref, contentType, content, 0));
    } else {
      putInParts(
          tenant, ref, content.length, index -> part(tenant, ref, contentType, content, index));
    }
    return ref;
  }

  /**
   * Stores a value from a stream. At most one part of it is in memory at a time. The value is
   * durable when this returns, and its grace period keeps it until something refers to it.
   */
  public ResourceRef put(String tenant, InputStream content, String contentType)
      throws IOException {
    refuseBadType(contentType);
    try (Spool spool = Spool.of(content)) {
      putInParts(
          tenant,
          spool.ref(),
          spool.size(),
          index ->
              new Change.StoreResource(
                  new ResourcePart(
                      ids.next(),
                      tenant,
                      spool.ref(),
                      contentType,
                      spool.size(),
                      index,
                      spool.part(index))));
      return spool.ref();
    }
  }

  /** A part of a value, read when it is needed. */
  @FunctionalInterface
  private interface Parts<E extends Exception> {
    Change at(int index) throws E;
  }

  public Resource get(String tenant, ResourceRef ref) {
    Resource found = find(tenant, ref);
    if (found == null) {
      throw new ResourceNotFound(ref.toString());
    }
    return found;
  }

  /** Returns null if there is no such resource. */
  public @Nullable Resource find(String tenant, ResourceRef ref) {
    ResourceRecord row = store.resource(tenant, ref);
    byte[] content = row == null ? null : store.content(row.number());
    if (row == null || content == null) {
      return null;
    }
    if (!ResourceRef.to(content).equals(ref)) {
      throw new IllegalStateException(
          "%s is damaged: its %d bytes have another hash. Restore the last backup."
              .formatted(ref, content.length));
    }
    return new Resource(ref.toString(), row.contentType(), content);
  }

  private static void refuseBad(byte[] content, String contentType) {
    if (content.length > ResourceRecord.LARGEST) {
      throw new NotSerializable(
          "a value of %,d bytes is too large, at most %,d are stored. Store it elsewhere and pass a reference."
              .formatted(content.length, ResourceRecord.LARGEST));
    }
    refuseBadType(contentType);
  }

  private static void refuseBadType(String contentType) {
    if (contentType.length() > LONGEST_CONTENT_TYPE
        || !CONTENT_TYPE.matcher(contentType).matches()) {
      throw new IllegalArgumentException(
          "content type: expected a type like 'application/pdf' of at most %d characters, got '%s'"
              .formatted(LONGEST_CONTENT_TYPE, Text.storable(contentType)));
    }
  }

  private <E extends Exception> void putInParts(
      String tenant, ResourceRef ref, int size, Parts<E> parts) throws E {
    for (int tries = 0; tries < MOST_TRIES; tries++) {
      for (int index = 0; index < ResourcePart.count(size); index++) {
        commit(parts.at(index));
        if (index == 0 && isHere(tenant, ref)) {
          return; // it was stored before, and is kept again from now on
        }
      }
      if (isHere(tenant, ref)) {
        return;
      }
    }
    throw new IllegalStateException(
        "parts of %s were collected while others were stored, %d times".formatted(ref, MOST_TRIES));
  }

  /**
   * Asks until the store answers. The value may be the answer of an effect, which exists nowhere
   * else, so an unavailable store is no reason to give it up.
   */
  private boolean isHere(String tenant, ResourceRef ref) {
    while (true) {
      try {
        return store.resource(tenant, ref) != null;
      } catch (StoreUnavailable e) {
        if (!patience.getAsBoolean()) {
          throw e;
        }
      }
    }
  }

  public void commit(Change change) {
    var group = Group.always(ids.next(), clock.now(), List.of(change));
    committer.commit(group).unconditional("this resource");
  }

  private Change part(
      String tenant, ResourceRef ref, String contentType, byte[] content, int index) {
    return new Change.StoreResource(
        ResourcePart.of(ids.next(), tenant, ref, contentType, content, index));
  }
}
