package dev.hapax.flows.explain;

import dev.hapax.flows.expression.Template;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.FlowStep;
import dev.hapax.flows.step.FlowStepKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * A wait of a flow.
 *
 * @param answeredBy the people or systems that end it
 * @param end what happens if they do not
 */
public record WaitAnswers(String step, String kind, String answeredBy, String end) {
  static List<WaitAnswers> of(FlowFile file) {
    var waits = new ArrayList<WaitAnswers>();
    for (FlowStep step : file.allSteps()) {
      FlowStepKind.Waiting waiting = step.kind().waiting();
      if (waiting != null) {
        String handedOut =
            step.kind().awaitsCallback() ? senders(file, step.id()) : linkSenders(file, step.id());
        waits.add(
            new WaitAnswers(
                step.id(), waiting.kind(), waiting.answeredBy() + handedOut, waiting.end()));
      }
    }
    return waits;
  }

  private static String linkSenders(FlowFile file, String approval) {
    String steps = steps(file, text -> text.reach().approvals().contains(approval));
    return steps.isEmpty() ? "" : ", by a link that %s hands out".formatted(steps);
  }

  private static String steps(FlowFile file, Predicate<Template> handsOut) {
    return file.allSteps().stream()
        .filter(step -> step.templates().anyMatch(handsOut))
        .map(step -> "'" + step.id() + "'")
        .collect(Collectors.joining(" and "));
  }

  private static String senders(FlowFile file, String wait) {
    String steps = steps(file, text -> text.reach().callbacks().contains(wait));
    return steps.isEmpty() ? ", which no step hands out" : ", which %s hands out".formatted(steps);
  }

  Map<String, Object> json() {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("step", step);
    fields.put("kind", kind);
    fields.put("answeredBy", answeredBy);
    fields.put("end", end);
    return fields;
  }
}
