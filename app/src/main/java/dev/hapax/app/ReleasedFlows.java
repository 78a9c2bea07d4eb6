package dev.hapax.app;

import dev.hapax.app.api.Startable;
import dev.hapax.app.api.StartableFlows;
import dev.hapax.app.http.Problem;
import dev.hapax.app.release.FlowName;
import dev.hapax.app.release.LiveFlows;
import dev.hapax.app.release.Releases;
import dev.hapax.flow.Flow;
import dev.hapax.flows.LoadedFlow;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The releases of flow files and the program's flows in Java, as the API starts them. */
final class ReleasedFlows implements StartableFlows {
  private final LiveFlows live;
  private final Releases releases;
  private final List<Flow<?, ?>> inJava;

  ReleasedFlows(LiveFlows live, Releases releases, List<Flow<?, ?>> inJava) {
    this.live = live;
    this.releases = releases;
    this.inJava = inJava;
  }

  /** For a flow in Java, finds the newest release that the program has. */
  @Override
  public @Nullable Startable find(String tenant, String flow) {
    Flow<?, ?> java = newest(inJava, flow);
    return java != null ? Startable.of(java) : startable(live.find(tenant, flow));
  }

  @Override
  public @Nullable Startable lastLive(String tenant, String flow) {
    Flow<?, ?> java = newest(inJava, flow);
    return java != null ? Startable.of(java) : startable(live.lastLive(tenant, flow));
  }

  @Override
  public @Nullable Problem whyRetired(String tenant, String flow) {
    return releases.whyRetired(new FlowName(tenant, flow));
  }

  /** Returns the newest release of a flow in Java; null if it is none of these. */
  static @Nullable Flow<?, ?> newest(List<Flow<?, ?>> inJava, String flow) {
    return inJava.stream()
        .filter(one -> one.name().equals(flow))
        .max(Comparator.comparingInt(Flow::release))
        .orElse(null);
  }

  @Override
  public Startable draft(String tenant, String flow) {
    return Startable.of(releases.runnableDraft(new FlowName(tenant, flow)));
  }

  @Override
  public @Nullable Startable find(String tenant, String flow, int release) {
    Flow<?, ?> java =
        inJava.stream()
            .filter(one -> one.name().equals(flow) && one.release() == release)
            .findFirst()
            .orElse(null);
    return java != null ? Startable.of(java) : startable(live.release(tenant, flow, release));
  }

  @Override
  public Set<String> labelled(String tenant, String label) {
    return releases.labelled(tenant, label);
  }

  @Override
  public List<String> beginningWith(String tenant, String beginning, int most) {
    var names = new TreeSet<String>(releases.beginningWith(tenant, beginning, most));
    inJava.stream().map(Flow::name).filter(name -> name.startsWith(beginning)).forEach(names::add);
    return names.stream().limit(most).toList();
  }

  @Override
  public @Nullable String readerOf(String tenant, String effect) {
    int step = effect.lastIndexOf('/');
    LoadedFlow found = step <= 0 ? null : live.find(tenant, effect.substring(0, step));
    return found == null ? null : found.file().readerOf(effect.substring(step + 1));
  }

  private static @Nullable Startable startable(@Nullable LoadedFlow found) {
    return found == null ? null : Startable.of(found);
  }
}
