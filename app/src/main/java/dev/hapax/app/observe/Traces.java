package dev.hapax.app.observe;

import dev.hapax.app.http.Request;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.RouteAnswer;
import dev.hapax.flow.Interceptor;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunId;
import dev.hapax.flow.RunStatus;
import dev.hapax.flows.step.ModelCall;
import dev.hapax.store.Batch;
import dev.hapax.store.GroupAnswer;
import dev.hapax.time.Threads;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Exports traces of runs and requests to an OpenTelemetry collector. A run's trace has the sixteen
 * bytes of its id, so every process that continues the run uses the same trace without storing
 * anything. Spans name flows, steps and effects; never a key, a value or a message.
 */
public final class Traces implements Interceptor, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Traces.class);
  private static final String RUNS = "/api/runs/";
  private static final Duration LAST_WORDS = Duration.ofSeconds(5);

  /** The span of the attempt that this thread makes. */
  private static final ScopedValue<Span> CURRENT = ScopedValue.newInstance();

  private final SdkTracerProvider provider;
  private final Tracer tracer;
  private final Threads threads;
  private final ConcurrentMap<String, Span> stays = new ConcurrentHashMap<>();
  private volatile LongFunction<@Nullable Run> runs = _ -> null;

  /**
   * The destination of spans.
   *
   * @param collector the address that takes spans as OTLP over HTTP
   * @param headers that each request to it has, for example a credential
   * @param share how many of all traces are exported, from 0 to 1
   */
  public record Target(URI collector, Map<String, String> headers, double share, Duration every) {
    public Target {
      headers = Map.copyOf(headers);
    }
  }

  public Traces(Target target, String version, Threads threads) {
    var exporter = OtlpHttpSpanExporter.builder().setEndpoint(target.collector().toString());
    target.headers().forEach(exporter::addHeader);
    this.provider =
        SdkTracerProvider.builder()
            .setResource(
                Resource.create(
                    Attributes.builder()
                        .put("service.name", "hapax")
                        .put("service.version", version)
                        .build()))
            .setIdGenerator(new RunIds())
            .setSampler(Sampler.traceIdRatioBased(target.share()))
            .addSpanProcessor(
                BatchSpanProcessor.builder(exporter.build())
                    .setScheduleDelay(target.every())
                    .build())
            .build();
    this.tracer = provider.get("dev.hapax", version);
    this.threads = threads;
  }

  /** Sets the source for reading a run once it has ended. */
  public void runsFrom(LongFunction<@Nullable Run> source) {
    runs = source;
  }

  // ---- runs

  @Override
  public void stay(Stay stay, Runnable code) {
    Span around = stays.get(stay.run());
    Span span =
        tracer
            .spanBuilder(stay.isBeside() ? "branch" : "stay")
            .setParent(stay.isBeside() && around != null ? inside(around) : ofRun(stay.run()))
            .setAttribute("hapax.tenant", stay.tenant())
            .setAttribute("hapax.run", stay.run())
            .setAttribute("hapax.flow", stay.flow())
            .startSpan();
    if (!stay.isBeside()) {
      stays.put(stay.run(), span);
    }
    try {
      code.run();
    } finally {
      span.end();
      if (!stay.isBeside()) {
        stays.remove(stay.run(), span);
      }
    }
  }

  @Override
  public <T> T work(Work work, Callable<T> code) throws Exception {
    String name = (work.isLookup() ? "look up " : "step ") + work.step();
    return around(stepOf(name, work.run(), work.flow(), work.step()), code);
  }

  @Override
  public String send(Sending sending, Answering sender) throws Exception {
    SpanBuilder span =
        stepOf("effect " + sending.effect(), sending.run(), sending.flow(), sending.step())
            .setSpanKind(SpanKind.CLIENT)
            .setAttribute("hapax.effect", sending.effect())
            .setAttribute("hapax.guard", sending.guard())
            .setAttribute("hapax.attempt", sending.attempt());
    return around(span, sender::send);
  }

  private SpanBuilder stepOf(String name, String run, String flow, String step) {
    Span stay = stays.get(run);
    return tracer
        .spanBuilder(name)
        .setParent(stay == null ? ofRun(run) : inside(stay))
        .setAttribute("hapax.run", run)
        .setAttribute("hapax.flow", flow)
        .setAttribute("hapax.step", step);
  }

  /** Names an exception by its class only: its message may hold what was sent. */
  private static <T> T around(SpanBuilder builder, Callable<T> code) throws Exception {
    Span span = builder.startSpan();
    try {
      return ScopedValue.where(CURRENT, span).call(code::call);
    } catch (Exception | Error e) {
      span.setStatus(StatusCode.ERROR).setAttribute("error.type", e.getClass().getName());
      throw e;
    } finally {
      span.end();
    }
  }

  /** Describes the attempt of this thread as a call of a model, without prompt and answer. */
  public void modelCalled(ModelCall call) {
    if (!CURRENT.isBound()) {
      return;
    }
    Span span =
        CURRENT
            .get()
            .setAttribute("gen_ai.operation.name", "chat")
            .setAttribute("gen_ai.provider.name", call.dialect().word())
            .setAttribute("gen_ai.request.model", call.model())
            .setAttribute("hapax.model.outcome", call.outcome());
    if (call.answeredBy() != null) {
      span.setAttribute("gen_ai.response.model", call.answeredBy());
    }
    if (call.finish() != null) {
      span.setAttribute(
          AttributeKey.stringArrayKey("gen_ai.response.finish_reasons"), List.of(call.finish()));
    }
    if (call.tokens() != null) {
      span.setAttribute("gen_ai.usage.input_tokens", call.tokens().input());
      span.setAttribute("gen_ai.usage.output_tokens", call.tokens().output());
    }
    if (call.cost() != null) {
      span.setAttribute("hapax.model.cost", call.cost().doubleValue());
    }
  }

  /** Exports the span of a whole run, from its first moment to its last, when it has ended. */
  public void committed(Batch batch, List<GroupAnswer> answers) {
    RunChange.in(
        batch,
        answers,
        change -> {
          RunStatus status = change.status();
          if (status != null && status.isEnd()) {
            threads.virtual("hapax-trace", () -> ended(change.number()));
          }
        });
  }

  private void ended(long number) {
    try {
      Run run = runs.apply(number);
      Instant end = run == null ? null : run.endedAt();
      if (run != null && end != null) {
        tell(run, end);
      }
    } catch (RuntimeException e) { // the store is closed: the trace lacks this one
      log.debug("the end of run {} could not be sent to the collector", number, e);
    }
  }

  private void tell(Run run, Instant end) {
    SpanBuilder span =
        tracer
            .spanBuilder("run " + run.flow())
            .setNoParent()
            .setStartTimestamp(run.createdAt())
            .setAttribute("hapax.tenant", run.tenant())
            .setAttribute("hapax.run", run.id().toString())
            .setAttribute("hapax.flow", run.flow())
            .setAttribute("hapax.release", run.release())
            .setAttribute("hapax.status", run.status().word());
    Span whole = RunIds.startAs(run.id(), span);
    if (run.status() == RunStatus.FAILED) {
      whole.setStatus(StatusCode.ERROR);
    }
    whole.end(end);
  }

  private static Context inside(Span span) {
    return Context.root().with(span);
  }

  private static Context ofRun(String run) {
    return inside(Span.wrap(contextOf(RunId.parse(run))));
  }

  private static SpanContext contextOf(RunId run) {
    return SpanContext.createFromRemoteParent(
        RunIds.traceOf(run), RunIds.spanOf(run), TraceFlags.getSampled(), TraceState.getDefault());
  }

  // ---- requests

  /** Puts a request into its caller's trace, if it names one, and links the run that it started. */
  public RouteAnswer around(Route route, Request request, Supplier<RouteAnswer> handling) {
    Context caller =
        W3CTraceContextPropagator.getInstance().extract(Context.root(), request, Headers.OF);
    Span span =
        tracer
            .spanBuilder(route.method().name() + " " + route.path())
            .setParent(caller)
            .setSpanKind(SpanKind.SERVER)
            .setAttribute("http.request.method", route.method().name())
            .setAttribute("http.route", route.path())
            .startSpan();
    try {
      RouteAnswer answer = handling.get();
      span.setAttribute("http.response.status_code", answer.status());
      if (answer.status() >= 500) {
        span.setStatus(StatusCode.ERROR);
      }
      String place = answer.headers().get("Location");
      if (place != null && place.startsWith(RUNS)) {
        span.addLink(contextOf(RunId.parse(place.substring(RUNS.length()))));
      }
      return answer;
    } finally {
      span.end();
    }
  }

  private enum Headers implements TextMapGetter<Request> {
    OF;

    @Override
    public Iterable<String> keys(Request carrier) {
      return Set.of("traceparent", "tracestate");
    }

    @Override
    public @Nullable String get(@Nullable Request carrier, String key) {
      return carrier == null ? null : carrier.header(key);
    }
  }

  /** Sends the remaining spans, for a moment. */
  @Override
  public void close() {
    if (!provider.shutdown().join(LAST_WORDS.toSeconds(), TimeUnit.SECONDS).isSuccess()) {
      log.warn("the collector did not accept the last spans in time; they are lost");
    }
  }
}
