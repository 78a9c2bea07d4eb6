package dev.hapax.app.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

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
final class RunFlow extends ServerVerb {
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

  @Option(
      names = "--wait",
      arity = "0..1",
      paramLabel = "SECONDS",
      parameterConsumer = Wait.class,
      description = "Wait for its end, " + Wait.USUAL_SECONDS + " s unless told otherwise.")
  @Nullable Integer wait;

  @Option(names = "--watch", description = "Wait, and tell each entry of the history as it comes.")
  boolean watch;

  @Option(
      names = "--draft",
      description =
          "Run the draft: effects are recorded as what would be sent, and nothing is sent.")
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
    JsonNode run = reply.json();
    boolean replayed = "true".equals(reply.header("Idempotent-Replayed"));
    Answer answer;
    if (waits) {
      var atMost = Duration.ofSeconds(wait == null ? Wait.USUAL_SECONDS : wait);
      answer =
          RunAnswer.of(
              new RunWatch(server, call.output(), watch).follow(run, atMost), call.paint());
    } else {
      answer = Answer.of(run, text(new Item(run), replayed, call.paint()));
    }
    return answer.meta("replayed", replayed);
  }

  private static String text(Item run, boolean replayed, Paint paint) {
    return replayed
        ? RunText.sheet(run, paint)
            + "this key has a run already: it is the first one, nothing was started\n"
        : RunText.sheet(run, paint);
  }

  /** A header has no form for other letters: they would silently become another key. */
  static @Nullable String asHeader(@Nullable String key) {
    if (key != null && !StandardCharsets.US_ASCII.newEncoder().canEncode(key)) {
      throw Refusal.usage("--key: expected letters of ASCII, got '%s'".formatted(key))
          .hint(
              "give the flow a 'key:' that is computed from its input; there every letter is fine");
    }
    return key;
  }
}
