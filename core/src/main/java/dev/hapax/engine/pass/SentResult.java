package dev.hapax.engine.pass;

import dev.hapax.flow.TypeToken;
import dev.hapax.json.RawType;
import org.jspecify.annotations.Nullable;

/**
 * Whether the result of an effect that was just sent fits its declared type. This is known only
 * after the effect has happened, so a problem is noted and not thrown. One per effect; attempts
 * have their own threads.
 */
final class SentResult<T extends @Nullable Object> {
  /** Of effects without a result. */
  static final SentResult<Object> NONE = new SentResult<>(TypeToken.of(Object.class));

  private final TypeToken<T> type;
  private volatile @Nullable RawType lost;

  SentResult(TypeToken<T> type) {
    this.type = type;
  }

  TypeToken<T> type() {
    return type;
  }

  <V extends T> V of(V value) {
    lost = RawType.lost(type.type(), value);
    return value;
  }

  /** Why it would not be read back unchanged; null if it would. */
  @Nullable String lost() {
    RawType found = lost;
    return found == null ? null : found.inStep();
  }
}
