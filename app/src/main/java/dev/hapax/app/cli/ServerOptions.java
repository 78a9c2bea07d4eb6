package dev.hapax.app.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that select a server and a credential. */
final class ServerOptions {
  @Option(
      names = "--url",
      paramLabel = "URL",
      description = "The server (HAPAX_URL; else of the profile; else http://127.0.0.1:8899).")
  @Nullable String url;

  @Option(
      names = "--profile",
      paramLabel = "NAME",
      description = "A server and its token, kept by 'hapax profiles set' (HAPAX_PROFILE).")
  @Nullable String profile;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Data folder of a local server: its DIR/admin.token is used (HAPAX_DATA).")
  @Nullable String data;

  /** Options after the verb take precedence over options before it. */
  ServerOptions orElse(ServerOptions other) {
    var both = new ServerOptions();
    both.url = url != null ? url : other.url;
    both.profile = profile != null ? profile : other.profile;
    both.data = data != null ? data : other.data;
    return both;
  }
}
