package dev.hapax.app;

import dev.hapax.app.config.SettingsReader;
import dev.hapax.app.demo.DemoFolder;
import dev.hapax.app.demo.ParentProcess;
import java.io.IOException;
import java.nio.file.Path;

/** The server of the demo: the same as {@code hapax serve}, but it ends with the demo. */
final class DemoServer {
  private DemoServer() {}

  public static void main(String[] args) throws IOException {
    var folder = new DemoFolder(Path.of(args[0]));
    var settings =
        new SettingsReader()
            .flag("--data", "data", folder.server().toString())
            .flag("--port", "http.port", args[1])
            .read();
    try (var _ = ParentProcess.alone(folder.lockOf("server"));
        var application = Application.start(settings, Extras.NONE)) {
      ParentProcess.tellReady(application.address());
      ParentProcess.awaitGone();
    }
    System.exit(0);
  }
}
