package dev.hapax.app.cli.bulk;

import dev.hapax.app.cli.verb.Inputs;
import dev.hapax.app.cli.verb.VerbCall;
import dev.hapax.app.cli.verb.VerbEntry;
import dev.hapax.app.cli.verb.VerbGroup;
import dev.hapax.json.Json;
import java.io.IOException;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "bulk",
    description = {
      "Retries, cancels, settles, redelivers, reconciles or deletes many at once, as a job.",
      "Each verb shows what it would act on, and asks; 'hapax jobs' follows the job."
    })
public final class BulkVerb extends VerbGroup {
  @Override
  public Stream<VerbEntry> inner() {
    return Stream.of(
        new VerbEntry("retry", Retry::new),
        new VerbEntry("cancel", Cancel::new),
        new VerbEntry("settle", Settle::new),
        new VerbEntry("redeliver", Redeliver::new),
        new VerbEntry("reconcile", Reconcile::new),
        new VerbEntry("delete", Delete::new));
  }

  /** Something that is done to runs. */
  abstract static class OnRuns extends BulkAct {
    @Mixin RunSelection runs = new RunSelection();

    @Override
    void select(Map<String, Object> filter) {
      runs.select(filter);
    }
  }

  @Command(
      name = "retry",
      description = {
        "Retries failed runs.",
        "Always safe: effects that happened are answered from the ledger and not sent again."
      })
  static final class Retry extends OnRuns {
    @Mixin ErrorSelection failed = new ErrorSelection();

    @Override
    String kind() {
      return "retry";
    }

    @Override
    void select(Map<String, Object> filter) {
      super.select(filter);
      failed.select(filter);
    }
  }

  @Command(
      name = "cancel",
      description = "Cancels runs. Effects in flight or in doubt are settled first.")
  static final class Cancel extends OnRuns {
    @Option(names = "--compensate", description = "Undo what the runs have done.")
    boolean compensate;

    @Option(
        names = "--reason",
        paramLabel = "TEXT",
        description = "Reason, recorded in the history.")
    @Nullable String reason;

    @Override
    String kind() {
      return "cancel";
    }

    @Override
    void describe(Map<String, Object> body, VerbCall call) {
      put(body, "compensate", compensate ? Boolean.TRUE : null);
      put(body, "reason", reason);
    }
  }

  @Command(
      name = "delete",
      description = {
        "Deletes ended runs before their retention is over.",
        "Their keys answer 'key-expired' from then on, and nothing is sent again: tombstones and"
            + " effects stay. A run that owns an open effect is skipped."
      })
  static final class Delete extends OnRuns {
    @Option(
        names = "--error",
        paramLabel = "CODE",
        description = "Only runs that failed with this code.")
    @Nullable String error;

    @Option(
        names = "--reason",
        paramLabel = "TEXT",
        required = true,
        description = "Reason, recorded in the job and in the audit log.")
    String reason = "";

    @Override
    String kind() {
      return "delete";
    }

    @Override
    void select(Map<String, Object> filter) {
      super.select(filter);
      put(filter, "error", error);
    }

    @Override
    void describe(Map<String, Object> body, VerbCall call) {
      put(body, "reason", reason);
    }
  }

  @Command(
      name = "settle",
      description = {
        "Settles effects in review, all with the same decision.",
        "An effect that was sent again since the plan is skipped."
      })
  static final class Settle extends BulkAct {
    @Option(
        names = "--decision",
        paramLabel = "DECISION",
        required = true,
        description = "happened, not-happened or abandon.")
    String decision = "";

    @Option(
        names = "--reason",
        paramLabel = "TEXT",
        required = true,
        description = "Reason, recorded in the history.")
    String reason = "";

    @Option(
        names = "--compensate",
        description = "Undo what happened, with all that its run did; only with 'happened'.")
    boolean compensate;

    @Option(
        names = "--flow",
        paramLabel = "FLOW",
        description = "Only effects of runs of this flow.")
    @Nullable String flow;

