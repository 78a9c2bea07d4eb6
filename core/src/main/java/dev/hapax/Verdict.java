package dev.hapax;

import dev.hapax.effect.Payload;
import dev.hapax.flow.Decision;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A person's decision about an approval.
 *
 * @param roles of the actor
 * @param values that the actor edited, as JSON text
 */
public record Verdict(
    Decision.Choice decision,
    String actor,
    Set<String> roles,
    @Nullable String comment,
    @Nullable String values) {

  public Verdict {
    roles = Set.copyOf(roles);
  }

  public static Verdict approve(String actor) {
    return new Verdict(Decision.Choice.APPROVE, actor, Set.of(), null, null);
  }

  public static Verdict reject(String actor) {
    return new Verdict(Decision.Choice.REJECT, actor, Set.of(), null, null);
  }

  /** Asks for another round. The comment says what to change. */
  public static Verdict rework(String actor, String comment) {
    return new Verdict(Decision.Choice.REWORK, actor, Set.of(), comment, null);
  }

  public Verdict roles(String... names) {
    return new Verdict(decision, actor, Set.of(names), comment, values);
  }

  public Verdict comment(String text) {
    return new Verdict(decision, actor, roles, text, values);
  }

  /** Adds the values that the actor edited; the run continues with them. */
  public Verdict values(Object edited) {
    return new Verdict(decision, actor, roles, comment, Payload.writeBounded(edited));
  }

  Decision toDecision() {
    return new Decision(decision, actor, comment, values);
  }
}
