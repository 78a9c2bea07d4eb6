package dev.hapax.trial.proof;

import dev.hapax.Acknowledgement;
import dev.hapax.Approvals;
import dev.hapax.Callbacks;
import dev.hapax.Hapax;
import dev.hapax.Verdict;
import dev.hapax.flow.InboxOutcome;
import dev.hapax.flows.LoadedFlow;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.FlowStep;
import dev.hapax.flows.yaml.JsonSchema;
import dev.hapax.testkit.ProofScene;
import dev.hapax.trial.EventDoor;
import dev.hapax.trial.TrialEvent;
import dev.hapax.trial.cases.TestCase;
import dev.hapax.trial.sandbox.SandboxRequest;
import dev.hapax.trial.sandbox.TrialSandbox;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The people and systems around a run: they start it, decide approvals and call back. */
final class SceneCallers {
  private static final Pattern TOKEN =
      Pattern.compile(Pattern.quote(SceneCode.CALLBACKS) + "([A-Za-z0-9._~-]+)");

  private final ProofScript script;
  private final TrialSandbox sandbox;
  private final SceneCode code;
  private final EventDoor door;
  private final Set<String> answered = new HashSet<>();
  private final Map<String, Integer> times = new HashMap<>();
  private int seen;
  private boolean isPrepared;

  SceneCallers(ProofScript script, TrialSandbox sandbox, SceneCode code, EventDoor door) {
    this.door = door;
    this.script = script;
    this.sandbox = sandbox;
    this.code = code;
  }

  ProofScene.Begun start(Hapax hapax) {
    TestCase of = script.testCase();
    LoadedFlow flow = code.flow(script.file().name());
    prepare(hapax, of);
    TrialEvent event = of == null ? null : of.event();
    return event == null ? start(hapax, flow, of) : deliver(hapax, flow, event);
  }

  /** Writes the entries of the durable map that the case begins with. */
  private void prepare(Hapax hapax, @Nullable TestCase of) {
    if (of != null && !isPrepared) {
      of.kv().forEach((key, value) -> hapax.kv().put(key, value));
      isPrepared = true;
    }
  }

  /** A flow without a key gets one, so that a second start is a duplicate. */
  private ProofScene.Begun start(Hapax hapax, LoadedFlow flow, @Nullable TestCase of) {
    boolean hasKey = flow.file().key() != null || flow.file().isKeyedByFingerprint();
    String key = of == null ? null : of.key();
    Object input = script.input();
    return ProofScene.Begun.of(
        flow.start(hapax, input == null ? Map.of() : input, hasKey || key != null ? key : "proof"));
  }

  private ProofScene.Begun deliver(Hapax hapax, LoadedFlow flow, TrialEvent event) {
    Acknowledgement answer = door.receive(hapax, flow, event);
    String run = answer == null ? null : answer.run();
    if (run == null) {
      throw new AssertionError("the event starts no run: %s".formatted(answer));
    }
    boolean isFirst = answer != null && answer.outcome() == InboxOutcome.ACCEPTED;
    return new ProofScene.Begun(run, !isFirst);
  }

  /** Answers what is open; returns whether something was. */
  boolean answer(Hapax hapax) {
    boolean hasDecided = decide(hapax);
    return callBack(hapax) || hasDecided;
  }

  private boolean decide(Hapax hapax) {
    boolean hasDecided = false;
    for (Approvals.Item item : hapax.approvals().list(hapax.approvals().open())) {
      Verdict verdict = script.verdict(item);
      if (verdict != null) {
        var _ =
            hapax.approvals().decide(item.id(), verdict.roles(item.roles().toArray(String[]::new)));
        hasDecided = true;
      }
    }
    return hasDecided;
  }

  private boolean callBack(Hapax hapax) {
    boolean hasAnswered = false;
    for (String token : tokens()) {
      Callbacks.Owner owner = hapax.callbacks().owner(token);
      int time = times.getOrDefault(owner.step(), 0);
      if (owner.isOpen() && script.callsBack(owner.step(), time)) {
        LoadedFlow flow = code.flow(owner.flow());
        Object value = script.callback(owner.step(), time, schemaOf(flow, owner));
        var _ = flow.answer(hapax, token, value);
        times.put(owner.step(), time + 1);
        hasAnswered = true;
      }
      answered.add(token);
    }
    return hasAnswered;
  }

  /** A system calls the address that a request has handed to it. */
  private Set<String> tokens() {
    List<SandboxRequest> requests = sandbox.requests();
    Set<String> tokens = new LinkedHashSet<>();
    if (requests.size() != seen) {
      for (SandboxRequest request : requests) {
        Matcher found = TOKEN.matcher(request.url() + "\n" + request.body());
        while (found.find()) {
          tokens.add(found.group(1));
        }
      }
      tokens.removeAll(answered);
      seen = tokens.isEmpty() ? requests.size() : 0; // a process may die while they are answered
    }
    return tokens;
  }

  private static @Nullable JsonSchema schemaOf(LoadedFlow flow, Callbacks.Owner owner) {
    FlowFile file = flow.file();
    return file.allSteps().stream()
        .filter(step -> step.id().equals(owner.step()))
        .map(FlowStep::kind)
        .map(kind -> kind.answerSchema())
        .filter(Objects::nonNull)
        .map(Objects::requireNonNull)
        .findFirst()
        .orElse(null);
  }
}
