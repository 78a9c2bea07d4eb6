package dev.hapax.engine;

import dev.hapax.json.RawType;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/**
 * What became of the result of an effect that was just sent. Its type may not tell what was
 * returned; that is known only now, when it has happened, so it is noted and not thrown. One per
 * effect; attempts are on threads of their own.
 */
final class SentResult {
  /** Of effects without a result. */
  static final SentResult NONE = new SentResult(Object.class);

  private final Type type;
  private volatile @Nullable RawType lost;

  SentResult(Type type) {
    this.type = type;
  }

  Type type() {
    return type;
  }

  <T extends @Nullable Object> T of(T value) {
    lost = RawType.lost(type, value);
    return value;
  }

  /** Why it would not be read back as it was; null if it would. */
  @Nullable String lost() {
    RawType found = lost;
    return found == null ? null : found.inStep();
  }
}
