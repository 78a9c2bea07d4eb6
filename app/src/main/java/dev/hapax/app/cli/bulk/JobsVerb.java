package dev.hapax.app.cli.bulk;

import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.verb.ServerVerb;
import dev.hapax.app.cli.verb.VerbCall;
import dev.hapax.app.cli.verb.VerbEntry;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "jobs",
    description = {
      "Lists jobs, newest first; shows, applies, pauses, resumes and cancels a job.",
      "'hapax bulk' begins them."
    })
public final class JobsVerb extends JobList {
  @Override
  public Stream<VerbEntry> inner() {
    return Stream.of(
        new VerbEntry("list", List::new),
        new VerbEntry("show", Show::new),
        new VerbEntry("results", Results::new),
        new VerbEntry("apply", Apply::new),
        new VerbEntry("pause", Pause::new),
        new VerbEntry("resume", Resume::new),
        new VerbEntry("cancel", Cancel::new));
  }

  @Command(name = "list", description = "Lists jobs, newest first.")
  static final class List extends JobList {}

  /** Something about one job. */
  abstract static class OneJob extends ServerVerb {
    @Parameters(paramLabel = "JOB", description = "Id of the job.")
    String job = "";

    abstract ServerRequest request();

    @Override
    protected VerbAnswer answer(VerbCall call, ServerClient server) {
      JsonNode found = server.ask(request()).json();
      return VerbAnswer.of(found, JobText.sheet(new Item(found), call.paint()));
    }
  }

  /** Something that may change the rate. */
  abstract static class Rated extends OneJob {
    @Option(
        names = "--rate",
        paramLabel = "N",
        description = "The most items in a second from now on.")
    @Nullable Integer rate;

    Map<String, Object> rated() {
      var body = new LinkedHashMap<String, Object>();
      if (rate != null) {
        body.put("rate", rate);
      }
      return body;
    }
  }

  @Command(name = "show", aliases = "get", description = "Shows how far a job is.")
  static final class Show extends OneJob {
    @Override
    ServerRequest request() {
      return ServerRequest.get("/api/jobs/{}", job).query("limit", 1);
    }
  }

  @Command(name = "results", description = "Shows the items of a job, and what came of each.")
  static final class Results extends ServerVerb {
    @Parameters(paramLabel = "JOB", description = "Id of the job.")
    String job = "";

    @Option(
        names = "--result",
        paramLabel = "STATE",
        description = "Only items in this state: open, doing, done, failed or skipped.")
    @Nullable String result;

    @Option(
        names = "--limit",
        paramLabel = "N",
        description = "Maximum number of items, up to 200.")
    @Nullable Integer limit;

    @Option(
        names = "--after",
        paramLabel = "CURSOR",
        description = "Continue after a page: its 'next'.")
    @Nullable String after;

    @Override
    protected VerbAnswer answer(VerbCall call, ServerClient server) {
      JsonNode found =
          server
              .ask(
                  ServerRequest.get("/api/jobs/{}", job)
                      .query("result", result)
                      .query("limit", limit)
                      .query("after", after))
              .json();
      var item = new Item(found);
      String next = item.text("next");
      return VerbAnswer.of(found, JobText.results(item, call.paint()))
          .note(next.isEmpty() ? "" : "more: --after " + next);
    }
  }

  @Command(
      name = "apply",
      description = "Lets a plan act on the items that it has found, and on no others.")
  static final class Apply extends Rated {
    @Override
    ServerRequest request() {
      Map<String, Object> body = rated();
      body.put("apply", job);
      return ServerRequest.post("/api/jobs").json(body);
    }
  }

  @Command(
      name = "pause",
      description = "Stops a job for now. At most the item under way is still done.")
  static final class Pause extends OneJob {
    @Override
    ServerRequest request() {
      return ServerRequest.post("/api/jobs/{}/pause", job).json("{}");
    }
  }

  @Command(name = "resume", description = "Lets a paused job go on.")
  static final class Resume extends Rated {
    @Override
    ServerRequest request() {
      return ServerRequest.post("/api/jobs/{}/resume", job).json(rated());
    }
  }

  @Command(
      name = "cancel",
      description = "Ends a job. What it has done stays done; its other items stay open.")
  static final class Cancel extends OneJob {
    @Override
    ServerRequest request() {
      return ServerRequest.post("/api/jobs/{}/cancel", job).json("{}");
    }
  }
}
