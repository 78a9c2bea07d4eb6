package dev.hapax.app.observe;

import dev.hapax.flow.RunId;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.TraceId;
import io.opentelemetry.sdk.trace.IdGenerator;
import org.jspecify.annotations.Nullable;

/** Ids of spans: random ones, except that of a whole run, which can be computed from the run. */
final class RunIds implements IdGenerator {
  private static final ThreadLocal<@Nullable RunId> WHOLE = new ThreadLocal<>();

  private final IdGenerator others = IdGenerator.random();

  /** Starts the span of a whole run. */
  static Span startAs(RunId run, SpanBuilder span) {
    WHOLE.set(run);
    try {
      return span.startSpan();
    } finally {
      WHOLE.remove();
    }
  }

  /** The trace of a run has the bytes of its id. */
  static String traceOf(RunId run) {
    return TraceId.fromLongs(run.high(), run.low());
  }

  static String spanOf(RunId run) {
    return SpanId.fromLong(run.high() ^ run.low());
  }

  @Override
  public String generateTraceId() {
    RunId run = WHOLE.get();
    return run == null ? others.generateTraceId() : traceOf(run);
  }

  @Override
  public String generateSpanId() {
    RunId run = WHOLE.get();
    return run == null ? others.generateSpanId() : spanOf(run);
  }
}
