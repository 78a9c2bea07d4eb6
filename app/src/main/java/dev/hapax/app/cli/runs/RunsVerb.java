package dev.hapax.app.cli.runs;

import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.ServerReply;
import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.verb.Inputs;
import dev.hapax.app.cli.verb.ServerVerb;
import dev.hapax.app.cli.verb.VerbCall;
import dev.hapax.app.cli.verb.VerbEntry;
import dev.hapax.json.Json;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "runs",
    description = "Lists runs, newest first; shows, cancels, retries and resumes a run.")
public final class RunsVerb extends RunList {
  @Override
  public Stream<VerbEntry> inner() {
    return Stream.of(
        new VerbEntry("list", List::new),
        new VerbEntry("show", Show::new),
        new VerbEntry("history", History::new),
        new VerbEntry("cancel", Cancel::new),
        new VerbEntry("retry", Retry::new),
        new VerbEntry("try-now", TryNowVerb::new),
        new VerbEntry("resume", ResumeVerb::new),
        new VerbEntry("settle-step", SettleStep::new),
        new VerbEntry("forget", Forget::new));
  }

  @Command(name = "list", description = "Lists runs, newest first.")
  static final class List extends RunList {}

  /** Something about one run. */
  abstract static class OneRun extends ServerVerb {
    @Parameters(paramLabel = "RUN", description = "Id of the run.")
    String run = "";
  }

  @Command(
      name = "show",
      aliases = "get",
      description = "Shows a run.",
      footer = {
        "",
        "With --watch, the exit code says how the run ended, as with 'hapax run --wait'."
      })
  static final class Show extends WaitingVerb {
    @Parameters(paramLabel = "RUN", description = "Id of the run.")
    String run = "";

    @Option(
        names = "--watch",
        description = "Follow the run until it ends or waits for a person, and print its history.")
    boolean watch;

    @Override
    protected VerbAnswer answer(VerbCall call, ServerClient server) throws InterruptedException {
      JsonNode found = server.ask(ServerRequest.get("/api/runs/{}", run)).json();
      VerbAnswer answer =
          followed(call, server, found, watch ? Watching.TO_THE_END : Watching.ONLY_IF_ASKED);
      java.util.List<Item> stopped = RunWatch.duplicates(server, new Item(found));
      return stopped.isEmpty()
          ? answer
          : answer
              .note(RunText.duplicates(stopped, call.paint()).stripTrailing())
              .meta("duplicates", stopped.stream().map(Item::json).toList());
    }
  }

  @Command(name = "history", description = "Shows what happened in a run, and why.")
  static final class History extends OneRun {
    @Option(
        names = "--limit",
        paramLabel = "N",
        description = "Maximum number of entries, up to 200.")
    @Nullable Integer limit;

    @Option(
        names = "--after",
        paramLabel = "CURSOR",
        description = "Continue after a page: its 'next'.")
    @Nullable String after;

    @Override
    protected VerbAnswer answer(VerbCall call, ServerClient server) {
      JsonNode page =
          server
              .ask(
                  ServerRequest.get("/api/runs/{}/history", run)
                      .query("limit", limit)
                      .query("after", after))
              .json();
      return VerbAnswer.of(
          page,
          new Item(page)
              .items("items").stream()
                  .map(entry -> RunText.line(entry, call.paint()))
                  .collect(Collectors.joining("\n")));
    }
  }

  @Command(
      name = "cancel",
      description = "Cancels a run. Effects in flight or in doubt are settled first.")
  static final class Cancel extends OneRun {
    @Option(names = "--compensate", description = "Undo what the run has done, in reverse order.")
    boolean compensate;

    @Option(
        names = "--reason",
        paramLabel = "TEXT",
        description = "Reason, recorded in the history.")
    @Nullable String reason;

    @Override
    protected VerbAnswer answer(VerbCall call, ServerClient server) {
      var body = new LinkedHashMap<String, Object>();
      if (compensate) {
        body.put("compensate", true);
      }
      if (reason != null) {
        body.put("reason", reason);
      }
      return RunAnswer.seen(
          server.ask(ServerRequest.post("/api/runs/{}/cancel", run).json(body)).json(),
          call.paint());
    }
  }

  @Command(
      name = "retry",
      description = {
        "Continues a run with what failed.",
        "Always safe: effects that happened are answered from the ledger and not sent again."
      })
  static final class Retry extends WaitingVerb {
    @Parameters(paramLabel = "RUN", description = "Id of the run.")
    String run = "";

    @Option(
        names = "--input",
        paramLabel = "JSON",
        description = "A corrected input with the same key: text, @FILE, or - for standard input.")
    @Nullable String input;

    @Override
    protected VerbAnswer answer(VerbCall call, ServerClient server)
        throws IOException, InterruptedException {
      String body =
          input == null
              ? "{}"
              : "{\"input\":%s}".formatted(Inputs.json(input, call.surroundings()));
      JsonNode retried =
          server.ask(ServerRequest.post("/api/runs/{}/retry", run).json(body)).json();
      return followed(call, server, retried, Watching.ONLY_IF_ASKED);
    }
  }

  @Command(
      name = "settle-step",
      description = "Records the output of a failed step that was done by hand; the run continues.")
  static final class SettleStep extends ServerVerb {
    @Parameters(index = "0", paramLabel = "RUN", description = "Id of the run.")
    String run = "";

    @Parameters(index = "1", paramLabel = "STEP", description = "Id of the step.")
    String step = "";

    @Option(names = "--item", paramLabel = "KEY", description = "Item of a loop.")
    @Nullable String item;

    @Option(
        names = "--output",
        paramLabel = "JSON",
        defaultValue = "null",
        description = "Output of the step (${DEFAULT-VALUE}).")
    String output = "";

    @Option(
        names = "--reason",
        paramLabel = "TEXT",
        required = true,
        description = "Reason, recorded in the history.")
    String reason = "";

    @Override
    protected VerbAnswer answer(VerbCall call, ServerClient server) throws IOException {
      var body = new LinkedHashMap<String, Object>();
      body.put("output", Json.tree(Inputs.json(output, call.surroundings())));
      if (item != null) {
        body.put("item", item);
      }
      body.put("reason", reason);
      return RunAnswer.seen(
          server
              .ask(ServerRequest.post("/api/runs/{}/steps/{}/settle", run, step).json(body))
              .json(),
          call.paint());
    }
  }

  @Command(
      name = "forget",
      description = {
        "Forgets the key of a run that has ended, so that it can be used again.",
        "Effects are never forgotten: what was done is not done again."
      })
  static final class Forget extends ServerVerb {
    @Parameters(index = "0", paramLabel = "FLOW", description = "Name of the flow.")
    String flow = "";

    @Parameters(index = "1", paramLabel = "KEY", description = "Key of the run.")
    String key = "";

    @Option(
        names = "--reason",
        paramLabel = "TEXT",
        required = true,
        description = "Reason, recorded in the history.")
    String reason = "";

    @Override
    protected VerbAnswer answer(VerbCall call, ServerClient server) {
      ServerReply reply =
          server.ask(
              ServerRequest.delete("/api/flows/{}/keys/{+}", flow, key).query("reason", reason));
      return VerbAnswer.of(reply.json(), "forgot key '%s' of flow '%s'".formatted(key, flow));
    }
  }
}
