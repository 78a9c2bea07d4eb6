package dev.hapax.flows.file;

import dev.hapax.flows.alert.Channel;
import dev.hapax.flows.connection.ConnectionKind;
import dev.hapax.flows.expression.Position;
import dev.hapax.flows.step.EffectContract;
import dev.hapax.flows.step.FlowStep;
import dev.hapax.flows.step.FlowStepKind;
import dev.hapax.flows.step.HttpTemplate;
import dev.hapax.flows.step.StepGuard;
import dev.hapax.flows.trigger.Trigger;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A place in a flow file that uses a connection.
 *
 * @param user the part of the flow that uses it, for messages
 * @param kinds of which the connection must have one; empty if any will do
 */
public record ConnectionUse(
    Position position, String user, String connection, List<ConnectionKind> kinds) {

  /** Returns the place of a channel of the flow's alerts. */
  static Stream<ConnectionUse> of(Channel channel, Position flow) {
    ConnectionKind kind =
        switch (channel.kind()) {
          case EMAIL -> ConnectionKind.SMTP;
          case WEBHOOK -> ConnectionKind.WEBHOOK;
          case FLOW -> null;
        };
    return kind == null
        ? Stream.empty()
        : Stream.of(new ConnectionUse(flow, "alerts", channel.name(), List.of(kind)));
  }

  static Stream<ConnectionUse> of(Trigger trigger) {
    String name = trigger.connection();
    return name == null
        ? Stream.empty()
        : Stream.of(
            new ConnectionUse(
                trigger.position(),
                "trigger %s '%s'".formatted(trigger.word(), trigger.label()),
                name,
                List.of()));
  }

  /** Returns the places of a step, its lookup and its compensation, without its inner steps. */
  static Stream<ConnectionUse> of(FlowStep step) {
    FlowStep.Compensate undo = step.compensate();
    String name = "step '%s'".formatted(step.id());
    Stream<ConnectionUse> own = Stream.concat(of(name, step.kind()), of(name, step.effect()));
    if (undo == null) {
      return own;
    }
    String undoing = "the compensation of " + name;
    return Stream.concat(own, Stream.concat(of(undoing, undo.kind()), of(undoing, undo.effect())));
  }

  private static Stream<ConnectionUse> of(String user, FlowStepKind kind) {
    return kind.connections()
        .map(name -> new ConnectionUse(kind.position(), user, name, kind.connectionKinds()));
  }

  private static Stream<ConnectionUse> of(String user, @Nullable EffectContract effect) {
    if (effect == null) {
      return Stream.empty();
    }
    StepGuard.Lookup lookup = effect.guard().lookup();
    EffectContract.Reconcile reconcile = effect.reconcile();
    return Stream.concat(
        of("the lookup of " + user, lookup == null ? null : lookup.http()),
        of("the list of " + user, reconcile == null ? null : reconcile.list()));
  }

  private static Stream<ConnectionUse> of(String user, @Nullable HttpTemplate http) {
    String name = http == null ? null : http.connection();
    return http == null || name == null
        ? Stream.empty()
        : Stream.of(new ConnectionUse(http.position(), user, name, List.of(ConnectionKind.HTTP)));
  }
}
