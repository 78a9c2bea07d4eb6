package dev.hapax.trial.sandbox;

import dev.hapax.flow.Interceptor;
import dev.hapax.flow.Names;
import dev.hapax.run.StoredMessage;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The step that a request comes from.
 *
 * @param step with {@code .undo} at its end if it is a compensation
 * @param effect its name in the ledger; empty for a read or a lookup, like the keys and the guard
 * @param attempt counted from 1; 0 for a read or a lookup
 */
public record RequestOrigin(
    String run,
    String flow,
    String step,
    @Nullable String item,
    String effect,
    String key,
    String wireKey,
    String guard,
    int attempt,
    Role role) {
  /** What the request is for. */
  public enum Role {
    SEND,
    UNDO,
    /** The outbox delivers a published message, a notice or an alert. */
    DELIVERY,
    READ,
    LOOKUP
  }

  /** Of a request that no step sent. */
  static final RequestOrigin UNKNOWN =
      new RequestOrigin("", "", "", null, "", "", "", "", 0, Role.READ);

  static RequestOrigin of(Interceptor.Sending sending) {
    return new RequestOrigin(
        sending.run(),
        sending.flow(),
        sending.step(),
        sending.item(),
        sending.effect(),
        sending.key(),
        sending.wireKey(),
        sending.guard(),
        sending.attempt(),
        roleOf(sending));
  }

  private static Role roleOf(Interceptor.Sending sending) {
    if (sending.flow().startsWith(StoredMessage.FLOWS)) {
      return Role.DELIVERY;
    }
    return sending.step().contains(Names.UNDO) ? Role.UNDO : Role.SEND;
  }

  /** Returns the delivery of a message as a request of the step that published it. */
  RequestOrigin by(Publisher publisher) {
    return new RequestOrigin(
        publisher.run(),
        publisher.flow(),
        publisher.step(),
        publisher.item(),
        effect,
        key,
        wireKey,
        guard,
        attempt,
        role);
  }

  /** The step that published a message. */
  public record Publisher(String run, String flow, String step, @Nullable String item) {}

  static RequestOrigin of(Interceptor.Work work) {
    return new RequestOrigin(
        work.run(),
        work.flow(),
        work.step(),
        work.item(),
        "",
        "",
        "",
        "",
        0,
        work.isLookup() ? Role.LOOKUP : Role.READ);
  }

  /** Whether it changes something outside. */
  public boolean isEffect() {
    return role == Role.SEND || role == Role.UNDO || role == Role.DELIVERY;
  }

  /** The step without the mark of a compensation or the number of a question to a model. */
  public String stepInFile() {
    int undo = step.indexOf(Names.UNDO);
    String named = undo < 0 ? step : step.substring(0, undo);
    int end = named.lastIndexOf('.');
    return end > 0 && named.substring(end + 1).matches("\\d+|again")
        ? new RequestOrigin(
                run,
                flow,
                named.substring(0, end),
                item,
                effect,
                key,
                wireKey,
                guard,
                attempt,
                role)
            .stepInFile()
        : named;
  }

  boolean isSameStepAs(RequestOrigin other) {
    return run.equals(other.run) && step.equals(other.step) && Objects.equals(item, other.item);
  }
}
