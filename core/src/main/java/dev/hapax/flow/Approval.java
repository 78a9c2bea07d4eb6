package dev.hapax.flow;

import dev.hapax.json.Text;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A question to people that a run waits for: {@code Approval.ask("Send it?").roles("finance")
 * .expires(Duration.ofDays(3))}.
 *
 * @param roles an actor needs one of them to decide; if there are none, any actor may decide
 * @param expires how long it can be decided; null for no limit
 * @param limits who may decide, beside the roles
 * @param notices messages that tell people of the question, written together with it
 */
public record Approval(
    String ask,
    List<String> roles,
    @Nullable Duration expires,
    OnExpire onExpire,
    OnReject onReject,
    DeciderLimits limits,
    List<Message> notices) {

  /** The decision that applies if the approval expires. */
  public enum OnExpire {
    REJECT,
    APPROVE
  }

  /** The effect of a rejection on the run. */
  public enum OnReject {
    /** The step fails with {@code rejected}. The run fails too, unless its body catches that. */
    FAIL,
    /** The body continues with the decision. */
    CONTINUE
  }

  public Approval {
    roles = List.copyOf(roles);
    notices = List.copyOf(notices);
    if (ask.isBlank() || !Text.isStorable(ask)) {
      throw new IllegalArgumentException(
          "approval: expected a question of at most 10,000 characters, got '%s'"
              .formatted(ask.length() <= 40 ? ask : ask.substring(0, 40)));
    }
    if (roles.stream().anyMatch(role -> role.isBlank() || !Text.isStorable(role))) {
      throw new IllegalArgumentException("approval: a role has no name: " + roles);
    }
    if (expires != null) {
      Names.positive("expiry of an approval", expires);
    }
  }

  /**
   * Returns an approval that anyone may decide, that never expires and whose rejection fails the
   * step.
   */
  public static Approval ask(String question) {
    return new Approval(
        question, List.of(), null, OnExpire.REJECT, OnReject.FAIL, DeciderLimits.NONE, List.of());
  }

  public Approval roles(String... names) {
    return new Approval(ask, List.of(names), expires, onExpire, onReject, limits, notices);
  }

  public Approval expires(Duration within) {
    return new Approval(ask, roles, within, onExpire, onReject, limits, notices);
  }

  public Approval onExpire(OnExpire meaning) {
    return new Approval(ask, roles, expires, meaning, onReject, limits, notices);
  }

  public Approval onReject(OnReject consequence) {
    return new Approval(ask, roles, expires, onExpire, consequence, limits, notices);
  }

  /**
   * Refuses a decision by the caller who started the run, or its parent, and by anyone who has
   * corrected its input. A link then decides nothing, because it does not prove who uses it.
   */
  public Approval notByStarter() {
    return limits(new DeciderLimits(true, limits.needsToken()));
  }

  /** Refuses a decision by an actor who only claims an identity, as behind a link. */
  public Approval requireToken() {
    return limits(new DeciderLimits(limits.notByStarter(), true));
  }

  public Approval limits(DeciderLimits who) {
    return new Approval(ask, roles, expires, onExpire, onReject, who, notices);
  }

  /**
   * Sends these messages when the question is asked, once in each round. Their couriers get {@code
   * {approval, data}}: the facts of the question, with its id, and the data of the message.
   */
  public Approval telling(Message... messages) {
    return new Approval(ask, roles, expires, onExpire, onReject, limits, List.of(messages));
  }
}
