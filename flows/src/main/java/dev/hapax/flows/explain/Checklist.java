package dev.hapax.flows.explain;

import dev.hapax.flows.file.FlowFile;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The questions that decide whether a flow does its work once, with the answers of a file. Needs no
 * server, so it says nothing about connections.
 */
public record Checklist(
    String flow,
    StartAnswers starts,
    List<TriggerAnswers> triggers,
    List<EffectAnswers> effects,
    List<ModelAnswers> models,
    List<ChildAnswers> children,
    List<WaitAnswers> waits,
    List<Memory> memory,
    FailureAnswers failure,
    List<AlertAnswers> alerts,
    List<String> unprotected) {

  public static Checklist of(FlowFile file) {
    return new Checklist(
        file.name(),
        StartAnswers.of(file),
        TriggerAnswers.of(file),
        EffectAnswers.of(file),
        ModelAnswers.of(file),
        ChildAnswers.of(file),
        WaitAnswers.of(file),
        Memory.of(file),
        FailureAnswers.of(file),
        AlertAnswers.of(file),
        Unprotected.of(file));
  }

  /** Returns the form of the public contract; names never change. */
  public Map<String, Object> json() {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("flow", flow);
    fields.put("starts", starts.json());
    fields.put("triggers", triggers.stream().map(TriggerAnswers::json).toList());
    fields.put("effects", effects.stream().map(EffectAnswers::json).toList());
    fields.put("models", models.stream().map(ModelAnswers::json).toList());
    fields.put("children", children.stream().map(ChildAnswers::json).toList());
    fields.put("waits", waits.stream().map(WaitAnswers::json).toList());
    fields.put("memory", memory.stream().map(Memory::json).toList());
    fields.put("failure", failure.json());
    fields.put("alerts", alerts.stream().map(AlertAnswers::json).toList());
    fields.put("unprotected", unprotected);
    return fields;
  }

  /** Returns text for people. */
  public String text() {
    return ChecklistText.of(this);
  }
}
