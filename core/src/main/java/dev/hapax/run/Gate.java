package dev.hapax.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.hapax.flow.Concurrency;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Line;
import dev.hapax.flow.Names;
import dev.hapax.flow.Overflow;
import dev.hapax.flow.Subject;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The concurrency limit that a run passes, according to its release. Stored with the run as JSON,
 * so that a retry passes the same one.
 *
 * @param key counted per value of this; null: over the whole flow
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Gate(@Nullable String key, int limit, Overflow overflow) {

  /** Returns the flow's limit for this input; null if it has none. */
  public static <I> @Nullable Gate of(Flow<I, ?> flow, I input) {
    Concurrency<I> limit = flow.concurrency();
    if (limit == null) {
      return null;
    }
    Function<I, @Nullable String> by = limit.key();
    if (by == null) {
      return new Gate(null, limit.limit(), limit.overflow());
    }
    String key = by.apply(input);
    String what = "the concurrency limit of flow '" + flow.name() + "'";
    if (key == null) {
      throw new IllegalArgumentException("key of " + what + ": expected a text, got null");
    }
    return new Gate(Names.key(what, key), limit.limit(), limit.overflow());
  }

  /** The line before the gate; the newest release that has reached it sets the limit. */
  public Line lineOf(String tenant, String flow, int release) {
    return new Line(Subject.gate(tenant, flow, key), tenant, flow, key, limit, release);
  }

  public String told() {
    String per = key == null ? "" : " for '" + key + "'";
    return "%d at once%s".formatted(limit, per);
  }
}
