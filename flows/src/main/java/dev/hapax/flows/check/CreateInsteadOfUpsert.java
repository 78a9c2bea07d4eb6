package dev.hapax.flows.check;

import dev.hapax.flows.expression.Expression;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.EffectContract;
import dev.hapax.flows.step.EffectKind;
import dev.hapax.flows.step.FlowStep;
import dev.hapax.flows.step.HttpTemplate;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A POST that makes a new thing at a place where the same file also writes with PUT under an id of
 * its own: the destination accepts our ids, so the create can be an upsert, which may be repeated.
 */
final class CreateInsteadOfUpsert implements Rule {
  @Override
  public String id() {
    return "create-instead-of-upsert";
  }

  @Override
  public Level level() {
    return Level.WARNING;
  }

  @Override
  public boolean needsWholeFile() {
    return true;
  }

  @Override
  public void check(FlowFile flow, Report report) {
    for (FlowStep step : flow.allSteps()) {
      EffectContract effect = step.effect();
      HttpTemplate post = step.kind().http();
      if (effect == null
          || effect.kind() != EffectKind.CREATE
          || post == null
          || !post.method().equals("POST")
          || post.path() == null
          || !post.path().isConstant()) {
        continue;
      }
      Requests.of(flow)
          .filter(put -> putsOwnId(put, post))
          .findFirst()
          .ifPresent(
              put ->
                  report.add(
                      post.position(),
                      "step '%s' creates with POST %s, but the file also writes %s by PUT: the destination accepts ids of yours"
                          .formatted(step.id(), source(post), source(put)),
                      "Create it with PUT under your own id and guard upsert: then a repeat changes nothing."));
    }
  }

  private static String source(HttpTemplate http) {
    return Objects.requireNonNull(http.path()).source();
  }

  /** Whether it is a PUT to one thing in the same place, whose id does not come from there. */
  private static boolean putsOwnId(HttpTemplate put, HttpTemplate post) {
    Template path = put.path();
    if (!put.method().equals("PUT")
        || path == null
        || !Objects.equals(put.connection(), post.connection())) {
      return false;
    }
    String place = source(post).replaceAll("/+$", "");
    Expression id = lastSegment(path, place);
    return id != null && id.reach().reaches("input") && id.reach().steps().isEmpty();
  }

  private static @Nullable Expression lastSegment(Template path, String place) {
    return path.expressions().size() == 1
            && path.source().startsWith(place + "/${")
            && path.source().endsWith("}")
        ? path.expressions().getFirst()
        : null;
  }
}
