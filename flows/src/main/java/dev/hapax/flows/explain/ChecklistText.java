package dev.hapax.flows.explain;

import java.util.List;
import java.util.stream.Collectors;

/** Writes a checklist for people: a heading per question, a line per answer. */
final class ChecklistText {
  private final StringBuilder text = new StringBuilder();

  private ChecklistText() {}

  static String of(Checklist list) {
    var writer = new ChecklistText();
    writer.text.append("flow ").append(list.flow()).append('\n');
    writer.heading("What is one unit of work, and what does a second start do?");
    writer.line(list.starts().unitOfWork());
    writer.line(list.starts().sameInput());
    writer.line(list.starts().otherInput());
    writer.line(list.starts().afterRetention());
    if (!list.triggers().isEmpty()) {
      writer.heading("What starts it, and what does a second delivery do?");
      list.triggers().forEach(writer::trigger);
    }
    writer.heading("What does it change outside, and what does a crash lead to?");
    if (list.effects().isEmpty()) {
      writer.line("nothing");
    }
    list.effects().forEach(writer::effect);
    if (!list.models().isEmpty()) {
      writer.heading("What does it ask a language model?");
      list.models().forEach(writer::model);
    }
    if (!list.children().isEmpty()) {
      writer.heading("Which runs does it start?");
      list.children()
          .forEach(
              child ->
                  writer.line(
                      "%s: a run of %s, key: %s"
                          .formatted(child.step(), child.flow(), child.key())));
    }
    if (!list.waits().isEmpty()) {
      writer.heading("What does it wait for?");
      list.waits()
          .forEach(
              wait ->
                  writer.line(
                      "%s (%s): %s; %s"
                          .formatted(wait.step(), wait.kind(), wait.answeredBy(), wait.end())));
    }
    writer.heading("What must be remembered, and how long?");
    list.memory().forEach(memory -> writer.line(memory.what() + ": " + memory.length()));
    writer.heading("What happens if a run fails?");
    writer.failure(list.failure());
    writer.heading("How do people hear of it?");
    list.alerts().forEach(alert -> writer.line(alert.event() + ": " + alert.channels()));
    writer.heading("What does nothing protect?");
    if (list.unprotected().isEmpty()) {
      writer.line("nothing that the file shows");
    }
    list.unprotected().forEach(writer::line);
    return writer.text.toString();
  }

  private void heading(String question) {
    text.append('\n').append(question).append('\n');
  }

  private void line(String answer) {
    text.append("  ").append(answer).append('\n');
  }

  private void detail(String label, String answer) {
    text.append(
        "    %-14s %s%n".formatted(label + ":", answer).replace(System.lineSeparator(), "\n"));
  }

  private void trigger(TriggerAnswers trigger) {
    line("%s %s".formatted(trigger.kind(), trigger.name()));
    detail("identity", trigger.identity());
    detail("again", trigger.again());
  }

  private void effect(EffectAnswers effect) {
    line("%s: %s".formatted(effect.step(), identity(effect)));
    detail("again", effect.again());
    detail("lost answer", "it is " + effect.doubt());
    detail("crash before", effect.crash().before());
    detail("crash during", effect.crash().during());
    detail("crash after", effect.crash().after());
    if (effect.reconciled() != null) {
      detail("reconciled", effect.reconciled());
    }
  }

  private void model(ModelAnswers model) {
    line(
        "%s: %s, at most %,d tokens per answer"
            .formatted(model.step(), model.asks(), model.maxTokens()));
    detail("again", model.found());
    detail("lost answer", "asked again; the lost attempt counts with the most that it could cost");
    detail("budget", model.budget());
    if (!model.tools().isEmpty()) {
      detail("may run", joined(model.tools()));
    }
  }

  private static String identity(EffectAnswers effect) {
    if (effect.kind().equals("read")) {
      return "read";
    }
    String key = effect.key() == null ? "made by Hapax" : effect.key();
    return "%s '%s', key: %s, guard: %s"
        .formatted(effect.kind(), effect.name(), key, effect.guard());
  }

  private void failure(FailureAnswers failure) {
    line(failure.rule());
    failure
        .undone()
        .forEach(
            undone ->
                line(
                    "undone: %s by %s, guard: %s"
                        .formatted(undone.step(), undone.by(), undone.guard())));
    if (!failure.stays().isEmpty()) {
      line("stays done: " + joined(failure.stays()));
    }
  }

  private static String joined(List<String> steps) {
    return steps.stream().collect(Collectors.joining(", "));
  }
}
