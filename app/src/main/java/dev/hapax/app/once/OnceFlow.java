package dev.hapax.app.once;

import dev.hapax.Hapax;
import dev.hapax.flow.Flow;
import dev.hapax.flow.FlowSource;
import dev.hapax.flow.RunContext;
import dev.hapax.flows.FlowFiles;
import dev.hapax.flows.LoadedFlow;
import dev.hapax.flows.check.Check;
import dev.hapax.flows.check.Finding;
import dev.hapax.flows.check.Level;
import dev.hapax.flows.step.FlowFormat;
import dev.hapax.run.StoredMessage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The flow of effects without a flow. The input of a run is a {@link OnceRequest}; the body
 * compiles it as a flow file of one step, and lets the interpreter carry that out. So there is one
 * engine, and one set of rules. Its release is the format of flow files in which the run was
 * started. Safe for many threads.
 */
public final class OnceFlow implements FlowSource {
  /** No flow file can have this name. */
  public static final String NAME = "hapax.once";

  /** Definitions of calls that differ only in key and body are the same. */
  private static final int MOST_KEPT = 256;

  private static final int LONGEST_KEPT = 16_384;

  private final Function<String, Hapax> tenants;
  private final Function<String, FlowFiles> files;
  private final FlowSource others;
  private final Compiling compiling;
  private final ConcurrentMap<OfTenant, Flow<Object, Object>> flows = new ConcurrentHashMap<>();
  private final ConcurrentMap<OfTenant, Boolean> registered = new ConcurrentHashMap<>();
  private final Map<Definition, LoadedFlow> compiled = new Recent();

  private record OfTenant(String tenant, FlowFormat format) {}

  private record Definition(OfTenant owner, String text) {}

  /** The definitions that were used last. */
  private static final class Recent extends LinkedHashMap<Definition, LoadedFlow> {
    private static final long serialVersionUID = 1L;

    Recent() {
      super(16, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<Definition, LoadedFlow> eldest) {
      return size() > MOST_KEPT;
    }
  }

  /** Compiles on threads that answer no requests. */
  public interface Compiling {
    /** For a caller, who is asked to come back if too many wait. */
    <T> T checked(String tenant, String text, Supplier<T> work);

    /** For a run, which is never refused. */
    <T> T compiled(Supplier<T> work);

    /** On the caller's own thread, where none answers requests. */
    Compiling HERE =
        new Compiling() {
          @Override
          public <T> T checked(String tenant, String text, Supplier<T> work) {
            return work.get();
          }

          @Override
          public <T> T compiled(Supplier<T> work) {
            return work.get();
          }
        };
  }

  /**
   * The flow of all tenants.
   *
   * @param others has the code of all other flows
   */
  public OnceFlow(
      Function<String, Hapax> tenants,
      Function<String, FlowFiles> files,
      Compiling compiling,
      FlowSource others) {
    this.compiling = compiling;
    this.tenants = tenants;
    this.files = files;
    this.others = others;
  }

  /** Returns the flow for new runs of a tenant. */
  Flow<Object, Object> of(String tenant) {
    var owner = new OfTenant(tenant, FlowFormat.NEWEST);
    Flow<Object, Object> flow = flow(owner);
    var _ =
        registered.computeIfAbsent(
            owner,
            _ -> {
              tenants.apply(tenant).register(flow);
              return true;
            });
    return flow;
  }

  @Override
  public @Nullable Flow<?, ?> find(String tenant, String flow, int release) {
    if (flow.equals(NAME) && release <= FlowFormat.NEWEST.number()) {
      return flow(new OfTenant(tenant, FlowFormat.of(release)));
    }
    if (flow.startsWith(StoredMessage.FLOWS)) { // published before a restart, and not delivered
      files
          .apply(tenant)
          .openCourier(tenants.apply(tenant), flow.substring(StoredMessage.FLOWS.length()));
    }
    return others.find(tenant, flow, release);
  }

  private Flow<Object, Object> flow(OfTenant owner) {
    return flows.computeIfAbsent(
        owner,
        _ ->
            Flow.of(NAME, Object.class, Object.class)
                .release(owner.format().number())
                .key(input -> OnceRequest.recorded(input).runKey())
                .body((run, input) -> run(owner, run, input)));
  }

  private @Nullable Object run(OfTenant owner, RunContext run, Object input) throws Exception {
    String text = OnceRequest.recorded(input).definition();
    return loaded(new Definition(owner, text)).flow().body().run(run, input);
  }

  private LoadedFlow loaded(Definition definition) {
    synchronized (compiled) {
      LoadedFlow kept = compiled.get(definition);
      if (kept != null) {
        return kept;
      }
    }
    OfTenant owner = definition.owner();
    return compiling.compiled(
        () ->
            prepared(definition, Check.checkRelease("request", definition.text(), owner.format())));
  }

  private LoadedFlow prepared(Definition definition, Check.Result read) {
    OfTenant owner = definition.owner();
    FlowFiles ofTenant = files.apply(owner.tenant());
    LoadedFlow loaded = ofTenant.compile(read, owner.format());
    ofTenant.prepare(tenants.apply(owner.tenant()), loaded);
    if (definition.text().length() <= LONGEST_KEPT) {
      synchronized (compiled) {
        compiled.put(definition, loaded);
      }
    }
    return loaded;
  }

  /** Returns the errors of a request, as {@code check} and a release find them; empty if none. */
  List<Finding> errorsOf(String tenant, OnceRequest request) {
    var definition = new Definition(new OfTenant(tenant, FlowFormat.NEWEST), request.definition());
    LoadedFlow known;
    synchronized (compiled) {
      known = compiled.get(definition);
    }
    return known == null
        ? compiling.checked(tenant, definition.text(), () -> errorsOf(definition))
        : missing(definition, known);
  }

  private List<Finding> errorsOf(Definition definition) {
    Check.Result read = Check.check("request", definition.text());
    return read.hasErrors()
        ? read.findings().stream().filter(finding -> finding.level() == Level.ERROR).toList()
        : missing(definition, prepared(definition, read));
  }

  private List<Finding> missing(Definition definition, LoadedFlow flow) {
    return new ArrayList<>(
        files.apply(definition.owner().tenant()).missing(flow.file(), _ -> true));
  }
}
