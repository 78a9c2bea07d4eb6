package dev.hapax.app;

import dev.hapax.app.config.Settings;
import dev.hapax.flows.FlowFiles;
import java.io.IOException;
import java.net.URI;
import java.util.function.UnaryOperator;

/**
 * Runs the server of {@code hapax serve} inside another program. The program may add handlers in
 * Java for the {@code call} steps of its flow files.
 */
public final class HapaxServer implements AutoCloseable {
  private final Application application;

  private HapaxServer(Application application) {
    this.application = application;
  }

  /**
   * Starts a server; it takes work when this returns.
   *
   * @param files what all flow files may use beside the connections and secrets of their tenant
   */
  public static HapaxServer start(Settings settings, UnaryOperator<FlowFiles.Builder> files)
      throws IOException {
    return new HapaxServer(Application.start(settings, Extras.of(files, UnaryOperator.identity())));
  }

  /** Returns the address that it listens on. */
  public URI address() {
    return application.address();
  }

  /** Answers the requests that have arrived, and writes runs out. */
  @Override
  public void close() {
    application.close();
  }
}
