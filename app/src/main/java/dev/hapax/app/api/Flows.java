package dev.hapax.app.api;

import org.jspecify.annotations.Nullable;

/** Which flows can be started, by tenant and name. */
public interface Flows {
  /** The live release; null if there is none. */
  @Nullable Startable find(String tenant, String flow);

  /** The draft, whose runs send nothing; a problem if there is none, or if it has errors. */
  Startable draft(String tenant, String flow);

  /** A certain release; null if it is not known. */
  @Nullable Startable find(String tenant, String flow, int release);
}
