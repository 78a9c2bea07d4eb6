package dev.hapax.app;

import dev.hapax.app.cli.output.Exit;
import dev.hapax.app.cli.output.Refusal;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.verb.Verb;
import dev.hapax.app.cli.verb.VerbCall;
import dev.hapax.app.demo.Demo;
import dev.hapax.app.demo.DemoOptions;
import dev.hapax.app.demo.DemoReport;
import dev.hapax.app.demo.DemoTour;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "demo",
    description = {
      "Shows that effects happen once although everything goes wrong on purpose.",
      "A server pays, invoices, mails and ships orders and is killed meanwhile; then the demo"
          + " compares the books.",
      "If you kill the demo and start it again, it continues. After its end, a new start processes"
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
      description = "Number of orders to process (${DEFAULT-VALUE}).")
  int orders;

  @Option(
      names = "--seed",
      paramLabel = "S",
      defaultValue = "1",
      description = "Seed that selects the faults (${DEFAULT-VALUE}).")
  long seed;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      defaultValue = "hapax-demo",
      description = "Folder for the database and the books of the sandbox (./${DEFAULT-VALUE}).")
  Path data = DemoOptions.USUAL_FOLDER;

  @Option(names = "--keep", description = "Keep the server running after the end, to look around.")
  boolean keep;

  @Override
  public VerbAnswer answer(VerbCall call) throws IOException, InterruptedException {
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
      VerbAnswer answer = answer(demo.play());
      call.output().say(answer);
      if (keep) {
        call.output()
            .tell("The server runs at %s until you stop it (Ctrl-C).".formatted(demo.address()));
        call.output()
            .tell(
                "Open this address in a browser. The login needs the token in %s."
                    .formatted(demo.tokenFile()));
        DemoTour tour = demo.tour();
        if (tour != null) {
          call.output().tell("Follow the story there:");
          tour.lines().forEach(call.output()::tell);
        }
        new CountDownLatch(1).await();
      }
      return VerbAnswer.said(answer.exit());
    } catch (Demo.InUse e) {
      throw Refusal.of(Exit.REFUSED, "in-use", "another demo is running in " + data)
          .hint("wait for it, or use another folder with --data DIR");
    } catch (IOException | IllegalStateException e) {
      throw Refusal.of(Exit.RUN_FAILED, "demo-failed", "demo: " + e.getMessage());
    }
  }

  private VerbAnswer answer(DemoReport report) {
    VerbAnswer answer =
        VerbAnswer.of(report.data(), report.text())
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
