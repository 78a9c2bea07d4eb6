package dev.hapax.flows.check;

import dev.hapax.flows.step.EffectContract;
import dev.hapax.flows.step.EffectKind;
import dev.hapax.flows.step.FlowStep;
import dev.hapax.flows.step.SendingStep;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Recognizes steps that move money, by their names. */
final class Money {
  private static final Pattern NAME =
      Pattern.compile(
          "(?i).*(charge|payment|payout|refund|invoice|transfer|capture|billing|withdraw|debit|credit|checkout).*|(?i)pay.*|(?i).*[/._-]pay([/._-].*)?");

  private Money() {}

  static boolean isMovedBy(FlowStep step) {
    return step.effect() != null
        && step.effect().kind() != EffectKind.NOTIFY
        && step.effect().kind() != EffectKind.READ
        && names(step).anyMatch(name -> NAME.matcher(name).matches());
  }

  /** Returns its id, the name of its effect and the place at the destination. */
  static Stream<String> names(FlowStep step) {
    EffectContract effect = step.effect();
    Stream<@Nullable String> names =
        Stream.of(
            step.id(),
            effect == null ? null : effect.name(),
            step.kind() instanceof SendingStep sending ? sending.target() : null);
    return names.filter(Objects::nonNull).map(Objects::requireNonNull);
  }
}
