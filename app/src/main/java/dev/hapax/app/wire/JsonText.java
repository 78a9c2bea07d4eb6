package dev.hapax.app.wire;

import dev.hapax.json.Json;
import dev.hapax.run.value.ResourceRef;
import org.jspecify.annotations.Nullable;

/** Stored JSON text as a part of an answer. */
public final class JsonText {
  private JsonText() {}

  /** Returns the text as JSON; a large value that is stored elsewhere is given as its reference. */
  public static @Nullable String raw(@Nullable String stored) {
    return stored != null && ResourceRef.isRef(stored) ? Json.write(stored) : stored;
  }
}
