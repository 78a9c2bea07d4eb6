package dev.hapax;

import dev.hapax.flow.Resource;
import dev.hapax.resource.LargeValues;
import dev.hapax.run.value.ResourceRef;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * Large values of a tenant, for use outside runs. A value without references is deleted after a
 * day: start a run with the reference in its input, or put the reference into the durable map. Safe
 * for many threads.
 */
public final class Resources {
  private final LargeValues values;
  private final String tenant;

  Resources(LargeValues values, String tenant) {
    this.values = values;
    this.tenant = tenant;
  }

  /**
   * Stores the bytes and returns their reference. They are durable when this returns. Equal bytes
   * are stored once, with the content type of the first call.
   */
  public String put(byte[] content, String contentType) {
    return values.put(tenant, content.clone(), contentType, values::commit).toString();
  }

  /**
   * As above, for a stream. At most a megabyte of it is in memory at a time. The stream is read to
   * its end and not closed.
   */
  public String put(InputStream content, String contentType) throws IOException {
    return values.put(tenant, content, contentType).toString();
  }

  /** Returns the value; throws {@link dev.hapax.flow.ResourceNotFound} if there is none. */
  public Resource get(String ref) {
    return values.get(tenant, ResourceRef.parse(ref));
  }

  /** Returns the value; null if there is none. */
  public @Nullable Resource find(String ref) {
    return values.find(tenant, ResourceRef.parse(ref));
  }
}
