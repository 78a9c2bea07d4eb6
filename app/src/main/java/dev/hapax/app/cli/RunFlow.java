package dev.hapax.app.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "run",
    description = {
      "Starts a run of a flow.",
      "A second start with the same key gets the first run and its result; nothing is done twice."
    },
    footer = {
      "",
      "With --wait the exit code tells how it ended: 0 succeeded, or it still runs; 1 failed,"
          + " partial, canceled or",
      "compensated; 6 it waits for a person."
    })
final class RunFlow extends WaitVerb {
  private static final String REPLAYED =
      "this key has a run already: it is the first one, nothing was started";

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
      description = "The run's key, where the flow has none of its own.")
  @Nullable String key;

  @Option(names = "--watch", description = "Wait, and tell each entry of the history as it comes.")
  boolean watch;

  @Option(
      names = "--draft",
      description = "Run the draft: nothing is sent, and with --wait it is told what would be.")
  boolean draft;

  @Override
  Answer answer(Call call, Server server) throws IOException, InterruptedException {
    String body = input == null ? "{}" : Inputs.json(input, call.surroundings());
    boolean waits = wait != null || watch;
    Reply reply =
        server.ask(
            Request.post("/api/flows/{}/runs", flow)
                .query("draft", draft ? true : null)
                .header("Idempotency-Key", asHeader(key))
                .header("Prefer", waits ? "wait=1" : null)
                .json(body));
    boolean replayed = "true".equals(reply.header("Idempotent-Replayed"));
    Answer answer =
        followed(call, server, reply.json(), watch ? Watching.A_WHILE : Watching.ONLY_IF_ASKED)
            .note(replayed ? REPLAYED : "")
            .meta("replayed", replayed);
    return draft && waits ? withWhatWouldBeSent(answer, server, new Item(reply.json())) : answer;
  }

  /** Answers with the run even if this token may not see effects. */
  private static Answer withWhatWouldBeSent(Answer answer, Server server, Item run) {
    Reply found = server.send(Request.get("/api/effects").query("draft", true).query("limit", 200));
    if (found.status() >= 300) {
      return answer;
    }
    List<Item> effects =
        new Item(found.json())
            .items("items").stream()
                .filter(effect -> effect.text("run").equals(run.text("id")))
                .toList();
    var lines = new ArrayList<String>();
    lines.add("this was a draft: nothing was sent" + (effects.isEmpty() ? "" : ". It would send"));
    for (Item effect : effects) {
      lines.add(
          "  %s '%s', guard %s: %s"
              .formatted(
                  effect.text("step"),
                  effect.text("key"),
                  effect.text("guard"),
                  effect.text("request")));
    }
    return answer
        .note(Words.plain(String.join("\n", lines)))
        .meta("wouldSend", effects.stream().map(Item::json).toList());
  }

  /** A header cannot carry other letters: they would silently become another key. */
  static @Nullable String asHeader(@Nullable String key) {
    if (key != null && !StandardCharsets.US_ASCII.newEncoder().canEncode(key)) {
      throw Refusal.usage("--key: expected letters of ASCII, got '%s'".formatted(key))
          .hint(
              "give the flow a 'key:' that is computed from its input; there every letter is fine");
    }
    return key;
  }
}
