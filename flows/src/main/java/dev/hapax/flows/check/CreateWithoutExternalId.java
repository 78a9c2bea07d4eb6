package dev.hapax.flows.check;

import dev.hapax.flows.expression.Template;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.EffectContract;
import dev.hapax.flows.step.EffectKind;
import dev.hapax.flows.step.FlowStep;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A create whose id at the destination the flow uses, while the ledger does not know it: reviews,
 * searches and reports by external id cannot name the thing that was made.
 */
final class CreateWithoutExternalId implements Rule {
  @Override
  public String id() {
    return "create-without-external-id";
  }

  @Override
  public Level level() {
    return Level.WARNING;
  }

  private static final Pattern ID =
      Pattern.compile("(?i)id|.*[a-z](Id|ID)|.*_id|number|reference|tracking");

  @Override
  public void check(FlowFile flow, Report report) {
    Map<String, List<String>> read = idsRead(flow);
    for (FlowStep step : flow.allSteps()) {
      EffectContract effect = step.effect();
      List<String> path = read.get(step.id());
      if (path != null
          && effect != null
          && effect.kind() == EffectKind.CREATE
          && effect.externalId() == null
          && step.kind().http() != null) {
        report.add(
            effect.position(),
            "the flow reads '%s', the destination's id for step '%s', but the effect has no externalId: the ledger cannot show or find it"
                .formatted(String.join(".", path), step.id()),
            "Add externalId: ${%s}.".formatted(String.join(".", path.subList(2, path.size()))));
      }
    }
  }

  /** Returns the path of an id in a step's answer, by step. */
  private static Map<String, List<String>> idsRead(FlowFile flow) {
    var read = new HashMap<String, List<String>>();
    Stream<Template> ofSteps = flow.allSteps().stream().flatMap(FlowStep::templates);
    Stream<Template> ofEnd = flow.output() == null ? Stream.empty() : flow.output().templates();
    Stream.concat(ofSteps, ofEnd)
        .flatMap(template -> template.reach().paths().stream())
        .filter(CreateWithoutExternalId::isId)
        .forEach(
            path ->
                read.merge(
                    path.get(1),
                    path,
                    (one, other) ->
                        String.join(".", one).compareTo(String.join(".", other)) <= 0
                            ? one
                            : other));
    return read;
  }

  private static boolean isId(List<String> path) {
    return path.size() > 4
        && path.getFirst().equals("steps")
        && path.get(2).equals("output")
        && path.get(3).equals("body")
        && ID.matcher(path.getLast()).matches();
  }
}
