package dev.hapax.app.cli;

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
    description = "Lists runs, newest first; shows one, its history, cancels and retries it.")
final class Runs extends RunList {
  @Override
  Stream<VerbEntry> inner() {
    return Stream.of(
        new VerbEntry("list", List::new),
        new VerbEntry("show", Show::new),
        new VerbEntry("history", History::new),
        new VerbEntry("cancel", Cancel::new),
        new VerbEntry("retry", Retry::new),
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
      footer = {"", "With --watch the exit code tells how it ended, as with 'hapax run --wait'."})
  static final class Show extends WaitVerb {
    @Parameters(paramLabel = "RUN", description = "Id of the run.")
    String run = "";

    @Option(
        names = "--watch",
        description = "Follow it to its end, or until it waits for a person; tell what happens.")
    boolean watch;

    @Override
    Answer answer(Call call, Server server) throws InterruptedException {
      JsonNode found = server.ask(Request.get("/api/runs/{}", run)).json();
      return followed(call, server, found, watch ? Watching.TO_THE_END : Watching.ONLY_IF_ASKED);
    }
  }

  @Command(name = "history", description = "Tells what happened in a run, and why.")
  static final class History extends OneRun {
    @Option(
        names = "--limit",
        paramLabel = "N",
        description = "How many entries at most, up to 200.")
    @Nullable Integer limit;

    @Option(
        names = "--after",
        paramLabel = "CURSOR",
        description = "Go on after a page: its 'next'.")
    @Nullable String after;

    @Override
    Answer answer(Call call, Server server) {
      JsonNode page =
          server
              .ask(
                  Request.get("/api/runs/{}/history", run)
                      .query("limit", limit)
                      .query("after", after))
              .json();
      return Answer.of(
          page,
          new Item(page)
              .items("items").stream()
                  .map(entry -> RunText.line(entry, call.paint()))
                  .collect(Collectors.joining("\n")));
    }
  }

  @Command(
      name = "cancel",
      description = "Asks for a run's end. What is in flight or in doubt is settled first.")
  static final class Cancel extends OneRun {
    @Option(names = "--compensate", description = "Undo what it has done, in reverse order.")
    boolean compensate;

    @Option(names = "--reason", paramLabel = "TEXT", description = "Stays in the history.")
    @Nullable String reason;

    @Override
    Answer answer(Call call, Server server) {
      var body = new LinkedHashMap<String, Object>();
      if (compensate) {
        body.put("compensate", true);
      }
      if (reason != null) {
        body.put("reason", reason);
      }
      return RunAnswer.seen(
          server.ask(Request.post("/api/runs/{}/cancel", run).json(body)).json(), call.paint());
    }
  }

  @Command(
      name = "retry",
      description = {
        "Goes on with what failed.",
        "Always safe: what was done answers from the ledger and is not sent again."
      })
  static final class Retry extends WaitVerb {
    @Parameters(paramLabel = "RUN", description = "Id of the run.")
    String run = "";

    @Option(
        names = "--input",
        paramLabel = "JSON",
        description =
            "A corrected input that gives the same key: text, @FILE, or - for standard input.")
    @Nullable String input;

    @Override
    Answer answer(Call call, Server server) throws IOException, InterruptedException {
      String body =
          input == null
              ? "{}"
              : "{\"input\":%s}".formatted(Inputs.json(input, call.surroundings()));
      JsonNode retried = server.ask(Request.post("/api/runs/{}/retry", run).json(body)).json();
      return followed(call, server, retried, Watching.ONLY_IF_ASKED);
    }
  }

  @Command(
      name = "settle-step",
      description = "Records by hand what a failed step should have done, and the run goes on.")
  static final class SettleStep extends ServerVerb {
    @Parameters(index = "0", paramLabel = "RUN", description = "Id of the run.")
    String run = "";

    @Parameters(index = "1", paramLabel = "STEP", description = "Id of the step.")
    String step = "";

    @Option(names = "--item", paramLabel = "KEY", description = "Which item of a loop.")
    @Nullable String item;

    @Option(
        names = "--output",
        paramLabel = "JSON",
        defaultValue = "null",
        description = "What the step should have put out (${DEFAULT-VALUE}).")
    String output = "";

    @Option(
        names = "--reason",
        paramLabel = "TEXT",
        required = true,
        description = "Stays in the history.")
    String reason = "";

    @Override
    Answer answer(Call call, Server server) throws IOException {
      var body = new LinkedHashMap<String, Object>();
      body.put("output", Json.tree(Inputs.json(output, call.surroundings())));
      if (item != null) {
        body.put("item", item);
      }
      body.put("reason", reason);
      return RunAnswer.seen(
          server.ask(Request.post("/api/runs/{}/steps/{}/settle", run, step).json(body)).json(),
          call.paint());
    }
  }

  @Command(
      name = "forget",
      description = {
        "Forgets the key of a run that has ended, so that it can be used anew.",
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
        description = "Stays in the history.")
    String reason = "";

    @Override
    Answer answer(Call call, Server server) {
      Reply reply =
          server.ask(Request.delete("/api/flows/{}/keys/{+}", flow, key).query("reason", reason));
      return Answer.of(reply.json(), "key '%s' of flow '%s' is forgotten".formatted(key, flow));
    }
  }
}
