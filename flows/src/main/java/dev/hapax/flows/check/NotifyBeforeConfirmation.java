package dev.hapax.flows.check;

import dev.hapax.flows.expression.Template;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.EffectKind;
import dev.hapax.flows.step.FlowStep;
import dev.hapax.flows.step.FlowStepKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A message about something that a later step makes or changes: if that step fails, the message was
 * untrue. A message is about a step if it contains a word of the step's id or of its effect's name.
 * A message that asks, because a person or a callback answers before that step, says nothing yet.
 */
final class NotifyBeforeConfirmation implements Rule {
  @Override
  public String id() {
    return "notify-before-confirmation";
  }

  @Override
  public Level level() {
    return Level.WARNING;
  }

  @Override
  public boolean needsWholeFile() {
    return true;
  }

  /** Shorter words are in too many texts. */
  private static final int SHORTEST_WORD = 4;

  /** Words that say what is done, not to what. */
  private static final Set<String> VERBS =
      Set.of("create", "make", "send", "post", "update", "write", "store", "save", "step");

  @Override
  public void check(FlowFile flow, Report report) {
    check(flow.steps(), List.of(), report);
  }

  private static void check(List<FlowStep> steps, List<FlowStep> after, Report report) {
    for (int i = 0; i < steps.size(); i++) {
      FlowStep step = steps.get(i);
      boolean notifies = notifies(step);
      if (!notifies && step.inner().isEmpty()) {
        continue;
      }
      var following = new ArrayList<>(steps.subList(i + 1, steps.size()));
      following.addAll(after);
      step.inner().forEach(inner -> check(inner, following, report));
      FlowStep told = notifies ? told(step, following) : null;
      if (told != null) {
        report.add(
            Objects.requireNonNull(step.effect()).position(),
            "step '%s' sends a message about '%s' before that step has happened: if it fails, the message was untrue"
                .formatted(step.id(), told.id()),
            "Move '%s' behind '%s'.".formatted(step.id(), told.id()));
      }
    }
  }

  private static boolean notifies(FlowStep step) {
    return step.effect() != null
        && step.effect().kind() == EffectKind.NOTIFY
        && step.templates().noneMatch(text -> text.reach().handsOutAnAddress());
  }

  /** Returns the step that the message is about; null if it can be about none. */
  private static @Nullable FlowStep told(FlowStep message, List<FlowStep> following) {
    String text =
        message
            .kind()
            .templates()
            .map(NotifyBeforeConfirmation::constantText)
            .collect(Collectors.joining(" "))
            .toLowerCase(Locale.ROOT);
    for (FlowStep next : following) {
      if (next.kind().look() == FlowStepKind.Look.ASK || next.kind().awaitsCallback()) {
        return null;
      }
      if (changes(next) && next.canFail() && words(next).anyMatch(word -> contains(text, word))) {
        return next;
      }
    }
    return null;
  }

  private static boolean changes(FlowStep step) {
    return step.effect() != null
        && (step.effect().kind() == EffectKind.CREATE || step.effect().kind() == EffectKind.UPDATE);
  }

  private static String constantText(Template template) {
    return template.source().replaceAll("\\$\\{[^}]*}", " ");
  }

  private static Stream<String> words(FlowStep step) {
    String names = step.id() + " " + (step.effect() == null ? "" : step.effect().name());
    return Stream.of(
            names
                .replaceAll("([a-z])([A-Z])", "$1 $2")
                .toLowerCase(Locale.ROOT)
                .split("[^a-z]+", -1))
        .filter(
            word ->
                word.length() >= SHORTEST_WORD && !VERBS.contains(word) && !word.equals("null"));
  }

  /** Also finds the word's forms: charged, invoices. */
  private static boolean contains(String text, String word) {
    for (int at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
      if (at == 0 || !Character.isLetter(text.charAt(at - 1))) {
        return true;
      }
    }
    return false;
  }
}
