package dev.hapax.flows.check;

import dev.hapax.flow.Alert;
import dev.hapax.flows.connection.ConnectionKind;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.EffectContract;
import dev.hapax.flows.step.EffectKind;
import dev.hapax.flows.step.FlowStep;
import java.util.regex.Pattern;

/** An approval without a message to people: it waits until a person looks for it. */
final class UntoldApproval implements Rule {
  @Override
  public String id() {
    return "untold-approval";
  }

  @Override
  public Level level() {
    return Level.WARNING;
  }

  @Override
  public void check(FlowFile flow, Report report) {
    if (flow.alerts().channels().containsKey(Alert.WAITING_TOO_LONG)) {
      return;
    }
    boolean isAnythingSent = false;
    for (FlowStep step : flow.allSteps()) {
      if (step.kind().asksPeople()
          && step.kind().isRead()
          && step.kind().channels().findAny().isEmpty()
          && !isAnythingSent
          && !isNamed(flow, step.id())) {
        report.add(
            step.kind().position(),
            "no message is sent about approval '%s': it waits until a person looks for it"
                .formatted(step.id()),
            "Add notify: [{email: {connection: smtp, to: someone@example.com}}], or send its link in an earlier step.");
      }
      isAnythingSent |= sends(step);
    }
  }

  /** An earlier message may be the one that asks; only a person can tell. */
  private static boolean sends(FlowStep step) {
    EffectContract effect = step.effect();
    return step.kind().courier() != null
        || step.kind().connectionKind() == ConnectionKind.SMTP
        || (effect != null && effect.kind() == EffectKind.NOTIFY);
  }

  /** Whether a step hands out its link, as in {@code approval('release').url}. */
  private static boolean isNamed(FlowFile flow, String id) {
    Pattern link = Pattern.compile("\\bapproval\\s*\\(\\s*['\"]" + Pattern.quote(id) + "['\"]");
    return flow.allSteps().stream()
        .flatMap(FlowStep::templates)
        .anyMatch(template -> link.matcher(template.source()).find());
  }
}
