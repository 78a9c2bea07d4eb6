package dev.hapax.app.cli.runs;

import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.Sheet;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.verb.ServerVerb;
import dev.hapax.app.cli.verb.VerbCall;
import dev.hapax.app.cli.verb.VerbEntry;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "queues",
    description =
        "Lists the queues that flows read, and how far; pauses and resumes them, and reads messages"
            + " again.")
public final class QueuesVerb extends QueueList {
  @Override
  public Stream<VerbEntry> inner() {
    return Stream.of(
        new VerbEntry("list", List::new),
        new VerbEntry("show", Show::new),
        new VerbEntry("pause", Pause::new),
        new VerbEntry("resume", Resume::new),
        new VerbEntry("seek", Seek::new));
  }

  /** Returns how fast it is read now. */
  static String rate(Item queue) {
    String perMinute = queue.text("perMinute");
    return perMinute.isEmpty() ? "" : perMinute + "/min";
  }

  @Command(name = "list", description = "Lists queues, by name.")
  static final class List extends QueueList {}

  /** Something about one queue. */
  abstract static class One extends ServerVerb {
    @Parameters(paramLabel = "NAME", description = "Name of the queue.")
    String name = "";

    protected abstract ServerRequest request();

    @Override
    protected VerbAnswer answer(VerbCall call, ServerClient server) {
      JsonNode found = server.ask(request()).json();
      var queue = new Item(found);
      return VerbAnswer.of(
          found,
          new Sheet()
              .line("flow", queue.text("flow"))
              .line("connection", queue.text("connection"))
              .line("queue", queue.text("queue"))
              .line("status", queue.text("status"))
              .line("problem", queue.text("problem"))
              .line("notice", queue.text("notice"))
              .line("ordered", queue.text("ordered"))
              .line("received", queue.text("received"))
              .line("duplicates", queue.text("duplicates"))
              .line("invalid", queue.text("invalid"))
              .line("filtered", queue.text("filtered"))
              .line("rate", rate(queue))
              .line("lag", queue.text("lag"))
              .line("rebalances", queue.text("rebalances"))
              .line("deleted unread", queue.text("deletedUnread"))
              .line("last", queue.time("lastAt"))
              .text("queue " + queue.text("name"), call.paint()));
    }
  }

  @Command(name = "show", aliases = "get", description = "Shows a queue.")
  static final class Show extends One {
    @Override
    protected ServerRequest request() {
      return ServerRequest.get("/api/queues/{}", name);
    }
  }

  @Command(
      name = "pause",
      description = "Pauses a queue on all nodes: its messages stay at the broker.")
  static final class Pause extends One {
    @Override
    protected ServerRequest request() {
      return ServerRequest.post("/api/queues/{}/pause", name).json("{}");
    }
  }

  @Command(name = "resume", description = "Resumes a queue.")
  static final class Resume extends One {
    @Override
    protected ServerRequest request() {
      return ServerRequest.post("/api/queues/{}/resume", name).json("{}");
    }
  }

  @Command(
      name = "seek",
      description =
          "Lets the messages since a time come again. Those that came before start nothing.")
  static final class Seek extends One {
    @Option(
        names = "--since",
        paramLabel = "TIME",
        required = true,
        description = "When the first of them came, in ISO-8601.")
    String since = "";

    @Override
    protected ServerRequest request() {
      return ServerRequest.post("/api/queues/{}/seek", name).json(Map.of("since", since));
    }

    @Override
    protected VerbAnswer answer(VerbCall call, ServerClient server) {
      JsonNode done = server.ask(request()).json();
      return VerbAnswer.of(done, "messages that come again: " + new Item(done).text("messages"));
    }
  }
}
