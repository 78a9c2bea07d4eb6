package dev.hapax.app.deploy;

import dev.hapax.flows.alert.AlertPlan;
import dev.hapax.flows.alert.Channel;
import dev.hapax.flows.check.Finding;
import dev.hapax.flows.check.Level;
import dev.hapax.flows.connection.Connection;
import dev.hapax.flows.connection.ConnectionKind;
import dev.hapax.flows.connection.Connections;
import dev.hapax.flows.expression.Position;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Finds what the channels of deployed alerts need and the server will not have. */
final class ChannelCheck {
  private static final Position FILE = new Position("alerts.yaml", 1, 1);

  private final Connections connections;
  private final Predicate<String> flows;

  ChannelCheck(Connections connections, Predicate<String> flows) {
    this.connections = connections;
    this.flows = flows;
  }

  List<Finding> missing(AlertPlan plan) {
    return plan.all().map(this::missing).filter(Objects::nonNull).toList();
  }

  private @Nullable Finding missing(Channel channel) {
    String name = channel.name();
    return switch (channel.kind()) {
      case EMAIL -> connection(name, ConnectionKind.SMTP);
      case WEBHOOK -> connection(name, ConnectionKind.WEBHOOK);
      case FLOW ->
          flows.test(name)
              ? null
              : finding(
                  "unknown-flow",
                  "the alerts start flow '%s', which has no live release here".formatted(name),
                  "Add its file, or correct the name.");
    };
  }

  private @Nullable Finding connection(String name, ConnectionKind wanted) {
    Connection found = connections.find(name).orElse(null);
    if (found == null) {
      return finding(
          "unknown-connection",
          "the alerts use connection '%s', which this server does not have".formatted(name),
          "Add connections/%s.yaml, or correct the name.".formatted(name));
    }
    return found.kind() == wanted
        ? null
        : finding(
            "wrong-connection",
            "the alerts need %s, but connection '%s' is %s"
                .formatted(wanted.phrase(), name, found.kind().phrase()),
            "Name another connection, or write this one with '%s'.".formatted(wanted.word()));
  }

  private static Finding finding(String rule, String message, String fix) {
    return new Finding(rule, Level.ERROR, FILE, message, fix);
  }
}
