package dev.hapax.flows.check;

import dev.hapax.flows.connection.Connection;
import dev.hapax.flows.connection.ConnectionKind;
import dev.hapax.flows.connection.Connections;
import dev.hapax.flows.connection.Secrets;
import dev.hapax.flows.expression.Position;
import dev.hapax.flows.file.ConnectionUse;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.FlowStep;
import dev.hapax.flows.step.FlowStepKind;
import dev.hapax.flows.trigger.Trigger;
import dev.hapax.flows.trigger.WebhookTrigger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds what a flow needs and a server does not have. {@link Check} knows no server; a release and
 * a promotion ask this, too. Each missing thing is reported once, at its first place.
 */
public final class MissingParts {
  static final String UNKNOWN_CONNECTION = "unknown-connection";
  static final String WRONG_CONNECTION = "wrong-connection";
  static final String MISSING_SECRET = "missing-secret";
  static final String UNKNOWN_FLOW = "unknown-flow";
  static final String UNKNOWN_HANDLER = "unknown-handler";

  /** The rules of this class. */
  static final Set<String> RULES =
      Set.of(
          UNKNOWN_CONNECTION,
          WRONG_CONNECTION,
          MISSING_SECRET,
          UNKNOWN_FLOW,
          UNKNOWN_HANDLER,
          KeyTerms.WITHOUT_KEYS);

  private final FlowFile file;
  private final Parts parts;
  private final List<Finding> findings = new ArrayList<>();
  private final Set<List<String>> reported = new HashSet<>();

  /**
   * What a server has for the flows of a tenant.
   *
   * @param flows whether a flow of this name can be run as a child
   * @param handlers whether a handler in Java has this name
   * @param signing whether there is a secret of this name for the signatures of webhooks
   */
  public record Parts(
      Connections connections,
      Secrets secrets,
      Predicate<String> flows,
      Predicate<String> handlers,
      Predicate<String> signing) {}

  private MissingParts(FlowFile file, Parts parts) {
    this.file = file;
    this.parts = parts;
  }

  /** Returns an error for everything that is missing, in the order of the file. */
  public static List<Finding> of(FlowFile file, Parts parts) {
    return new MissingParts(file, parts).find();
  }

  private List<Finding> find() {
    file.triggers().forEach(this::signingSecret);
    file.uses().forEach(this::connection);
    file.allSteps().forEach(this::keys);
    file.allSteps().forEach(this::childFlow);
    file.notifiedFlows().forEach(this::notifiedFlow);
    file.allSteps().forEach(this::handlers);
    findings.sort(Comparator.comparing(Finding::position));
    return List.copyOf(findings);
  }

  private void signingSecret(Trigger trigger) {
    if (trigger instanceof WebhookTrigger webhook) {
      String secret = webhook.verify().secret();
      if (secret != null && !parts.signing().test(secret)) {
        report(
            MISSING_SECRET,
            webhook.verify().position(),
            secret,
            "webhook '%s' checks signatures with secret '%s', which is not set"
                .formatted(webhook.path(), secret),
            setSecret(secret));
      }
    }
  }

  private void connection(ConnectionUse use) {
    String name = use.connection();
    Optional<Connection> found = parts.connections().find(name);
    if (found.isEmpty()) {
      report(
          UNKNOWN_CONNECTION,
          use.position(),
          name,
          "%s uses connection '%s', which this server does not have".formatted(use.user(), name),
          "Write it ('hapax connections put %s …'), or correct the name. In a copy of a store, a connection is off until it is written again."
              .formatted(name));
      return;
    }
    List<ConnectionKind> wanted = use.kinds();
    ConnectionKind kind = found.get().kind();
    if (!wanted.isEmpty() && !wanted.contains(kind)) {
      report(
          WRONG_CONNECTION,
          use.position(),
          name + "/" + wanted,
          "%s needs %s, but connection '%s' is %s"
              .formatted(use.user(), anyOf(wanted, ConnectionKind::phrase), name, kind.phrase()),
          "Name another connection, or write this one with %s."
              .formatted(anyOf(wanted, one -> "'%s'".formatted(one.word()))));
    }
    for (String secret : found.get().secrets()) {
      if (!parts.secrets().has(secret)) {
        report(
            MISSING_SECRET,
            use.position(),
            secret,
            "%s uses connection '%s', which needs secret '%s', and that is not set"
                .formatted(use.user(), name, secret),
            setSecret(secret));
      }
    }
  }

  private static String anyOf(List<ConnectionKind> kinds, Function<ConnectionKind, String> words) {
    return kinds.stream().map(words).collect(Collectors.joining(" or "));
  }

  /** Compares guard keyed with what the connection says about keys. */
  private void keys(FlowStep step) {
    Finding found =
        KeyTerms.compare(
            step,
            name ->
                parts.connections().find(name).orElse(null) instanceof Connection.Http http
                    ? KeyTerms.of(http.idempotency())
                    : null);
    if (found != null && reported.add(List.of(found.rule(), step.id()))) {
      findings.add(found);
    }
  }

  private static String setSecret(String secret) {
    return "Set it: hapax secrets put %s.".formatted(secret);
  }

  /** A child that is not awaited must be there, too: its step would fail. */
  private void childFlow(FlowStep step) {
    for (String child : step.kind().startedFlows()) {
      if (!child.equals(file.name()) && !parts.flows().test(child)) {
        report(
            UNKNOWN_FLOW,
            step.kind().position(),
            child,
            "step '%s' starts flow '%s', which has no live release here"
                .formatted(step.id(), child),
            "Release and promote '%s' first, or correct the name.".formatted(child));
      }
    }
  }

  private void notifiedFlow(String name) {
    if (!name.equals(file.name()) && !parts.flows().test(name)) {
      report(
          UNKNOWN_FLOW,
          file.position(),
          name,
          "alerts or notices start flow '%s', which has no live release here".formatted(name),
          "Release and promote '%s' first, or correct the name.".formatted(name));
    }
  }

  private void handlers(FlowStep step) {
    FlowStep.Compensate undo = step.compensate();
    Stream.of(step.kind(), undo == null ? null : undo.kind()).forEach(kind -> handler(step, kind));
  }

  private void handler(FlowStep step, @Nullable FlowStepKind kind) {
    String handler = kind == null ? null : kind.handler();
    if (kind != null && handler != null && !parts.handlers().test(handler)) {
      report(
          UNKNOWN_HANDLER,
          kind.position(),
          handler,
          "step '%s' calls handler '%s', which this program does not have"
              .formatted(step.id(), handler),
          "Register it in Java before the server starts, or use a step of another kind.");
    }
  }

  private void report(String rule, Position position, String what, String message, String fix) {
    if (reported.add(List.of(rule, what))) {
      findings.add(new Finding(rule, Level.ERROR, position, message, fix));
    }
  }
}
