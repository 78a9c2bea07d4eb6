package dev.hapax.app;

import dev.hapax.app.cli.output.Exit;
import dev.hapax.app.cli.output.Refusal;
import dev.hapax.app.cli.output.Surroundings;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.verb.Verb;
import dev.hapax.app.cli.verb.VerbCall;
import dev.hapax.app.config.BadSettings;
import dev.hapax.app.config.Settings;
import dev.hapax.app.config.SettingsReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "serve",
    description = {
      "Runs a server until it receives SIGTERM or Ctrl-C.",
      "Settings come from flags, --set, the environment (HAPAX_HTTP_PORT and so on) and hapax.yaml,"
          + " in this order.",
      "The first start creates an admin token, shows it once and stores it in DIR/admin.token."
    })
final class ServeVerb extends Verb {
  private static final String FILE = "hapax.yaml";

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Data folder (HAPAX_DATA; default ./hapax-data).")
  @Nullable String data;

  @Option(names = "--port", paramLabel = "N", description = "Port to listen on (8899).")
  @Nullable String port;

  @Option(names = "--host", paramLabel = "HOST", description = "Address to listen on (127.0.0.1).")
  @Nullable String host;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "Settings file (./hapax.yaml, if it exists).")
  @Nullable String config;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "A setting, for example store.url=jdbc:postgresql://host/database.")
  List<String> assignments = List.of();

  @Option(names = "--warmup", hidden = true)
  boolean warmup;

  @Override
  public VerbAnswer answer(VerbCall call) throws IOException, InterruptedException {
    if (warmup) {
      ServerWarmup.run();
      return VerbAnswer.of(Map.of("warm", true), "warm");
    }
    Surroundings around = call.surroundings();
    Settings settings = settings(around);
    // The log's configuration reads this before the first line is written.
    System.setProperty("HAPAX_LOG_FORMAT", settings.log().format());
    System.setProperty("HAPAX_LOG_LEVEL", settings.log().level());
    try (Application application = start(settings)) {
      Runtime.getRuntime().addShutdownHook(new Thread(application::close, "hapax-shutdown"));
      call.output().say(ready(application, settings));
      new CountDownLatch(1).await(); // until the process receives a signal to stop
    }
    return VerbAnswer.said(Exit.DONE);
  }

  private static Application start(Settings settings) throws IOException {
    try {
      return Application.start(settings, Extras.NONE);
    } catch (RuntimeException e) {
      throw Refusal.of(Exit.REFUSED, "cannot-start", "serve: " + e.getMessage());
    }
  }

  private Settings settings(Surroundings around) {
    var reader = new SettingsReader();
    if (config != null) {
      reader.file(around.path(config));
    } else if (Files.exists(around.path(FILE))) {
      reader.file(around.path(FILE));
    }
    try {
      return reader
          .environment(around.environment())
          .set(assignments)
          .flag("--data", "data", data == null ? null : around.path(data).toString())
          .flag("--host", "http.host", host)
          .flag("--port", "http.port", port)
          .read();
    } catch (BadSettings e) {
      throw Refusal.usage(String.valueOf(e.getMessage())).details(Map.of("problems", e.problems()));
    }
  }

  /**
   * Printed when it takes work; standard output gets nothing more. Only a person sees the token.
   */
  private static VerbAnswer ready(Application application, Settings settings) {
    Path file = settings.data().resolve("admin.token");
    var data = new LinkedHashMap<String, Object>();
    data.put("url", application.address().toString());
    data.put("data", settings.data().toString());
    data.put("tokenFile", file.toString());
    String token = application.firstToken();
    data.put("tokenIsNew", token != null);
    String text = "Hapax listens on " + application.address();
    return VerbAnswer.of(
        data,
        token == null ? text : "The admin token, shown only once: %s%n%s".formatted(token, text));
  }
}
