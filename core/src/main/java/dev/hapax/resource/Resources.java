package dev.hapax.resource;

import dev.hapax.flow.Resource;
import dev.hapax.run.ResourceRef;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * Large values of a tenant, from outside of runs. What nothing refers to is collected after a day:
 * start a run with the reference in its input, or put it into the durable map. Safe for many
 * threads.
 */
public final class Resources {
  private final LargeValues values;
  private final String tenant;

  public Resources(LargeValues values, String tenant) {
    this.values = values;
    this.tenant = tenant;
  }

  /**
   * Stores the bytes, once however often they are put, and returns their reference; durable when
   * this returns. The content type is that of the first put.
   */
  public String put(byte[] content, String contentType) {
    return values.put(tenant, content.clone(), contentType, values::commit).toString();
  }

  /**
   * The same for a value that comes as a stream: at no time more than a megabyte of it is in
   * memory. The stream is read to its end and not closed.
   */
  public String put(InputStream content, String contentType) throws IOException {
    return values.put(tenant, content, contentType).toString();
  }

  /** The value; throws {@link dev.hapax.flow.ResourceNotFound} if there is none. */
  public Resource get(String ref) {
    return values.get(tenant, ResourceRef.parse(ref));
  }

  /** The value; null if there is none. */
  public @Nullable Resource find(String ref) {
    return values.find(tenant, ResourceRef.parse(ref));
  }
}
