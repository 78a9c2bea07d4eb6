package dev.hapax.app.cli.runs;

import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.verb.ServerVerb;
import dev.hapax.app.cli.verb.VerbCall;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** A verb about a run that can wait for its end. */
abstract class WaitingVerb extends ServerVerb {
  @Option(
      names = "--wait",
      arity = "0..1",
      paramLabel = "SECONDS",
      parameterConsumer = WaitOption.class,
      description =
          "Wait for the end of the run, for " + WaitOption.USUAL_SECONDS + " s by default.")
  @Nullable Integer wait;

  /** Whether the user asked to watch the run, and for how long without {@code --wait}. */
  enum Watching {
    ONLY_IF_ASKED(false, WaitOption.USUAL_SECONDS),
    A_WHILE(true, WaitOption.USUAL_SECONDS),
    TO_THE_END(true, (int) Duration.ofDays(365).toSeconds());

    private final boolean live;
    private final int usualSeconds;

    Watching(boolean live, int usualSeconds) {
      this.live = live;
      this.usualSeconds = usualSeconds;
    }
  }

  /** Returns the run at its end, if the user waits for that; otherwise as it is. */
  final VerbAnswer followed(VerbCall call, ServerClient server, JsonNode run, Watching watching)
      throws InterruptedException {
    if (wait == null && !watching.live) {
      return RunAnswer.seen(run, call.paint());
    }
    var atMost = Duration.ofSeconds(wait == null ? watching.usualSeconds : wait);
    var watch = new RunWatch(server, call.output(), watching.live);
    return RunAnswer.of(watch.follow(run, atMost), call.paint());
  }
}
