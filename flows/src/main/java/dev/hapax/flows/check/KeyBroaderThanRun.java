package dev.hapax.flows.check;

import dev.hapax.flows.expression.Template;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.EffectContract;
import dev.hapax.flows.step.EffectKind;
import dev.hapax.flows.step.FlowStep;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An effect that is done once per customer, account or address, although the run is about something
 * else, such as an order: the second order of a customer would find the effect done. A step that
 * makes the customer itself is right to do so, and so is an update, which compares contents.
 */
final class KeyBroaderThanRun implements Rule {
  @Override
  public String id() {
    return "key-broader-than-run";
  }

  @Override
  public Level level() {
    return Level.WARNING;
  }

  @Override
  public boolean needsWholeFile() {
    return true;
  }

  /** Parties that take part in many units of work. */
  private static final Pattern PARTY =
      Pattern.compile(
          "(?i)(customer|user|account|client|member|person|contact|vendor|supplier|merchant|company|email|phone)[_-]?(id|no|number|key|address)?");

  @Override
  public void check(FlowFile flow, Report report) {
    if (flow.key() == null && flow.triggers().isEmpty()) {
      return; // nothing says what the run is about
    }
    for (FlowStep step : flow.allSteps()) {
      EffectContract effect = step.effect();
      String party = effect == null || !isDoneOnce(effect) ? null : party(effect.key());
      if (effect != null
          && party != null
          && !reads(flow.key(), effect.key())
          && !isAbout(step, party)) {
        report.add(
            effect.key().position(),
            "the key of step '%s' is only '%s', but a run is about %s: for the second run of the same %s nothing would be sent"
                .formatted(step.id(), effect.key().plain(), unitOfWork(flow), party),
            "Add the key of the run to it, for example ${run.key}/" + effect.key().source() + ".");
      }
    }
  }

  private static String unitOfWork(FlowFile flow) {
    if (flow.key() == null) {
      return "one event";
    }
    return flow.isKeyedByFingerprint() ? "one input" : "'" + flow.key().plain() + "'";
  }

  private static boolean isDoneOnce(EffectContract effect) {
    return effect.kind() == EffectKind.CREATE || effect.kind() == EffectKind.NOTIFY;
  }

  /** Returns the party that the key consists of; null if it reads anything else. */
  private static @Nullable String party(Template key) {
    Set<List<String>> paths = key.reach().paths();
    if (paths.size() != 1) {
      return null;
    }
    List<String> path = paths.iterator().next();
    Matcher name = PARTY.matcher(path.getLast());
    return path.size() > 1 && path.getFirst().equals("input") && name.matches()
        ? name.group(1).toLowerCase(Locale.ROOT)
        : null;
  }

  /** Whether the run's key depends on the same value. */
  private static boolean reads(@Nullable Template runKey, Template key) {
    Set<List<String>> ofKey = key.reach().paths();
    return runKey != null
        && runKey.reach().paths().stream()
            .anyMatch(path -> ofKey.contains(path) || path.equals(List.of("input")));
  }

  private static boolean isAbout(FlowStep step, String party) {
    String names = Money.names(step).collect(Collectors.joining(" ")).toLowerCase(Locale.ROOT);
    String constant = step.effect() == null ? "" : step.effect().key().source();
    return names.contains(party)
        || names.contains("welcome")
        || constant.indexOf("${") > 0; // its prefix names the purpose, such as welcome/
  }
}
