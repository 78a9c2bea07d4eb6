package dev.hapax.flows.expression;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The values that an expression takes from the moment of its evaluation. A key never reaches them,
 * because every retry would be another intent.
 */
public interface Volatile {
  Instant now();

  /** From 0 (inclusive) to 1 (exclusive). */
  double random();

  String uuid();

  /** Returns the token and the address that answer the wait of this step. */
  Map<String, Object> callback(String step);

  /**
   * Returns the address of a link that decides the approval of this step.
   *
   * @param approver whom it is for; null for anyone
   */
  Map<String, Object> approval(String step, @Nullable String approver);

  /** For expressions that reach none of them. */
  Volatile NONE =
      new Volatile() {
        @Override
        public Instant now() {
          throw new IllegalStateException("now() is not known here");
        }

        @Override
        public double random() {
          throw new IllegalStateException("random() is not known here");
        }

        @Override
        public String uuid() {
          throw new IllegalStateException("uuid() is not known here");
        }

        @Override
        public Map<String, Object> callback(String step) {
          throw new IllegalStateException("callback() is not known here");
        }

        @Override
        public Map<String, Object> approval(String step, @Nullable String approver) {
          throw new IllegalStateException("approval() is not known here");
        }
      };
}
