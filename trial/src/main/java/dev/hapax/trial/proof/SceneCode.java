package dev.hapax.trial.proof;

import dev.hapax.Hapax;
import dev.hapax.flows.FlowFiles;
import dev.hapax.flows.LoadedFlow;
import dev.hapax.flows.connection.Connections;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.FlowStep;
import dev.hapax.testkit.ManualTime;
import dev.hapax.trial.FlowFolder;
import dev.hapax.trial.sandbox.MadeUpConnections;
import dev.hapax.trial.sandbox.TrialSandbox;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** The code of a flow and its children, which is the same in each process of a run. */
final class SceneCode {
  /** In front of the token of a callback, in every address that a flow hands out. */
  static final String CALLBACKS = "http://127.0.0.1:8899/api/callbacks/";

  private final List<FlowFolder.Entry> flows;
  private final TrialSandbox sandbox;
  private final ManualTime time;
  private final Connections connections;
  private volatile Map<String, LoadedFlow> loaded = Map.of();

  SceneCode(
      List<FlowFolder.Entry> flows, Connections known, TrialSandbox sandbox, ManualTime time) {
    this.flows = flows;
    this.sandbox = sandbox;
    this.time = time;
    this.connections = new MadeUpConnections(known, files().toList());
  }

  private Stream<FlowFile> files() {
    return flows.stream().map(entry -> Objects.requireNonNull(entry.checked().file()));
  }

  /** The files were read and checked before; a process only makes flows of them. */
  void register(Hapax process) {
    FlowFiles.Builder builder =
        FlowFiles.with(time.ports())
            .connections(connections)
            .secrets(sandbox.secrets())
            .callbackUrl(CALLBACKS)
            .wayOut(sandbox);
    files()
        .flatMap(file -> file.allSteps().stream())
        .flatMap(SceneCode::handlersOf)
        .distinct()
        .forEach(name -> builder.handler(name, sandbox.handler(name)));
    FlowFiles files = builder.open(); // holds nothing that must be closed
    var made = new HashMap<String, LoadedFlow>();
    for (FlowFolder.Entry entry : flows) {
      LoadedFlow flow = files.load(entry.checked(), 1);
      made.put(flow.file().name(), flow);
    }
    loaded = Map.copyOf(made);
    made.values().forEach(flow -> files.register(process, flow));
  }

  private static Stream<String> handlersOf(FlowStep step) {
    FlowStep.Compensate undo = step.compensate();
    return Stream.of(step.kind().handler(), undo == null ? null : undo.kind().handler())
        .filter(Objects::nonNull)
        .map(Objects::requireNonNull);
  }

  LoadedFlow flow(String name) {
    return Objects.requireNonNull(loaded.get(name), name);
  }
}