    @Option(names = "--step", paramLabel = "STEP", description = "Only effects of this step.")
    @Nullable String step;

    @Option(names = "--name", paramLabel = "NAME", description = "Only effects with this name.")
    @Nullable String name;

    @Option(names = "--key", paramLabel = "KEY", description = "Only effects with this key.")
    @Nullable String key;

    @Option(
        names = "--key-prefix",
        paramLabel = "TEXT",
        description = "Only effects whose key begins with this.")
    @Nullable String keyPrefix;

    @Option(
        names = "--label",
        paramLabel = "LABEL",
        description = "Only effects of runs of flows with this label.")
    @Nullable String label;

    @Option(
        names = "--cause",
        paramLabel = "CAUSE",
        description = "Only reviews with this cause, as 'hapax review causes' names it.")
    @Nullable String cause;

    @Option(
        names = "--result",
        paramLabel = "JSON",
        description =
            "Result of each effect, if it happened: text, @FILE, or - for standard input.")
    @Nullable String result;

    @Override
    String kind() {
      return "settle";
    }

    @Override
    void select(Map<String, Object> filter) {
      put(filter, "flow", flow);
      put(filter, "step", step);
      put(filter, "name", name);
      put(filter, "key", key);
      put(filter, "keyPrefix", keyPrefix);
      put(filter, "label", label);
      put(filter, "cause", cause);
    }

    @Override
    void describe(Map<String, Object> body, VerbCall call) throws IOException {
      put(
          body,
          "result",
          result == null ? null : Json.tree(Inputs.json(result, call.surroundings())));
      body.put("decision", decision);
      body.put("reason", reason);
      put(body, "compensate", compensate ? Boolean.TRUE : null);
    }
  }

  @Command(
      name = "reconcile",
      description = {
        "Begins a reconciliation of each step of flows that can be compared with its destination.",
        "The result of a step names its reconciliation: hapax reconcile show ID"
      })
  static final class Reconcile extends BulkAct {
    @Option(names = "--flow", paramLabel = "FLOW", description = "Only steps of this flow.")
    @Nullable String flow;

    @Option(
        names = "--label",
        paramLabel = "LABEL",
        description = "Only steps of flows with this label.")
    @Nullable String label;

    @Option(names = "--step", paramLabel = "STEP", description = "Only this step.")
    @Nullable String step;

    @Option(
        names = "--adopt",
        description = "Write external ids that are found into the ledger, and settle reviews.")
    boolean adopt;

    @Option(
        names = "--repair",
        description = "Plan how to send again what is missing; 'hapax reconcile repair' does it.")
    boolean repair;

    @Override
    String kind() {
      return "reconcile";
    }

    @Override
    void select(Map<String, Object> filter) {
      put(filter, "flow", flow);
      put(filter, "label", label);
      put(filter, "step", step);
    }

    @Override
    void describe(Map<String, Object> body, VerbCall call) {
      put(body, "adopt", adopt ? Boolean.TRUE : null);
      put(body, "repair", repair ? Boolean.TRUE : null);
    }
  }

  @Command(
      name = "redeliver",
      description = {
        "Delivers dead letters again, under the same ids; or tries events again.",
        "Give a destination of messages, or a source of events."
      })
  static final class Redeliver extends BulkAct {
    @Option(
        names = "--destination",
        paramLabel = "NAME",
        description = "Only messages to this destination; * for all.")
    @Nullable String destination;

    @Option(
        names = "--source",
        paramLabel = "PATH",
        description = "Only events from this webhook or queue.")
    @Nullable String source;

    @Option(
        names = "--outcome",
        paramLabel = "OUTCOME",
        description = "Only events that are invalid, rejected or in review.")
    @Nullable String outcome;

    @Override
    String kind() {
      return "redeliver";
    }

    @Override
    void select(Map<String, Object> filter) {
      put(filter, "destination", destination);
      put(filter, "source", source);
      put(filter, "outcome", outcome);
    }
  }
}
