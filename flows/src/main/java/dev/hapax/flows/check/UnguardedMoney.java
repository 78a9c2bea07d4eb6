package dev.hapax.flows.check;

import dev.hapax.flows.expression.Template;
import dev.hapax.flows.file.EffectContract;
import dev.hapax.flows.file.EffectContract.GuardBlock;
import dev.hapax.flows.file.EffectKind;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.file.Step;
import dev.hapax.flows.file.StepKind;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Money that moves without a guard against duplicates. */
final class UnguardedMoney implements Rule {
  @Override
  public String id() {
    return "unguarded-money";
  }

  @Override
  public Level level() {
    return Level.WARNING;
  }

  private static final Pattern MONEY =
      Pattern.compile(
          "(?i).*(charge|payment|payout|refund|invoice|transfer|capture|billing|withdraw|debit|credit|checkout).*|(?i)pay.*|(?i).*[/._-]pay([/._-].*)?");

  @Override
  public void check(FlowFile flow, Report report) {
    for (Step step : flow.allSteps()) {
      if (step.effect() != null
          && step.effect().guard() instanceof GuardBlock.None none
          && step.effect().kind() != EffectKind.NOTIFY
          && names(step).anyMatch(name -> MONEY.matcher(name).matches())) {
        report.add(
            none.position(),
            "step '%s' seems to move money and has guard none: a lost answer would need a person each time"
                .formatted(step.id()),
            "Use the provider's idempotency key (keyed), or a lookup by your own reference.");
      }
    }
  }

  private static Stream<String> names(Step step) {
    EffectContract effect = step.effect();
    Stream<@Nullable String> names =
        Stream.of(
            step.id(),
            effect == null ? null : effect.name(),
            switch (step.kind()) {
              case StepKind.Http http -> source(http.path() == null ? http.url() : http.path());
              case StepKind.Call call -> call.handler();
              default -> null;
            });
    return names.filter(Objects::nonNull).map(Objects::requireNonNull);
  }

  private static @Nullable String source(@Nullable Template template) {
    return template == null ? null : template.source();
  }
}
