package dev.hapax.app.cli.runs;

import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.ServerReply;
import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.Refusal;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.output.Words;
import dev.hapax.app.cli.verb.Inputs;
import dev.hapax.app.cli.verb.VerbCall;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "run",
    description = {
      "Starts a run of a flow.",
      "A second start with the same key returns the first run and its result; nothing is done twice."
    },
    footer = {
      "",
      "With --wait, the exit code says how the run ended: 0 it succeeded, or is still running; 1 it"
          + " failed, is partial,",
      "canceled or compensated; 6 it is waiting for a person."
    })
public final class RunVerb extends WaitingVerb {
  private static final String REPLAYED =
      "this key already has a run: this is that run, and nothing was started";

  @Parameters(paramLabel = "FLOW", description = "Name of the flow.")
  String flow = "";

  @Option(
      names = "--input",
      paramLabel = "JSON",
      description = "The input: text, @FILE, or - for standard input ({} if not given).")
  @Nullable String input;

  @Option(
      names = "--key",
      paramLabel = "KEY",
      description = "Key of the run, if the flow does not compute one.")
  @Nullable String key;

  @Option(names = "--watch", description = "Wait, and print each history entry as it arrives.")
  boolean watch;

  @Option(
      names = "--draft",
      description = "Run the draft: nothing is sent; with --wait, show what would be sent.")
  boolean draft;

  @Override
  protected VerbAnswer answer(VerbCall call, ServerClient server)
      throws IOException, InterruptedException {
    String body = input == null ? "{}" : Inputs.json(input, call.surroundings());
    boolean waits = wait != null || watch;
    ServerReply reply =
        server.ask(
            ServerRequest.post("/api/flows/{}/runs", flow)
                .query("draft", draft ? true : null)
                .header("Idempotency-Key", asHeader(key))
                .header("Prefer", waits ? "wait=1" : null)
                .json(body));
    boolean replayed = "true".equals(reply.header("Idempotent-Replayed"));
    VerbAnswer answer =
        followed(call, server, reply.json(), watch ? Watching.A_WHILE : Watching.ONLY_IF_ASKED)
            .note(replayed ? REPLAYED : "")
            .meta("replayed", replayed);
    return draft && waits ? withWhatWouldBeSent(answer) : answer;
  }

  /** The server lists effects only for a token that may see them. */
  private static VerbAnswer withWhatWouldBeSent(VerbAnswer answer) {
    if (!(answer.data() instanceof JsonNode run) || !run.has("wouldSend")) {
      return answer;
    }
    List<Item> effects = new Item(run).items("wouldSend");
    var lines = new ArrayList<String>();
    lines.add("this was a draft: nothing was sent" + (effects.isEmpty() ? "" : ". It would send"));
    for (Item effect : effects) {
      lines.add(
          Words.line(
              "  %d. %s '%s', guard %s: %s"
                  .formatted(
                      lines.size(),
                      effect.text("step"),
                      effect.text("key"),
                      effect.text("guard"),
                      effect.text("request"))));
    }
    return answer
        .note(String.join("\n", lines))
        .meta("wouldSend", effects.stream().map(Item::json).toList());
  }

  /** A header cannot carry other letters: they would silently become another key. */
  static @Nullable String asHeader(@Nullable String key) {
    if (key != null && !StandardCharsets.US_ASCII.newEncoder().canEncode(key)) {
      throw Refusal.usage("--key: expected ASCII characters, got '%s'".formatted(key))
          .hint(
              "give the flow a 'key:' that is computed from its input; it may have any characters");
    }
    return key;
  }
}
