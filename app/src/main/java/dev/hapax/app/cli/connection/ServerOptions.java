package dev.hapax.app.cli.connection;

import dev.hapax.app.cli.output.Surroundings;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that select a server and a credential. */
public final class ServerOptions {
  @Option(
      names = "--url",
      paramLabel = "URL",
      description = "Server (HAPAX_URL; else from the profile; else http://127.0.0.1:8899).")
  @Nullable String url;

  @Option(
      names = "--profile",
      paramLabel = "NAME",
      description = "A server and its token, stored by 'hapax profiles set' (HAPAX_PROFILE).")
  @Nullable String profile;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description =
          "Data folder of a local server: the token is read from DIR/admin.token (HAPAX_DATA).")
  @Nullable String data;

  @Option(
      names = "--ca",
      paramLabel = "FILE",
      description = "PEM file: trusts a server with a certificate of these authorities (HAPAX_CA).")
  @Nullable String ca;

  @Option(
      names = "--certificate",
      paramLabel = "FILE",
      description =
          "PEM file: your certificate and its key, if the server asks for one (HAPAX_CERTIFICATE).")
  @Nullable String certificate;

  /** Returns the data folder of a local server, from the option or the environment, if given. */
  public @Nullable Path dataFolder(Surroundings surroundings) {
    String folder = data != null ? data : surroundings.variable("HAPAX_DATA");
    return folder == null ? null : surroundings.path(folder);
  }

  /** Returns whether an option names the server's address. */
  public boolean hasUrl() {
    return url != null;
  }

  /** Returns whether an option names the server by its address or by a profile. */
  public boolean hasAddress() {
    return url != null || profile != null;
  }

  /** Options after the verb take precedence over options before it. */
  public ServerOptions orElse(ServerOptions other) {
    var both = new ServerOptions();
    both.url = url != null ? url : other.url;
    both.profile = profile != null ? profile : other.profile;
    both.data = data != null ? data : other.data;
    both.ca = ca != null ? ca : other.ca;
    both.certificate = certificate != null ? certificate : other.certificate;
    return both;
  }
}
