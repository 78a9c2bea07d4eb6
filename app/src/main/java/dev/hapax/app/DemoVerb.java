package dev.hapax.app;

import dev.hapax.app.cli.Answer;
import dev.hapax.app.cli.Call;
import dev.hapax.app.cli.Exit;
import dev.hapax.app.cli.Refusal;
import dev.hapax.app.cli.Verb;
import dev.hapax.app.demo.Demo;
import dev.hapax.app.demo.DemoOptions;
import dev.hapax.app.demo.Report;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "demo",
    description = {
      "Everything goes wrong on purpose, and the books still agree.",
      "Orders are paid, invoiced, mailed and shipped by a server that is killed; then the books are"
          + " compared.",
      "Killed at any moment and started again it goes on. Started again after its end it works off"
          + " a new batch."
    },
    footer = {
      "",
      "Exit code 0: the books agree; 1: they do not; 2: the command line is wrong; 3: DIR is in"
          + " use."
    })
final class DemoVerb extends Verb {
  @Option(
      names = "--orders",
      paramLabel = "N",
      defaultValue = "200",
      description = "How many orders to work off (${DEFAULT-VALUE}).")
  int orders;

  @Option(
      names = "--seed",
      paramLabel = "S",
      defaultValue = "1",
      description = "Which faults happen to whom (${DEFAULT-VALUE}).")
  long seed;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      defaultValue = "hapax-demo",
      description = "Where it keeps its database, and the sandbox its books (./${DEFAULT-VALUE}).")
  Path data = DemoOptions.USUAL_FOLDER;

  @Option(names = "--keep", description = "Let the server run on after the end, to look around.")
  boolean keep;

  @Override
  protected Answer answer(Call call) throws IOException, InterruptedException {
    if (orders < 1 || orders > DemoOptions.MOST_ORDERS) {
      throw Refusal.usage(
          "--orders: expected 1 to %d, got %d".formatted(DemoOptions.MOST_ORDERS, orders));
    }
    boolean json = call.output().isJson();
    try (Demo demo =
        Demo.open(
            new DemoOptions(orders, seed, data),
            DemoServer.class,
            json ? call.surroundings().err() : call.surroundings().out(),
            !json)) {
      Answer answer = answer(demo.play());
      call.output().say(answer);
      if (keep) {
        call.output()
            .tell("The server stays at %s until you stop it (Ctrl-C).".formatted(demo.address()));
        new CountDownLatch(1).await();
      }
      return Answer.said(answer.exit());
    } catch (Demo.InUse e) {
      throw Refusal.of(Exit.REFUSED, "in-use", "another demo is at work in " + data)
          .hint("wait for it, or use another folder with --data DIR");
    } catch (IOException | IllegalStateException e) {
      throw Refusal.of(Exit.RUN_FAILED, "demo-failed", "demo: " + e.getMessage());
    }
  }

  private Answer answer(Report report) {
    Answer answer =
        Answer.of(report.data(), report.text())
            .meta("dataFolder", data.toString())
            .meta("seconds", report.roundedSeconds());
    return report.agrees()
        ? answer
        : answer.refused(
            Refusal.of(
                    Exit.RUN_FAILED,
                    "books-disagree",
                    "the books do not agree: " + report.figures())
                .details(report.problems())
                .hint("sandbox-books.jsonl and server/ in the data folder hold both sides"));
  }
}
