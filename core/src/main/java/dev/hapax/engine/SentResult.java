package dev.hapax.engine;

import dev.hapax.flow.TypeToken;
import dev.hapax.json.RawType;
import org.jspecify.annotations.Nullable;

/**
 * What became of the result of an effect that was just sent. Its type may not tell what was
 * returned; that is known only now, when it has happened, so it is noted and not thrown. One per
 * effect; attempts are on threads of their own.
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

  /** Why it would not be read back as it was; null if it would. */
  @Nullable String lost() {
    RawType found = lost;
    return found == null ? null : found.inStep();
  }
}
