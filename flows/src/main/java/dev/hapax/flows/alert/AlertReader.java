package dev.hapax.flows.alert;

import dev.hapax.flow.Alert;
import dev.hapax.flows.expression.ExpressionCompiler;
import dev.hapax.flows.expression.Scope;
import dev.hapax.flows.yaml.FieldReader;
import dev.hapax.flows.yaml.Fields;
import dev.hapax.flows.yaml.FileProblem;
import dev.hapax.flows.yaml.Node;
import dev.hapax.flows.yaml.Shape;
import dev.hapax.flows.yaml.Shapes;
import dev.hapax.flows.yaml.Type;
import dev.hapax.flows.yaml.Types;
import dev.hapax.flows.yaml.Yaml;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads {@code alerts}: of a flow file, and of a server's settings. */
public final class AlertReader {
  /** The name of its shape. */
  public static final String SHAPE = "alerts";

  private static final Duration SHORTEST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofDays(1);

  private AlertReader() {}

  /** Returns the shape for flow files; those of the channels belong to it. */
  public static Shape shape() {
    return shape(false);
  }

  private static Shape shape(boolean isOfServer) {
    Shape.Builder shape = Shape.of(SHAPE, "alerts");
    for (Alert alert : Alert.values()) {
      if (isOfServer || !alert.isOfNode()) {
        shape.may(alert.word(), new Type.ListOf(ChannelForm.SHAPE), doc(alert));
      }
    }
    return shape
        .may(
            "after",
            Types.TIME,
            "How long a callback or an approval may stay unanswered before it is `waiting too long`; default 1d.")
        .may(
            "window",
            Types.TIME,
            "Alerts with the same cause within this time are gathered; default 10m, from 1s to 1d.")
        .build();
  }

  private static String doc(Alert alert) {
    return switch (alert) {
      case FAILED -> "Tell of runs that fail.";
      case REVIEW -> "Tell of effects that a person must review.";
      case MISSED_SCHEDULE -> "Tell of scheduled instants that get no run.";
      case WAITING_TOO_LONG -> "Tell of callbacks and approvals that stay unanswered.";
      case QUARANTINED -> "Tell of runs that seem to end the server.";
      case CIRCUIT_OPEN -> "Tell of destinations that do not answer, so that calls wait.";
      case DIFFERENCES ->
          "Tell of scheduled reconciliations that find the ledger and the destination different.";
      case DISK_LOW -> "Tell of a disk that is almost full.";
      case LEASE_LOST -> "Tell of a process whose runs another one continues.";
    };
  }

  /** Makes the plan of a mapping that fits the shape. */
  public static AlertPlan read(@Nullable Fields alerts, Consumer<FileProblem> problems) {
    if (alerts == null) {
      return AlertPlan.NONE;
    }
    Map<Alert, List<Channel>> channels = new EnumMap<>(Alert.class);
    for (Alert alert : Alert.values()) {
      if (alerts.has(alert.word())) {
        channels.put(alert, constant(ChannelForm.read(alerts.list(alert.word())), problems));
      }
    }
    Duration window = alerts.time("window");
    if (window != null && (window.compareTo(SHORTEST) < 0 || window.compareTo(LONGEST) > 0)) {
      problems.accept(
          new FileProblem(
              FileProblem.TYPE,
              alerts.position("window"),
              "window: expected a duration from 1s to 1d",
              "Write window: 10m."));
    }
    return new AlertPlan(channels, alerts.time("after"), window);
  }

  /** There is no run whose values an alert could use. */
  private static List<Channel> constant(List<ChannelForm> forms, Consumer<FileProblem> problems) {
    var channels = new ArrayList<Channel>();
    for (ChannelForm form : forms) {
      if (form.isConstant()) {
        channels.add(form.in(Scope.of(Map.of())));
      } else {
        problems.accept(
            new FileProblem(
                FileProblem.TYPE,
                form.position(),
                "to: expected constant addresses, without ${ }: an alert may be about many runs",
                "Write the addresses."));
      }
    }
    return channels;
  }

  /**
   * Reads the setting of a server: YAML or JSON.
   *
   * @throws IllegalArgumentException with all that is wrong
   */
  public static AlertPlan readSetting(String text) {
    return read(text, true);
  }

  /**
   * Reads the alerts of a tenant, which are about its flows and not about a server: YAML or JSON.
   *
   * @throws IllegalArgumentException with all that is wrong
   */
  public static AlertPlan readOfTenant(String text) {
    return read(text, false);
  }

  private static AlertPlan read(String text, boolean isOfServer) {
    List<FileProblem> problems = new ArrayList<>();
    Node root = new Yaml(SHAPE, problems).read(text);
    AlertPlan plan = AlertPlan.NONE;
    if (root != null) {
      List<Shape> shapes = new ArrayList<>(ChannelForm.shapes());
      shapes.add(shape(isOfServer));
      var all = new Shapes(shapes);
      var fields = new FieldReader(all, new ExpressionCompiler(null, Set.of()), problems);
      plan = read(fields.read(root, all.named(SHAPE)), problems::add);
    }
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(
          String.join(
              "; ",
              problems.stream()
                  .map(problem -> problem.message() + ". " + problem.fix())
                  .distinct()
                  .toList()));
    }
    return plan;
  }
}
