package dev.hapax.app;

import dev.hapax.app.cli.connection.DevAddress;
import dev.hapax.app.cli.dev.DevVerbs;
import dev.hapax.app.cli.output.Exit;
import dev.hapax.app.cli.output.Output;
import dev.hapax.app.cli.output.Refusal;
import dev.hapax.app.cli.output.Surroundings;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.verb.Verb;
import dev.hapax.app.cli.verb.VerbCall;
import dev.hapax.app.cli.verb.VerbEntry;
import dev.hapax.app.dev.DevAllowList;
import dev.hapax.app.dev.DevPlace;
import dev.hapax.app.dev.DevScreen;
import java.io.IOException;
import java.net.BindException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "dev",
    description = {
      "Runs a server that is kept equal to a folder, until Ctrl-C. Each save checks the file, prints"
          + " its findings, and makes it live if it has no error.",
      "A sandbox answers instead of everything outside; mails are shown, and secrets are made up."
          + " The other commands below let answers get lost, move the clock and send events."
    },
    footer = {
      "",
      "The store is in DIR/.hapax-dev: use --data DIR/.hapax-dev with the other verbs. After a"
          + " crash, a new start continues its runs.",
      "Exit code 2: the command line is wrong; 3: the folder or the port is in use; 4: DIR does not"
          + " exist."
    })
final class DevVerb extends Verb {
  private static final int USUAL_PORT = 8899;
  private static final int MOST = 65_535;

  @Parameters(
      paramLabel = "DIR",
      arity = "0..1",
      defaultValue = ".",
      description =
          "Folder of flow files, and of connections in DIR/connections (default: this folder).")
  String folder = ".";

  @Option(
      names = "--port",
      paramLabel = "N",
      defaultValue = "" + USUAL_PORT,
      description = "Port to listen on, on this machine only (${DEFAULT-VALUE}); 0 for a free one.")
  int port = USUAL_PORT;

  @Option(
      names = "--allow",
      paramLabel = "HOST",
      description =
          "A host that flows really reach, also with its port; repeat it for others, or list them"
              + " in DIR/dev.yaml.")
  List<String> allow = List.of();

  @Option(names = "--fresh", description = "Begin with an empty store.")
  boolean fresh;

  @Option(
      names = "--record",
      description =
          "Write what the hosts of --allow and DIR/dev.yaml answer into DIR/recordings, without"
              + " secrets. Without --record, recorded answers are used for hosts that are not"
              + " listed.")
  boolean record;

  @Override
  public Stream<VerbEntry> inner() {
    return DevVerbs.all();
  }

  @Override
  public VerbAnswer answer(VerbCall call) throws IOException, InterruptedException {
    Surroundings around = call.surroundings();
    DevServer.Wish wish = wish(around);
    Output output = call.output();
    var screen = new DevScreen(output.isJson() ? around.err() : around.out(), call.paint());
    try (DevServer server = start(wish, screen)) {
      Runtime.getRuntime().addShutdownHook(new Thread(() -> close(server), "hapax-shutdown"));
      output.say(ready(server));
      new CountDownLatch(1).await(); // until the process receives a signal to stop
    }
    return VerbAnswer.said(Exit.DONE);
  }

  private DevServer.Wish wish(Surroundings around) {
    Path flows = around.path(folder).normalize();
    if (!Files.isDirectory(flows)) {
      throw Refusal.of(Exit.NOT_FOUND, "file-not-found", "'%s' is not a folder".formatted(folder))
          .hint("write a first flow: hapax init " + folder);
    }
    if (port < 0 || port > MOST) {
      throw Refusal.usage("--port: expected 0 to %d, got %d".formatted(MOST, port));
    }
    try {
      return new DevServer.Wish(flows, port, fresh, DevAllowList.of(allow), record);
    } catch (IllegalArgumentException e) {
      throw Refusal.usage("--" + e.getMessage());
    }
  }

  private DevServer start(DevServer.Wish wish, DevScreen screen) {
    try {
      return DevServer.start(wish, screen);
    } catch (DevPlace.InUse e) {
      throw Refusal.of(Exit.REFUSED, "in-use", "another 'hapax dev' serves '" + folder + "'")
          .hint("stop it, or use another folder");
    } catch (BindException e) {
      throw Refusal.of(Exit.REFUSED, "in-use", "another program listens on port " + port)
          .hint("hapax dev %s --port 0 takes a free one".formatted(folder));
    } catch (IOException | RuntimeException e) {
      throw Refusal.of(Exit.REFUSED, "cannot-start", "dev: " + e)
          .hint("hapax dev %s --fresh begins with an empty store".formatted(folder));
    }
  }

  private static void close(DevServer server) {
    try {
      server.close();
    } catch (IOException e) {
      // the kernel gives the folder back
    }
  }

  private VerbAnswer ready(DevServer server) {
    String data = DevAddress.dataOf(Path.of(folder)).normalize().toString();
    var answer = new LinkedHashMap<String, Object>();
    answer.put("url", server.address().toString());
    answer.put("data", server.data().toString());
    answer.put("tokenFile", server.data().resolve("admin.token").toString());
    String other =
        server.address().getPort() == USUAL_PORT
            ? ""
            : "export HAPAX_URL=%s%n".formatted(server.address());
    return VerbAnswer.of(
        answer,
        "export HAPAX_DATA=%s%n%sHapax listens on %s".formatted(data, other, server.address()));
  }
}
