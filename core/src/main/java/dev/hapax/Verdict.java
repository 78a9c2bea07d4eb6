package dev.hapax;

import dev.hapax.effect.Payload;
import dev.hapax.flow.Decision;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A person's decision about an approval.
 *
 * @param actor the name of the person
 * @param roles of the actor
 * @param values that the actor edited, as JSON text
 * @param actorId of the actor's credential; null if only the name is known
 * @param isClaimed whether the actor only says who they are, as behind a link
 */
public record Verdict(
    Decision.Choice decision,
    String actor,
    Set<String> roles,
    @Nullable String comment,
    @Nullable String values,
    @Nullable String actorId,
    boolean isClaimed) {

  public Verdict {
    roles = Set.copyOf(roles);
  }

  /** A decision by an actor that your program knows by name. */
  public Verdict(
      Decision.Choice decision,
      String actor,
      Set<String> roles,
      @Nullable String comment,
      @Nullable String values) {
    this(decision, actor, roles, comment, values, null, false);
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
    return new Verdict(decision, actor, Set.of(names), comment, values, actorId, isClaimed);
  }

  public Verdict comment(String text) {
    return new Verdict(decision, actor, roles, text, values, actorId, isClaimed);
  }

  /** Adds the values that the actor edited; the run continues with them. */
  public Verdict values(Object edited) {
    return new Verdict(
        decision, actor, roles, comment, Payload.writeBounded(edited), actorId, isClaimed);
  }

  /** Sets the actor's credential: the starter of a run is recognized by it, too. */
  public Verdict actorId(String credential) {
    return new Verdict(decision, actor, roles, comment, values, credential, isClaimed);
  }

  /** Marks the actor as claimed, not proven: for example, a name typed on a page behind a link. */
  public Verdict claimed() {
    return new Verdict(decision, actor, roles, comment, values, actorId, true);
  }

  Decision toDecision() {
    return new Decision(decision, actor, comment, values, isClaimed ? true : null);
  }
}
