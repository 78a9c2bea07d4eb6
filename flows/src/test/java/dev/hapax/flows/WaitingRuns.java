package dev.hapax.flows;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.Verdict;
import dev.hapax.flow.NotApplied;
import dev.hapax.flow.Rejected;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunStatus;
import dev.hapax.testkit.ManualTime;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * A run that waits in each kind of block of a flow file. {@link #main} wrote the store file that
 * {@link OldJournalsTest} opens, with the code of the commit that the file is named after; newer
 * code must let all of these runs go on to their end.
 */
final class WaitingRuns implements AutoCloseable {
  static final List<String> LETTERS = List.of("a", "b", "c");

  private static final String FILES =
      """
      flow: loop-choose
      key: ${input.id}
      steps:
        - id: each
          forEach: ${input.letters}
          itemKey: ${item}
          choose:
            - when: ${item != 'c'}
              steps:
                - id: pause
                  wait: {for: 1h}
                - id: tell
                  call: {handler: send, input: "loop-choose tell ${item}"}
                  effect: {kind: create, key: "${input.id}/${item}", guard: keyed}
            - otherwise:
                - id: longer
                  wait: {for: 2h}
                - id: whisper
                  call: {handler: send, input: "loop-choose whisper ${item}"}
                  effect: {kind: create, key: "${input.id}/${item}", guard: keyed}
      output: ${steps.each.output.succeeded}
      ---
      flow: loop-parallel
      key: ${input.id}
      steps:
        - id: each
          forEach: ${input.letters}
          itemKey: ${item}
          parallel:
            branches:
              left:
                - id: pause
                  wait: {for: 1h}
                - id: later
                  call: {handler: send, input: "loop-parallel later ${item}"}
                  effect: {kind: create, key: "${input.id}/${item}", guard: keyed}
              right:
                - id: soon
                  call: {handler: send, input: "loop-parallel soon ${item}"}
                  effect: {kind: create, key: "${input.id}/${item}", guard: keyed}
      output: ${steps.each.output.succeeded}
      ---
      flow: loop-wait
      key: ${input.id}
      steps:
        - id: each
          forEach: ${input.letters}
          itemKey: ${item}
          wait: {for: 1h}
        - id: after
          call: {handler: send, input: "loop-wait after"}
          effect: {kind: create, key: "${input.id}", guard: keyed}
      output: ${steps.each.output.succeeded}
      ---
      flow: loop-child
      key: ${input.id}
      steps:
        - id: each
          forEach: ${input.letters}
          itemKey: ${item}
          flow: {name: child, input: {id: "${item}"}}
      output: ${steps.each.output.succeeded}
      ---
      flow: child
      steps:
        - id: pause
          wait: {for: 1h}
        - id: tell
          call: {handler: send, input: "child ${input.id}"}
          effect: {kind: create, key: "${input.id}", guard: keyed}
      output: ${input.id}
      ---
      flow: loop-busy
      key: ${input.id}
      steps:
        - id: each
          forEach: ${input.letters}
          itemKey: ${item}
          call: {handler: busy, input: "loop-busy ${item}"}
          effect: {kind: create, key: "${input.id}/${item}", guard: keyed}
          retry: {delay: 10m, within: 20h}
      output: ${steps.each.output.succeeded}
      ---
      flow: loop-review
      key: ${input.id}
      steps:
        - id: each
          forEach: ${input.letters}
          itemKey: ${item}
          call: {handler: lossy, input: "loop-review ${item}"}
          effect: {kind: notify, key: "${input.id}/${item}", guard: none}
      output: ${steps.each.output.succeeded}
      ---
      flow: loop-partial
      key: ${input.id}
      steps:
        - id: each
          forEach: ${input.letters}
          itemKey: ${item}
          choose:
            - when: ${item != 'c'}
              steps:
                - id: before
                  call: {handler: send, input: "loop-partial before ${item}"}
                  effect: {kind: create, key: "${input.id}/${item}", guard: keyed}
                - id: tell
                  call: {handler: refused, input: "loop-partial tell ${item}"}
                  effect: {kind: create, key: "${input.id}/${item}", guard: keyed}
      output: ${steps.each.output.succeeded}
      ---
      flow: choice
      key: ${input.id}
      steps:
        - id: pick
          choose:
            - when: ${random() < 2.0}
              steps:
                - id: pause
                  wait: {until: "2026-01-01T02:00:00Z"}
                - id: tell
                  call: {handler: send, input: "choice"}
                  effect: {kind: create, key: "${input.id}", guard: keyed}
      output: ${steps.pick.output}
      ---
      flow: branches
      key: ${input.id}
      steps:
        - id: both
          parallel:
            branches:
              left:
                - id: pause
                  wait: {for: 1h}
                - id: later
                  call: {handler: send, input: "branches later"}
                  effect: {kind: create, key: "${input.id}", guard: keyed}
              right:
                - id: soon
                  call: {handler: send, input: "branches soon"}
                  effect: {kind: create, key: "${input.id}", guard: keyed}
      output: ${steps.both.output}
      ---
      flow: condition
      key: ${input.id}
      steps:
        - id: skipped
          when: ${input.id == 'other'}
          call: {handler: send, input: "condition skipped"}
          effect: {kind: create, key: "skipped/${input.id}", guard: keyed}
        - id: pause
          when: ${now() < timestamp('2026-01-01T00:30:00Z')}
          wait: {for: 1h}
        - id: tell
          when: ${now() > timestamp('2026-01-01T00:30:00Z')}
          call: {handler: send, input: "condition"}
          effect: {kind: create, key: "${input.id}", guard: keyed}
      ---
      flow: parent
      key: ${input.id}
      steps:
        - id: ask
          flow: {name: child, input: {id: "of-parent"}}
        - id: tell
          call: {handler: send, input: "parent after ${steps.ask.output}"}
          effect: {kind: create, key: "${input.id}", guard: keyed}
      output: ${steps.ask.output}
      ---
      flow: callback
      key: ${input.id}
      steps:
        - id: ask
          call: {handler: send, input: "callback ${callback('answer').token}"}
          effect: {kind: create, key: "${input.id}", guard: keyed}
        - id: answer
          wait: {callback: {expires: 3d}}
        - id: tell
          call: {handler: send, input: "callback answered ${steps.answer.output}"}
          effect: {kind: create, key: "${input.id}", guard: keyed}
      ---
      flow: rework
      key: ${input.id}
      steps:
        - id: draft
          call: {handler: send, input: "rework draft ${rework == null ? 'first' : rework.comment}"}
          effect: {kind: update, key: "${input.id}", guard: upsert}
        - id: pick
          choose:
            - when: ${rework != null}
              steps:
                - id: pause
                  wait: {for: 1h}
                - id: check
                  call: {handler: send, input: "rework checked ${rework.comment}"}
                  effect: {kind: update, key: "${input.id}", guard: upsert}
        - id: release
          approval: {ask: "Publish?", rework: draft, maxRounds: 3}
        - id: tell
          call: {handler: send, input: "rework ${steps.release.output.decision}"}
          effect: {kind: create, key: "${input.id}", guard: keyed}
      ---
      flow: undoing
      key: ${input.id}
      onFailure: compensate
      steps:
        - id: single
          call: {handler: send, input: "undoing single"}
          effect: {kind: create, key: "${input.id}", guard: keyed}
          compensate:
            call: {handler: busy, input: "undoing undo single"}
            effect: {kind: create, key: "${input.id}", guard: keyed}
            retry: {delay: 10m, within: 20h}
        - id: each
          forEach: {items: "${input.letters}", atOnce: 1}
          itemKey: ${item}
          call: {handler: send, input: "undoing ${item}"}
          effect: {kind: create, key: "${input.id}/${item}", guard: keyed}
          compensate:
            call: {handler: busy, input: "undoing undo ${item}"}
            effect: {kind: create, key: "${input.id}/${item}", guard: keyed}
            retry: {delay: 10m, within: 20h}
        - id: stop
          fail: {code: enough}
      ---
      flow: lock
      key: ${input.id}
      steps:
        - id: section
          lock: one
          choose:
            - otherwise:
                - id: pause
                  wait: {for: 1h}
                - id: tell
                  call: {handler: send, input: "lock ${input.id}"}
                  effect: {kind: create, key: "${input.id}", guard: keyed}
      ---
      flow: values
      key: ${input.id}
      steps:
        - id: computed
          set: {label: "label of ${input.id}"}
        - id: kept
          kv: {put: {key: "kept", value: "${steps.computed.output.label}"}}
        - id: pause
          wait: {for: 1h}
        - id: found
          kv: {get: {key: "kept"}}
        - id: tell
          call: {handler: send, input: "values ${steps.found.output.value} ${steps.computed.output.label}"}
          effect: {kind: create, key: "${input.id}", guard: keyed}
      """;

  final ManualTime time = new ManualTime();
  final List<String> sent = Collections.synchronizedList(new ArrayList<>());
  final Map<String, LoadedFlow> flows = new LinkedHashMap<>();
  final Hapax hapax;
  private final FlowFiles files;
  private volatile boolean troubled;

  /**
   * Opens the store.
   *
   * @param troubled whether some destinations do not do what they are asked
   */
  WaitingRuns(Path store, boolean troubled) {
    this.troubled = troubled;
    this.files =
        FlowFiles.with(time.ports())
            .handler("send", (input, _) -> send(input))
            .handler("busy", (input, _) -> send(input, new NotApplied("busy")))
            .handler("refused", (input, _) -> send(input, new Rejected("refused", "not this one")))
            .handler("lossy", (input, _) -> send(input, new IOException("the answer was lost")))
            .open();
    this.hapax = Hapax.open(store, HapaxOptions.DEFAULT.ports(time.ports()));
    for (String text : FILES.split("(?m)^---$", -1)) {
      LoadedFlow flow = files.load("waiting.yaml", text.strip(), 1);
      flows.put(flow.file().name(), flow);
    }
    flows.values().forEach(flow -> files.register(hapax, flow));
  }

  private Object send(@Nullable Object input) {
    sent.add(String.valueOf(input));
    return Objects.requireNonNull(input);
  }

  private Object send(@Nullable Object input, Exception trouble) throws Exception {
    if (troubled) {
      throw trouble;
    }
    return send(input);
  }

  /** Lets a run of each flow come to where it waits. */
  private void begin() throws InterruptedException {
    for (LoadedFlow flow : flows.values()) {
      switch (flow.file().name()) {
        case "child" -> {}
        case "lock" -> {
          start(flow, "first");
          await("lock", RunStatus.WAITING);
          start(flow, "second");
        }
        default -> start(flow, "run");
      }
    }
    await("rework", RunStatus.WAITING);
    var approval = hapax.approvals().list(hapax.approvals().open()).getFirst();
    hapax.approvals().decide(approval.id(), Verdict.rework("ann", "second").comment("second"));
    time.move(Duration.ofSeconds(1));
    Thread.sleep(3_000); // only here, where the file is written by hand
  }

  void start(LoadedFlow flow, String id) {
    flow.start(hapax, Map.of("id", id, "letters", LETTERS));
  }

  private void await(String flow, RunStatus status) throws InterruptedException {
    while (runs().stream()
        .noneMatch(
            run -> run.flow().equals(flow) && run.status() == status && run.owner() == null)) {
      Thread.sleep(20);
    }
  }

  List<Run> runs() {
    return hapax.runs(hapax.runs());
  }

  @Override
  public void close() {
    hapax.close();
    files.close();
  }

  /** Writes the store file and what was sent, into this folder under this name. */
  public static void main(String... args) throws Exception {
    Path folder = Files.createTempDirectory("waiting-runs");
    Path store = folder.resolve("store.db");
    List<String> sent;
    try (var runs = new WaitingRuns(store, true)) {
      runs.begin();
      sent = runs.sent;
      runs.runs().forEach(run -> System.out.println(run.flow() + " " + run.status()));
    }
    Path target = Path.of(args[0]);
    try (OutputStream out =
        new GZIPOutputStream(Files.newOutputStream(target.resolve(args[1] + ".db.gz")))) {
      Files.copy(store, out);
    }
    Files.write(target.resolve(args[1] + ".sent.txt"), sent, StandardCharsets.UTF_8);
  }
}
