package dev.hapax.app.cli.verb;

import dev.hapax.app.cli.connection.ServerOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The program itself. Its options come before the verb, and mean the same after it. */
@Command(
    name = "hapax",
    description = "Durable workflows whose effects happen once.",
    footer = {
      "",
      "Without a terminal, or with --json, the output is one JSON document:",
      "  {\"ok\": true, \"data\": ..., \"meta\": ...}",
      "  {\"ok\": false, \"error\": {\"code\", \"message\", \"details\"}, \"hint\": ...}",
      "Exit codes: 0 done, 1 the run failed, 2 usage, 3 refused, 4 not found, 5 the server cannot"
          + " be reached,",
      "6 waiting for a person. 'hapax help VERB' shows more."
    })
public final class Root {
  @Mixin CommonOptions common = new CommonOptions();
  @Mixin ServerOptions server = new ServerOptions();

  @Option(
      names = {"-V", "--version"},
      description = "Show the version.")
  boolean version;

  /** Returns the options before the verb that name a server. */
  public ServerOptions serverOptions() {
    return server;
  }

  /** Returns whether the user asks for the version instead of a verb. */
  public boolean asksForVersion() {
    return version;
  }
}
