package dev.hapax.app;

import dev.hapax.Hapax;
import dev.hapax.app.config.Settings;
import dev.hapax.flow.Flow;
import dev.hapax.flows.FlowFiles;
import jakarta.servlet.http.HttpServlet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Runs the server of {@code hapax serve} in the servlet container of another program: the same
 * routes with the same tokens, below a prefix, beside the program's own. The program maps {@link
 * #servlet()} to the prefix and everything below it, and closes this before its container.
 */
public final class HapaxMount implements AutoCloseable {
  private final Application application;

  private HapaxMount(Application application) {
    this.application = application;
  }

  /**
   * Begins a mount.
   *
   * @param prefix for example {@code /hapax}; empty if the servlet has the container for itself
   * @param settings {@code http.url} must say where callers reach the prefix, for example {@code
   *     https://shop.example/hapax}: addresses for callbacks and approvals are made from it
   */
  public static Builder at(String prefix, Settings settings) {
    return new Builder(prefix, settings);
  }

  /** Returns the engine, for the program's own code. Closing the mount closes it. */
  public Hapax hapax() {
    return application.hapax();
  }

  /** Returns the servlet to map to the prefix and all below it. It needs no filters or sessions. */
  public HttpServlet servlet() {
    return application.servlet();
  }

  /** Returns the operator's token if this start created it and must show it; null otherwise. */
  public @Nullable String firstToken() {
    return application.firstToken();
  }

  /** Answers the requests that have arrived, refuses all others with 503, and writes runs out. */
  @Override
  public void close() {
    application.close();
  }

  /** Collects the parts that the program adds. */
  public static final class Builder {
    private final String prefix;
    private final Settings settings;
    private final List<Flow<?, ?>> flows = new ArrayList<>();
    private UnaryOperator<FlowFiles.Builder> files = UnaryOperator.identity();
    private @Nullable DataSource database;

    private Builder(String prefix, Settings settings) {
      this.prefix = prefix;
      this.settings = settings;
    }

    /** Adds to what all flow files may use beside the connections and secrets of their tenant. */
    public Builder files(UnaryOperator<FlowFiles.Builder> more) {
      files = more;
      return this;
    }

    /** Adds flows in Java. Callers start them like those of files; no file may have their names. */
    public Builder flows(Flow<?, ?>... inJava) {
      flows.addAll(List.of(inJava));
      return this;
    }

    /** Stores everything in this PostgreSQL database instead of the one in the settings. */
    public Builder store(DataSource connections) {
      database = connections;
      return this;
    }

    /** Opens the store and the engine. Runs continue when this returns. */
    public HapaxMount open() throws IOException {
      if (settings.http().url() == null) {
        throw new IllegalArgumentException(
            "http.url: expected the address of the mount for callers, for example https://shop.example"
                + prefix);
      }
      return new HapaxMount(
          Application.start(settings, Extras.mounted(files, flows, database, prefix)));
    }
  }
}
